#include "supervisor/translator/turns/futexes.h"

#include <algorithm>

namespace tally {

std::vector<pid_t> Futexes::Wake(FutexWord word, std::size_t most, std::uint32_t bits) {
  std::vector<pid_t> woken;
  std::erase_if(waiters_, [&](const Waiter& waiter) {
    if (woken.size() >= most || waiter.word != word || (waiter.bits & bits) == 0) return false;
    woken.push_back(waiter.task);
    return true;
  });
  return woken;
}

std::size_t Futexes::Requeue(FutexWord word, FutexWord to, std::size_t most) {
  std::size_t moved = 0;
  std::vector<Waiter> behind;  // those that came to `to` before stay in front
  std::erase_if(waiters_, [&](const Waiter& waiter) {
    if (moved >= most || waiter.word != word) return false;
    ++moved;
    behind.push_back({waiter.task, to, waiter.bits});
    return true;
  });
  waiters_.insert(waiters_.end(), behind.begin(), behind.end());
  return moved;
}

void Futexes::Remove(pid_t task) {
  std::erase_if(waiters_, [&](const Waiter& waiter) { return waiter.task == task; });
}

std::optional<FutexWord> Futexes::WordOf(pid_t task) const {
  const auto found = std::find_if(waiters_.begin(), waiters_.end(), [task](const Waiter& waiter) { return waiter.task == task; });
  return found == waiters_.end() ? std::nullopt : std::optional(found->word);
}

bool Futexes::HasWaiters(FutexWord word) const {
  return std::any_of(waiters_.begin(), waiters_.end(), [&](const Waiter& waiter) { return waiter.word == word; });
}

}  // namespace tally

// Who waits for whom by futex(2) while tasks take turns (turns.h): the kernel's queues, in our hands, so that who is woken
// depends on the order of their calls alone. Pure: the words themselves are read and written by turn_calls.cc.
#pragma once

#include <sys/types.h>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace tally {

// A word that tasks wait at: of one memory, at an address.
struct FutexWord {
  std::uint64_t memory = 0;
  std::uint64_t address = 0;
  bool operator==(const FutexWord&) const = default;
};

class Futexes {
 public:
  void Wait(pid_t task, FutexWord word, std::uint32_t bits) { waiters_.push_back({task, word, bits}); }
  // The first `most` that wait at `word` for any of `bits`, in the order in which they came. They wait no longer.
  std::vector<pid_t> Wake(FutexWord word, std::size_t most, std::uint32_t bits);
  // The first `most` wait at `to` from now on; how many.
  std::size_t Requeue(FutexWord word, FutexWord to, std::size_t most);
  void Remove(pid_t task);
  [[nodiscard]] bool empty() const { return waiters_.empty(); }
  // Where it waits; nothing: it does not.
  [[nodiscard]] std::optional<FutexWord> WordOf(pid_t task) const;
  [[nodiscard]] bool HasWaiters(FutexWord word) const;

 private:
  struct Waiter {
    pid_t task;
    FutexWord word;
    std::uint32_t bits;
  };
  std::vector<Waiter> waiters_;  // in the order in which they came
};

}  // namespace tally

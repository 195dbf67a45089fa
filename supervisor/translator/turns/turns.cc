#include "supervisor/translator/turns/turns.h"

#include <algorithm>
#include <vector>

namespace tally {

Turns::Tasks::iterator Turns::Find(pid_t task) {
  return std::find_if(tasks_.begin(), tasks_.end(), [&](const auto& entry) { return entry.second.tid == task; });
}
Turns::Tasks::const_iterator Turns::Find(pid_t task) const {
  return std::find_if(tasks_.begin(), tasks_.end(), [&](const auto& entry) { return entry.second.tid == task; });
}

void Turns::Add(pid_t task) {
  if (!Knows(task)) tasks_.emplace(++made_, Task{.tid = task, .last = turn_});
}

void Turns::Remove(pid_t task) {
  if (const auto found = Find(task); found != tasks_.end()) tasks_.erase(found);
  if (current_ == task) End();
  NoteChange();
}

void Turns::Wait(State state, std::optional<Nanoseconds> moment) {
  Task& task = Find(*current_)->second;
  task.state = state;
  task.until = moment;
  task.late = false;
  task.tried = changes_;
  End();
}

void Turns::WaitUntil(std::optional<Nanoseconds> moment) { Wait(State::kUntil, moment); }
void Turns::TryAgain(std::optional<Nanoseconds> moment, bool outside) {
  Find(*current_)->second.outside = outside;
  Wait(State::kAgain, moment);
}

void Turns::Release(pid_t task) {
  const auto found = Find(task);
  if (found == tasks_.end() || found->second.state == State::kLeaving) return;
  found->second.state = State::kReady;
  found->second.until.reset();
}

void Turns::Return(pid_t task) {
  const auto found = Find(task);
  if (found == tasks_.end()) return;
  found->second.suspended = false;
  if (found->second.state == State::kLeaving) found->second.state = State::kReady;
}

bool Turns::IsLate(pid_t task) const {
  const auto found = Find(task);
  return found != tasks_.end() && found->second.late;
}

void Turns::Suspend(pid_t task) {
  if (const auto found = Find(task); found != tasks_.end()) found->second.suspended = true;
  if (current_ == task) End();
}

bool Turns::IsWaiting(pid_t task) const {
  const auto found = Find(task);
  return found != tasks_.end() && (found->second.state == State::kUntil || found->second.state == State::kAgain);
}

void Turns::Leave(pid_t task) {
  if (const auto found = Find(task); found != tasks_.end()) found->second.state = State::kLeaving;
  if (current_ == task) End();
}

bool Turns::CanGoOn(const Task& task) const {
  return !task.suspended && (task.state == State::kReady || (task.state == State::kAgain && task.tried != changes_));
}

std::optional<pid_t> Turns::Choose(Nanoseconds now) {
  if (HasLeaving()) return std::nullopt;
  std::vector<Tasks::iterator> able;
  for (auto at = tasks_.begin(); at != tasks_.end(); ++at) {
    Task& task = at->second;
    if (task.until && *task.until <= now && task.state != State::kReady) {
      task.state = State::kReady;
      task.late = true;
      task.until.reset();
    }
    if (!CanGoOn(task)) continue;
    able.push_back(at);
  }
  if (able.empty()) return std::nullopt;
  const auto preferred = std::find_if(able.begin(), able.end(), [this](auto at) { return at->second.tid == preferred_; });
  preferred_.reset();
  if (preferred != able.end()) return Begin(*preferred);
  if (seed_ != 0) return Begin(able[random_.Next() % able.size()]);
  return Begin(*std::min_element(able.begin(), able.end(), [](auto a, auto b) { return a->second.last < b->second.last; }));
}

std::optional<pid_t> Turns::ChooseForOutside() {
  const auto found = std::find_if(tasks_.begin(), tasks_.end(), [](const auto& entry) { return entry.second.state == State::kAgain && entry.second.outside && !entry.second.suspended; });
  if (found == tasks_.end()) return std::nullopt;
  return Begin(found);
}

pid_t Turns::Begin(Tasks::iterator chosen) {
  length_ = seed_ != 0 ? 1 + random_.Next() % kUsual : kUsual;
  if (seed_ != 0 && random_.Next() % 2 == 0) length_ = 1 + length_ % 1000;  // races want short turns, too
  if (every_ != 0) length_ = every_;
  later_ = seed_ != 0 ? random_.Next() % 8 : 0;  // each is a step by the kernel
  chosen->second.state = State::kReady;
  chosen->second.last = ++turn_;
  own_changes_ = 0;
  current_ = chosen->second.tid;
  return *current_;
}

bool Turns::OthersWait() const {
  return std::any_of(tasks_.begin(), tasks_.end(), [this](const auto& entry) {
    const Task& task = entry.second;
    return task.tid != current_ && (CanGoOn(task) || (task.until && !task.suspended));
  });
}

std::optional<Nanoseconds> Turns::NextMoment() const {
  std::optional<Nanoseconds> first;
  for (const auto& [number, task] : tasks_) {
    if (task.until && (!first || *task.until < *first)) first = task.until;
  }
  return first;
}

bool Turns::HasLeaving() const {
  return std::any_of(tasks_.begin(), tasks_.end(), [](const auto& entry) { return entry.second.state == State::kLeaving; });
}

}  // namespace tally

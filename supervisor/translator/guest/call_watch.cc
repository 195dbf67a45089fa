#include "supervisor/translator/guest/call_watch.h"

#include <sched.h>
#include <x86intrin.h>

#include <algorithm>
#include <utility>

#include "base/sys.h"

namespace tally {
namespace {
constexpr Nanoseconds kFreezerPeriod = Milliseconds(5);
}

void CallWatch::Began(pid_t program) {
  if (first_ticks_ != 0) return;  // it executes another program
  first_time_ = sys::MonotonicNow();
  first_ticks_ = __rdtsc();
  tasks_.insert(program);
  observer_->Began(program, first_ticks_);
  freezer_.emplace(program);
}

void CallWatch::TaskBegan(pid_t task, pid_t parent, std::uint64_t flags) {
  tasks_.insert(task);
  observer_->TaskBegan(task, parent, (flags & CLONE_THREAD) != 0, (flags & CLONE_FILES) != 0, __rdtsc());
}

void CallWatch::TaskEnded(pid_t task, const ObservedCall* unfinished) {
  StopEnded(task);
  GoesOn(task);
  going_.erase(task);
  if (tasks_.erase(task) != 0) observer_->TaskEnded(task, unfinished, __rdtsc());
}

void CallWatch::StopBegan(pid_t task) { stopped_since_.emplace(task, __rdtsc()); }

void CallWatch::StopEnded(pid_t task) {
  const auto found = stopped_since_.find(task);
  if (found == stopped_since_.end()) return;
  observer_->Stopped(task, found->second, __rdtsc());
  stopped_since_.erase(found);
}

void CallWatch::Stands(pid_t task) {
  if (!tasks_.contains(task) || standing_.contains(task)) return;
  const Ticks now = __rdtsc();
  standing_.emplace(task, Standing{now, IdleOf(task)});
}

void CallWatch::GoesOn(pid_t task) {
  const auto found = standing_.find(task);
  if (found == standing_.end()) return;
  going_.erase(task);
  if (const auto times = SchedTimesOf(task)) going_.emplace(task, Going{sys::MonotonicNow(), *times});
  observer_->Translated(task, found->second.since, __rdtsc(), found->second.idle);
  standing_.erase(found);
}

Nanoseconds CallWatch::IdleOf(pid_t task) const {
  const auto went_on = going_.find(task);
  if (went_on == going_.end()) return Nanoseconds(0);
  const Nanoseconds now = sys::MonotonicNow();
  const auto times = SchedTimesOf(task);
  if (!times) return Nanoseconds(0);
  const auto& [since, before] = went_on->second;
  return std::max(now - since - (times->on_processor - before.on_processor) - (times->waiting - before.waiting), Nanoseconds(0));
}

Nanoseconds CallWatch::LookAtFreezer() {
  if (!freezer_) return kFreezerPeriod;
  const bool frozen = freezer_->IsFrozen();
  if (frozen && !frozen_since_) frozen_since_ = __rdtsc();
  if (frozen) going_.clear();  // idle for a reason that is told
  if (!frozen && frozen_since_) {
    const Ticks since = *std::exchange(frozen_since_, std::nullopt);
    for (const pid_t task : tasks_) observer_->Stopped(task, since, __rdtsc());
  }
  return kFreezerPeriod;
}

void CallWatch::RunOver() {
  if (first_ticks_ == 0) return;
  const Ticks now = __rdtsc();
  observer_->Clock(first_ticks_, now, static_cast<std::uint64_t>((sys::MonotonicNow() - first_time_).count()));
}

}  // namespace tally

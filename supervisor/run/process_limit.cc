#include "supervisor/run/process_limit.h"

#include <thread>

#include "base/sys.h"

namespace tally {
namespace {

constexpr Nanoseconds kTimeToExit = Milliseconds(20);

}  // namespace

void ProcessLimit::OnNewTask(pid_t task) {
  if (!tasks_.AreMoreThan(most_)) return;
  if (too_many_.empty()) since_ = sys::MonotonicNow();
  too_many_.insert(task);
}

ProcessLimit::Answer ProcessLimit::MayGoOn(pid_t task) {
  if (too_many_.count(task) == 0) return Answer::kGoOn;
  if (!tasks_.AreMoreThan(most_)) {
    too_many_.clear();
    return Answer::kGoOn;
  }
  if (sys::MonotonicNow() > since_ + kTimeToExit) return Answer::kExceeded;
  std::this_thread::sleep_for(kTimeToExit / 20);
  return Answer::kHold;
}

bool ProcessLimit::IsExceeded() {
  return !too_many_.empty() && sys::MonotonicNow() > since_ + kTimeToExit && tasks_.AreMoreThan(most_);
}

}  // namespace tally

#include "supervisor/run/process_limit.h"

#include <algorithm>
#include <thread>
#include <vector>

#include "base/sys.h"
#include "supervisor/resources/proc_status.h"

namespace tally {
namespace {

constexpr Nanoseconds kCpuToExit = Milliseconds(20);
// Of real time: on a machine that is as busy as that nobody is served.
constexpr Nanoseconds kLongestToExit = Milliseconds(1000);
constexpr Nanoseconds kBetweenChecks = Milliseconds(1);
// A task that has just stopped runs no more, and its stop was not told yet. By checks and not by time: we may be without a processor, too.
constexpr int kQuietChecks = 10;

}  // namespace

bool ProcessLimit::AreTooMany() {
  if (tasks_.AreMoreThan(most_)) return true;
  too_many_.clear();
  return false;
}

void ProcessLimit::OnNewTask(pid_t task) {
  if (!AreTooMany()) return;
  if (too_many_.empty()) {
    since_ = sys::MonotonicNow();
    quiet_checks_ = 0;
    cpu_then_ = tasks_.Cpu().total();
  }
  too_many_.insert(task);
}

bool ProcessLimit::HadTimeToExit() const {
  return sys::MonotonicNow() > since_ + kLongestToExit || tasks_.Cpu().total() > cpu_then_ + kCpuToExit;
}

bool ProcessLimit::AnyRuns() const {
  const std::vector<pid_t> all = tasks_.All();
  return std::any_of(all.begin(), all.end(), IsRunnable);
}

ProcessLimit::Answer ProcessLimit::MayGoOn(pid_t task) {
  if (too_many_.count(task) == 0) return Answer::kGoOn;
  if (!AreTooMany()) return Answer::kGoOn;
  quiet_checks_ = AnyRuns() ? 0 : quiet_checks_ + 1;
  if (HadTimeToExit() || quiet_checks_ > kQuietChecks) return Answer::kExceeded;
  std::this_thread::sleep_for(kBetweenChecks);
  return Answer::kHold;
}

bool ProcessLimit::IsExceeded() { return !too_many_.empty() && AreTooMany() && HadTimeToExit(); }

}  // namespace tally

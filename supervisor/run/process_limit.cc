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
constexpr Nanoseconds kBetweenLooks = Milliseconds(1);
// A task that has just stopped runs no more, and its stop was not told yet. By looks and not by time: we may be without a processor, too.
constexpr int kQuietLooks = 10;

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
    quiet_looks_ = 0;
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
  quiet_looks_ = AnyRuns() ? 0 : quiet_looks_ + 1;
  if (HadTimeToExit() || quiet_looks_ > kQuietLooks) return Answer::kExceeded;
  std::this_thread::sleep_for(kBetweenLooks);
  return Answer::kHold;
}

bool ProcessLimit::IsExceeded() { return !too_many_.empty() && AreTooMany() && HadTimeToExit(); }

}  // namespace tally

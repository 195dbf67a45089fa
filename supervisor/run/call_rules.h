// Which of the system calls that a filter of the policy stopped may go on (tracing/trace_codes.h says why each stopped).
#pragma once

#include <sys/types.h>

#include "supervisor/api/cause.h"
#include "supervisor/run/watch_plan.h"
#include "supervisor/tracing/tracee.h"

namespace tally {

class CallRules {
 public:
  explicit CallRules(const WatchPlan& plan) : plan_(plan) {}

  // `started`: the program has begun; what it executes before is ours.
  bool Allows(pid_t tid, const StoppedCall& call, bool started);

  // A request that the memory limit refuses was among them. It may go on, to hear so from the kernel.
  [[nodiscard]] bool allocation_refused() const { return allocation_refused_; }

  static ForbiddenCall Describe(const StoppedCall& call);

 private:
  bool IsToItself(pid_t tid, const StoppedCall& call);

  const WatchPlan& plan_;
  bool allocation_refused_ = false;
  pid_t own_id_ = 0;
};

}  // namespace tally

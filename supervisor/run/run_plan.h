// Everything of one run that exists before its child does, and how it is made of a request. What can fail or is slow is done
// here.
#pragma once

#include <sys/types.h>

#include <memory>
#include <optional>
#include <vector>

#include "base/fd.h"
#include "supervisor/api/run_request.h"
#include "supervisor/resources/memory_cgroups.h"
#include "supervisor/resources/memory_meter.h"
#include "supervisor/resources/output_pump.h"
#include "supervisor/resources/switch_counter.h"
#include "supervisor/resources/syscall_counter.h"
#include "supervisor/run/watch_plan.h"
#include "supervisor/sandbox/callers_streams.h"
#include "supervisor/sandbox/child_setup.h"

namespace tally {

struct RunPlan {
  ChildPlan child;
  WatchPlan watch;
  std::unique_ptr<Engine> engine;
  std::unique_ptr<MemoryMeter> memory;
  std::optional<OutputPump> pump;
  std::optional<OutputPump> error_pump;
  std::optional<TracepointCounter> tracepoint;
  SwitchCounter switches;
  Fd landlock;
  Fd null;   // in the place of streams that the request does not have
  Fd input;  // in place of the request's stdin (callers_streams.h), if it is valid
  std::vector<std::unique_ptr<CallersStream>> callers_streams;
  off_t stdout_size_before = 0;
  bool stdout_is_file = false;
  bool input_in_pieces = false;  // how much of its input is there when it reads depends on who writes it
  bool count_by_tracepoint = false;
};

// What a plan takes from the executor.
struct Means {
  Sandboxes* sandboxes;
  MemoryCgroups* cgroups;
  bool counts_by_tracepoint;  // where the request leaves it open
};

// What init does before there is a program: of all runs in this sandbox the same, but for the working folder.
ChildPlan PlanInit(const Sandbox& sandbox, Sandboxes* sandboxes);

// SystemError when the host refuses something.
std::unique_ptr<RunPlan> PlanRun(RunRequest request, const Sandbox& sandbox, const Means& means);

}  // namespace tally

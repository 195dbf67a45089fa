// What Watch and its parts work with.
#pragma once

#include <string>

#include "supervisor/api/root_spec.h"
#include "supervisor/api/run_request.h"
#include "supervisor/engines/engine.h"
#include "supervisor/resources/memory_meter.h"
#include "supervisor/resources/output_pump.h"
#include "supervisor/resources/switch_counter.h"
#include "supervisor/resources/syscall_counter.h"

namespace tally {

// All borrowed.
struct WatchPlan {
  Limits limits;
  SyscallPermissions permissions;
  Engine* engine;
  MemoryMeter* memory;
  OutputPump* pump = nullptr;           // stdout that is no regular file
  OutputPump* error_pump = nullptr;     // stderr likewise, where output has a limit
  TracepointCounter* syscalls = nullptr;
  bool count_by_trace = false;
  bool count_by_engine = false;
  std::string no_syscalls_reason;       // when none
  SwitchCounter* switches = nullptr;    // where they were asked for

  [[nodiscard]] bool has_pump() const { return pump != nullptr || error_pump != nullptr; }
  template <typename Action>
  void ForEachPump(Action action) const {
    for (OutputPump* const each : {pump, error_pump}) {
      if (each != nullptr) action(each);
    }
  }
};

}  // namespace tally

// Whether this user may make memory cgroups on this machine.
#pragma once

#include <string>

#include "supervisor/run/process_executor.h"

namespace tally {

inline bool CgroupsWork() {
  std::string why;
  return ProcessExecutor().cgroups().MakeMeter(Limits{}, &why) != nullptr;
}

}  // namespace tally

// Whether this user may make memory cgroups on this machine.
#pragma once

#include <string>

#include "supervisor/resources/memory_meter.h"

namespace tally {

inline bool CgroupsWork() {
  std::string why;
  return MakeCgroupMeter(Limits{}, &why) != nullptr;
}

}  // namespace tally

// What runs may leave on the host: files in their temporary folder, memory cgroups.
#pragma once

#include <sys/types.h>

#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

#include "supervisor/resources/cgroup_parent.h"

namespace tally {

// The first name in a folder; "" where there is none.
inline std::string LeftInFolder(const std::string& folder) {
  for (const auto& entry : std::filesystem::directory_iterator(folder)) return entry.path();
  return "";
}

// The first memory cgroup that one of these processes has made; "" where there is none.
inline std::string CgroupsOf(const std::vector<pid_t>& supervisors) {
  std::string why;
  const auto room = FindCgroupParent("memory", &why);
  if (!room) return "";
  std::error_code error;
  for (const auto& entry : std::filesystem::directory_iterator(room->directory, error)) {
    const std::string name = entry.path().filename();
    const auto is_of = [&name](pid_t pid) {
      const std::string own = "tally-" + std::to_string(pid) + "-";
      return name.starts_with(own) && name != own + "self";  // it lives there itself (cgroup_parent.h)
    };
    if (std::any_of(supervisors.begin(), supervisors.end(), is_of)) return entry.path();
  }
  return "";
}

}  // namespace tally

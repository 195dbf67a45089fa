// What of a start is the program's own, in the form that the child reads: pointers only, all into one piece of memory.
//
// Everything else of a ChildPlan is done by init before there is a program. So an init that stays (reused_init.h) starts whatever its
// sandbox has: this comes to it in memory that it shares with the supervisor, which writes there only while init waits. A program never
// has that memory; execve gives it another.
#pragma once

#include <linux/filter.h>

#include <cstddef>
#include <memory>
#include <optional>
#include <span>

#include "supervisor/resources/child_limits.h"

namespace tally {

struct ChildPlan;

struct Launch {
  const char* program;
  char* const* argv;
  char* const* env;
  std::span<const ResourceLimit> limits;
  std::span<const sock_fprog> filters;  // installed in this order
  CgroupToJoin::How how_into_cgroup;
  bool address_randomization;
  bool time_stamps_fault;
};

std::size_t SizeOfLaunch(const ChildPlan& plan);
// `memory` is that large, and aligned for any type.
const Launch& LayOut(const ChildPlan& plan, std::byte* memory);

// For one init after the other. A fork has its own.
class LaunchRoom {
 public:
  LaunchRoom();
  ~LaunchRoom();
  LaunchRoom(const LaunchRoom&) = delete;
  LaunchRoom& operator=(const LaunchRoom&) = delete;

  // nullptr: it has no room for this, or is a copy in a fork. The next one has the same address.
  [[nodiscard]] const Launch* Put(const ChildPlan& plan) const;
  [[nodiscard]] bool IsOurs() const;

 private:
  std::byte* memory_;
  int owner_;
};

}  // namespace tally

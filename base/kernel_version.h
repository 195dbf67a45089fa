// The version of the kernel that runs (uname(2)), where what it can depends on that and cannot be asked
// otherwise.
#pragma once

#include <compare>
#include <string>
#include <string_view>

namespace tally {

struct KernelVersion {
  int major = 0;
  int minor = 0;
  auto operator<=>(const KernelVersion&) const = default;
};

// "6.1.0-13-amd64"; what is no number is 0.
KernelVersion ParseKernelVersion(std::string_view release);
KernelVersion ThisKernel();
std::string ToText(KernelVersion version);  // "6.1"

// Mounts are made read-only by mount_setattr(2), since 5.12; what else full isolation needs is older.
inline constexpr KernelVersion kOldestKernel{5, 12};

}  // namespace tally

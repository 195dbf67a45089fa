#include "base/kernel_version.h"

#include <fmt/format.h>
#include <sys/utsname.h>

#include <charconv>

namespace tally {

KernelVersion ParseKernelVersion(std::string_view release) {
  KernelVersion version;
  const char* const end = release.data() + release.size();
  const char* const dot = std::from_chars(release.data(), end, version.major).ptr;
  if (dot != end && *dot == '.') std::from_chars(dot + 1, end, version.minor);
  return version;
}

KernelVersion ThisKernel() {
  static const KernelVersion version = [] {
    utsname names{};
    return ::uname(&names) == 0 ? ParseKernelVersion(names.release) : KernelVersion{};
  }();
  return version;
}

std::string ToText(KernelVersion version) { return fmt::format("{}.{}", version.major, version.minor); }

}  // namespace tally

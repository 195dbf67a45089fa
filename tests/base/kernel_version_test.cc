#include "base/kernel_version.h"

#include "tests/support/catch.h"

namespace tally {
namespace {

TEST_CASE("kernel version: by number, whatever a distribution adds", "[kernel]") {
  CHECK(ParseKernelVersion("6.1.0-13-amd64") == KernelVersion{6, 1});
  CHECK(ParseKernelVersion("5.15.153.1-microsoft-standard-WSL2") == KernelVersion{5, 15});
  CHECK(ParseKernelVersion("6.18-rc1") == KernelVersion{6, 18});
  CHECK(ParseKernelVersion("7") == KernelVersion{7, 0});
  CHECK(ParseKernelVersion("") == KernelVersion{});
  CHECK(KernelVersion{5, 4} < kOldestKernel);
  CHECK(KernelVersion{5, 12} == kOldestKernel);
  CHECK(KernelVersion{6, 1} > kOldestKernel);
  CHECK(ToText({5, 10}) == "5.10");
}

}  // namespace
}  // namespace tally

// Reduced isolation's file system: the program sees the host's paths, and Landlock (landlock(7), kernel 5.13)
// lets it open only what its sandbox description mounts, with the same rights. No privilege is needed.
//
// What it does not give, against full isolation: private /tmp and /proc, hidden paths (stat and readlink are not
// restricted), namespaces. So several processes, which could signal others of the same user, are allowed only
// where Landlock can scope signals (ABI 6, kernel 6.12).
#pragma once

#include <cstdint>

#include "base/fd.h"
#include "supervisor/sandbox/sandbox.h"

namespace tally {

// 0 where the kernel has no Landlock.
int LandlockAbi();

// A ruleset for the sandbox's mounts and files. SystemError when the kernel has no Landlock.
Fd MakeLandlockRuleset(const Sandbox& sandbox);

}  // namespace tally

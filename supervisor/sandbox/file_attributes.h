// A filter for reduced isolation: what a program may write, Landlock decides by paths, but it has no right for a file's mode, owner and
// times ("Current limitations", Documentation/userspace-api/landlock.rst). So a program that may write files there may not change these of any:
// EPERM. Compilers go on without; what they make is made executable by us.
#pragma once

#include <linux/filter.h>

#include <span>

namespace tally {

std::span<const sock_filter> FileAttributesFilter();

}  // namespace tally

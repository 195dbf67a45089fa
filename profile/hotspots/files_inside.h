// Files and folders as a task that is stopped finds them, whatever its root is.
#pragma once

#include <sys/types.h>

#include <string>

#include "base/fd.h"

namespace tally {

// `path` inside, whatever links there are on the way, opened with `flags`; not valid where it cannot be.
Fd OpenInside(pid_t task, const std::string& path, int flags);

// It is a plain file of a size that can be read whole.
bool IsReadable(const Fd& file);

}  // namespace tally

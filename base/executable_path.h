// Where this process's executable lies.
#pragma once

#include <string>

namespace tally {

// As /proc/self/exe said when it was asked for the first time; "" where there is no /proc. To be asked for once before unshare(CLONE_NEWNS): the executable
// stays in the mounts of the namespace that is left, and where no process is in that any more, as in a container of one, the kernel shows a
// path that begins at a mount (fs/d_path.c, prepend_path). SystemError where /proc refuses.
const std::string& ExecutablePath();

}  // namespace tally

// What is free in a file system for ordinary users, and who must know: a program that found a disk full has not failed
// by its own fault, and nothing of what it did says anything about it.
#pragma once

#include <string>

#include "base/units.h"

namespace tally {

// Below this a write may have been refused: file systems keep some blocks for themselves.
inline constexpr Bytes kFullDisk{16 << 10};

// False also where the file system has no limit of its own, or cannot say (statvfs(3)).
bool LessIsFree(int fd, Bytes bytes);
bool LessIsFree(const std::string& path, Bytes bytes);

// SystemError (ENOSPC) unless so much fits below `folder`, with room to spare. Asked before a lot is written, so that
// what does not fit takes no room from others on the way.
void RequireSpace(const std::string& folder, Bytes bytes);

}  // namespace tally

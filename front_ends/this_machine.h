// What programs find that are run "on this machine", by tools that have no root of their own for them: its programs and libraries, and
// nothing of anybody's.
#pragma once

#include <filesystem>
#include <string>

#include "supervisor/api/root_spec.h"

namespace tally {

// Programs, libraries and their settings, devices and processes; all read-only.
RootSpec RootOfThisMachine();

// Is this folder of the machine's in there, by its own path? /bin is a link into /usr on most machines.
bool IsShown(const RootSpec& root, const std::string& folder);

// May everybody?
bool OthersMay(const std::filesystem::path& path, std::filesystem::perms what);

}  // namespace tally

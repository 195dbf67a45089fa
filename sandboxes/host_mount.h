// A path of this machine as a sandbox shows it.
#pragma once

#include <optional>
#include <string>

#include "supervisor/api/root_spec.h"

namespace tally {

// Copies the host's shape: on a merged-usr host /lib is a link to usr/lib and must be one inside too, or
// programs would see two copies of one library. nullopt: the host has no such path.
std::optional<Mount> AsOnHost(const std::string& path, const std::string& target);

}  // namespace tally

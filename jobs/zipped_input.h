// SIO's packages may keep a test's input as a zip archive with exactly one member, whatever its name: by its
// content such a file is known, and the program reads the member.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "base/units.h"

namespace tally {

// The local path of the input itself: `path`, or `unpacked`, where the member of the archive `path` now is.
// UserError names the key when the archive is damaged, has not one file in it, or one of more than `most`.
std::string UnpackedInput(std::string_view key, const std::string& path, const std::string& unpacked, std::optional<Bytes> most);

}  // namespace tally

// The zip archive of a compile job: headers and sources of a problem, which are put beside the source in the folders they have in there.
#pragma once

#include <string>
#include <string_view>

namespace tally {

// What is in `folder` already stays as it is. UserError, with `key`: the archive is damaged, a name leads out of the folder, something in it is
// neither file nor folder, or it is larger than a compilation can need (256 MiB, 10,000 files).
void UnpackSources(std::string_view key, const std::string& archive, const std::string& folder);

}  // namespace tally

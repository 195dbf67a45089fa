// Unpacks a tar archive (plain, gz, xz or zst) of a root file system. Whatever the archive says, nothing is
// written outside `folder`: names with .. or a leading slash and paths through links are refused, as are
// devices, which a sandbox's /dev mount provides. Set-id bits and owners are not taken over.
#pragma once

#include <string>

namespace tally {

// `archive_fd` is read from its start; `name` is the archive's in messages. UserError when the archive is at
// fault or the disk is full; what was unpacked until then stays for the caller to remove.
void UnpackArchive(int archive_fd, const std::string& name, const std::string& folder);

}  // namespace tally

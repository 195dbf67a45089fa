// Root file systems that were unpacked from archives, each in a folder named by the archive's SHA-256 sum:
//   $TALLY_CACHE/images/SUM, or ~/.cache/tally/images/SUM
// A folder appears whole or not at all (unpacked beside, then renamed), and only from an archive whose sum is
// right. A lock per sum keeps two processes from unpacking the same archive. Nothing is ever removed; folders
// may be deleted by hand when no program runs in them.
#pragma once

#include <string>
#include <utility>

#include "sandboxes/sandbox_spec.h"

namespace tally {

class ImageStore {
 public:
  ImageStore() = default;  // the folder is chosen when it is first needed
  explicit ImageStore(std::string folder) : folder_(std::move(folder)) {}

  // The unpacked root. UserError (with the description's place) for an absent archive, a wrong sum, an
  // archive that must not be unpacked, a cache that cannot be written.
  [[nodiscard]] std::string Unpacked(const ImageArchive& image) const;

 private:
  [[nodiscard]] std::string Folder(const ImageArchive& image) const;
  std::string folder_;
};

}  // namespace tally

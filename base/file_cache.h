// A folder in which files wait that could be made again: translations, compiled checkers. Each is known by a name that its content
// follows from.
//
// The folder and its files are the user's alone (0700, 0600); one that is not is not used. A file appears
// whole or not at all. Whoever writes one makes room for it: beyond the limit the files go that were not used
// for longest. Nothing here throws: a folder that cannot be made, a full disk and a file that vanishes mean
// that something is made again.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "base/fd.h"
#include "base/mapping.h"
#include "base/units.h"

namespace tally {

class FileCache {
 public:
  // "": none.
  explicit FileCache(const std::string& folder, Bytes most = kMost);
  static constexpr Bytes kMost = Bytes::MiB(512);

  [[nodiscard]] bool IsOpen() const { return folder_.valid(); }
  // A file's bytes, and that it was used.
  [[nodiscard]] std::optional<Mapping> Read(const std::string& name) const;
  void Write(const std::string& name, std::span<const std::uint8_t> bytes) const;

 private:
  void MakeRoom() const;

  Fd folder_;
  Bytes most_;
};

}  // namespace tally

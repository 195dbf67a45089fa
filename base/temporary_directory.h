// A folder of our own for as long as somebody needs it.
#pragma once

#include <string>
#include <string_view>

#include "base/fd.h"
#include "base/folder_tree.h"

namespace tally {

// Removed with all it holds when the owner goes; by the next owner if this one is killed. Its name says tally-job-, and its
// owner holds a lock on it (flock(2)), which ends with its last process.
class TemporaryDirectory {
 public:
  TemporaryDirectory();  // under TMPDIR or /tmp
  ~TemporaryDirectory();
  TemporaryDirectory(const TemporaryDirectory&) = delete;
  TemporaryDirectory& operator=(const TemporaryDirectory&) = delete;
  [[nodiscard]] const std::string& path() const { return path_; }
  [[nodiscard]] std::string File(std::string_view name) const { return path_ + "/" + std::string(name); }

 private:
  bool Lock();  // false: it is gone, or about to go

  std::string path_;
  Fd lock_;
};

}  // namespace tally

// A folder for what programs leave from one run to the next, as long as they may: a tmpfs of so many bytes and files, which
// no other process of this machine sees and which is gone with its owner. (What a program writes into the tmpfs of its
// sandbox is gone with its run, and a folder of the disk has no size.)
#pragma once

#include <string>

#include "base/units.h"

namespace tally {

class BoundedFolder {
 public:
  // Makes the folder. SystemError when the host refuses.
  BoundedFolder(std::string path, Bytes size);
  ~BoundedFolder();
  BoundedFolder(const BoundedFolder&) = delete;
  BoundedFolder& operator=(const BoundedFolder&) = delete;
  [[nodiscard]] const std::string& path() const { return path_; }

 private:
  std::string path_;
};

}  // namespace tally

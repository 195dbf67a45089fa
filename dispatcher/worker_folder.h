// Where a worker's instances keep their temporary files: a folder of its own below the configured one, locked as long as
// the worker or an instance of it lives. Whoever starts next removes the folders that nobody has locked any more, so a
// worker that was killed leaves nothing for long.
#pragma once

#include <string>

#include "base/fd.h"

namespace tally {

class WorkerFolder {
 public:
  // `parent` is made if it is not there. UserError when nothing can be written there.
  explicit WorkerFolder(const std::string& parent);
  ~WorkerFolder();
  WorkerFolder(const WorkerFolder&) = delete;
  WorkerFolder& operator=(const WorkerFolder&) = delete;

  [[nodiscard]] const std::string& path() const { return path_; }
  // Shared with the instances: the lock ends with the last copy.
  [[nodiscard]] int lock() const { return lock_.get(); }

 private:
  std::string path_;
  Fd lock_;
};

}  // namespace tally

// A file that appears whole or not at all: written beside its final place under a temporary name, then
// renamed. Dropping it without Commit() leaves nothing behind. Errors are the user's (UserError) when the
// path is at fault (missing folder, no permission, disk full), and name `what` and the path.
#pragma once

#include <string>
#include <string_view>

#include "base/fd.h"

namespace tally {

class AtomicFile {
 public:
  // `what` is how messages call the file: "out_file".
  AtomicFile(std::string path, std::string what);
  ~AtomicFile();
  AtomicFile(const AtomicFile&) = delete;
  AtomicFile& operator=(const AtomicFile&) = delete;

  // Open for writing; may be handed to a child.
  [[nodiscard]] int fd() const noexcept { return fd_.get(); }
  [[nodiscard]] const std::string& temporary_path() const noexcept { return temporary_; }
  void Write(std::string_view data);
  void Commit();

 private:
  [[noreturn]] void Fail(std::string_view verb, int error) const;

  std::string path_;
  std::string what_;
  std::string temporary_;
  Fd fd_;
};

// Writes `data` to `path`, atomically.
void WriteFileAtomically(const std::string& path, std::string_view data, const std::string& what);

// The same, but what is there and no file (/dev/stderr, a fifo) is written to.
void WriteFileOrStream(const std::string& path, std::string_view data, const std::string& what);

}  // namespace tally

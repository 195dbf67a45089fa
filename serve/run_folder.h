// The folder /w of a command: what is copied in, what the program makes of it, what is copied out. It is the program's, who may leave anything in
// it; so what is read afterwards is looked for inside, and no link leads out.
#pragma once

#include <cstdint>
#include <string>

#include "base/fd.h"
#include "base/temporary_directory.h"

namespace tally::serve {

class RunFolder {
 public:
  RunFolder();

  [[nodiscard]] const std::string& path() const { return path_; }
  // A new one for the next command: empty, and the program's.
  void Renew();
  // `name` is a path in it, or from /w on. UserError: it leads out, or cannot be made.
  void Write(const std::string& name, std::string_view content) const;
  void Copy(const std::string& name, int from) const;
  void Link(const std::string& name, const std::string& target) const;
  // Errno in the place of a file that is not there, or none.
  struct Opened {
    Fd file;
    int error = 0;
    std::uint64_t size = 0;
  };
  [[nodiscard]] Opened Open(const std::string& name) const;

 private:
  [[nodiscard]] Fd FolderOf(const std::string& name, std::string* last) const;
  [[nodiscard]] Fd Make(const std::string& name) const;

  TemporaryDirectory directory_;
  std::string path_;
};

}  // namespace tally::serve

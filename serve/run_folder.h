// The folder /w of a command: what is copied in, what the program makes of it, what is copied out. It is the program's, who may leave anything in
// it; so what is read afterwards is looked for inside, and no link leads out.
#pragma once

#include <sys/stat.h>

#include <cstdint>
#include <optional>
#include <string>

#include "base/fd.h"
#include "base/units.h"

namespace tally::serve {

// A command's program, if that is a file of the store: its name in /w, and the file's id.
struct StoredProgram {
  std::string name, id;
  bool operator==(const StoredProgram&) const = default;
};

class RunFolder {
 public:
  // In memory, of that size at most. For one process, which ends with it.
  explicit RunFolder(Bytes size);

  [[nodiscard]] const std::string& path() const { return path_; }
  // A new one for the next command: empty, and the program's, with times that tell nothing of the last one. But where the last command's program
  // is the next one's, too, and nobody can have changed it, that stays: a contest runs one program on many tests.
  void Renew(const std::optional<StoredProgram>& program);
  // The program of Renew, where it has not stayed. Where programs have a user of their own it is not theirs to change.
  void PlaceProgram(const StoredProgram& program, int from);
  [[nodiscard]] bool HasProgram() const { return kept_.has_value(); }
  // `name` is a path in it, or from /w on. UserError: it leads out, cannot be made, or has no room.
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

  void RequireRoom(const std::string& name, int error) const;

  [[nodiscard]] bool IsAsPlaced() const;
  [[nodiscard]] bool IsAsRenewed() const;
  void Fill(const Fd& file, const std::string& name, int from) const;

  struct Kept {
    StoredProgram program;
    struct stat placed;
  };

  Bytes size_;
  std::string path_;
  Fd folder_;  // path_'s
  std::optional<Kept> kept_;
  std::optional<struct stat> renewed_;  // of the folder
};

}  // namespace tally::serve

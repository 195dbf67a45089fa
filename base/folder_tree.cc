// Theory of operation. To go down into a tree takes a descriptor for each level, or paths that become too long, and how deep it is a program
// decides. So nothing goes down: of a folder in the top one what cannot be removed at once is moved up, beside it, and then it is empty. Each
// folder is moved once, and two descriptors are enough.
#include "base/folder_tree.h"

#include <dirent.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <memory>
#include <string_view>

#include "base/fd.h"

namespace tally {
namespace {

struct CloseFolder {
  void operator()(DIR* folder) const { ::closedir(folder); }
};

// Calls `take` with each name; what is added meanwhile may or may not be among them.
template <class Take>
void ForEachName(int folder, Take take) {
  const int own = ::openat(folder, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (own < 0) return;
  const std::unique_ptr<DIR, CloseFolder> names(::fdopendir(own));
  while (const dirent* entry = names != nullptr ? ::readdir(names.get()) : nullptr) {
    const std::string_view name = entry->d_name;
    if (name != "." && name != "..") take(entry->d_name);
  }
}

bool IsGone(int folder, const char* name) { return ::unlinkat(folder, name, 0) == 0 || (errno == EISDIR && ::unlinkat(folder, name, AT_REMOVEDIR) == 0); }

// An entry that is a folder and not empty.
Fd OpenIn(int folder, const char* name) {
  struct stat status {};
  if (::fstatat(folder, name, &status, AT_SYMLINK_NOFOLLOW) != 0 || !S_ISDIR(status.st_mode)) return Fd();
  ::fchmodat(folder, name, 0700, 0);
  return Fd(::openat(folder, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
}

class Emptier {
 public:
  explicit Emptier(int top, std::string_view kept = "") : top_(top), kept_(kept) {}

  // False: what is left cannot be removed.
  bool Empty() {
    for (;;) {
      bool is_empty = true, has_moved = false;
      ForEachName(top_, [&](const char* name) {
        if (name == kept_) return;
        if (IsGone(top_, name)) {
          has_moved = true;
          return;
        }
        is_empty = false;
        has_moved = MoveUp(name) || has_moved;
      });
      if (is_empty || !has_moved) return is_empty;
    }
  }

 private:
  // What is in that folder of the top one, and the folder itself.
  bool MoveUp(const char* name) {
    const Fd folder = OpenIn(top_, name);
    if (!folder.valid()) return false;
    bool has_moved = false;
    ForEachName(folder.get(), [&](const char* inside) {
      if (IsGone(folder.get(), inside)) {
        has_moved = true;
        return;
      }
      ::fchmodat(folder.get(), inside, 0700, 0);  // to move a folder is to write to it
      const std::string up = fmt::format("tally-up-{}", ++moved_);
      has_moved = ::renameat2(folder.get(), inside, top_, up.c_str(), RENAME_NOREPLACE) == 0 || errno == EEXIST || has_moved;
    });
    return IsGone(top_, name) || has_moved;
  }

  int top_;
  std::string_view kept_;
  std::uint64_t moved_ = 0;
};

}  // namespace

bool RemoveIn(int folder, const char* name) {
  if (IsGone(folder, name)) return true;
  const Fd inside = OpenIn(folder, name);
  if (!inside.valid()) return errno == ENOENT;
  return Emptier(inside.get()).Empty() && IsGone(folder, name);
}

void RemoveFolder(const std::string& path) { RemoveIn(AT_FDCWD, path.c_str()); }

bool EmptyFolder(const std::string& path, const std::string& kept) {
  ::chmod(path.c_str(), 0700);  // it may be closed to us like any below it
  const Fd folder(::open(path.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  return folder.valid() && Emptier(folder.get(), kept).Empty();
}

}  // namespace tally

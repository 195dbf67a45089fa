#include "base/atomic_folder.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>
#include <vector>

#include "base/error.h"
#include "base/fd.h"

namespace tally {
namespace {

namespace fs = std::filesystem;

bool IsFolder(const std::string& path) {
  struct stat status {};
  return ::stat(path.c_str(), &status) == 0 && S_ISDIR(status.st_mode);
}

[[noreturn]] void FailToMake(const std::string& path, const std::string& why) {
  throw UserError(fmt::format("{}: cannot be made: {}", path, why));
}

// Held until the descriptor is closed. The lock file stays: removing it would let two processes hold locks on two files
// of one name.
Fd Lock(const std::string& path) {
  Fd fd(::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0644));
  if (!fd.valid()) FailToMake(path, ErrnoText(errno));
  while (::flock(fd.get(), LOCK_EX) != 0) {
    if (errno != EINTR) throw SystemError("flock " + path, errno);
  }
  return fd;
}

// What a killed process left. Only called under the lock, when nobody else makes this folder.
void RemoveLeftovers(const std::string& prefix) {
  std::error_code ignored;
  std::vector<fs::path> leftovers;
  for (fs::directory_iterator it(fs::path(prefix).parent_path(), ignored), end; !ignored && it != end; it.increment(ignored)) {
    if (it->path().string().starts_with(prefix)) leftovers.push_back(it->path());
  }
  for (const fs::path& path : leftovers) fs::remove_all(path, ignored);
}

// Removed with all it holds unless it is kept.
class NewFolder {
 public:
  explicit NewFolder(const std::string& prefix) : path_(prefix + "XXXXXX") {
    if (::mkdtemp(path_.data()) == nullptr || ::chmod(path_.c_str(), 0755) != 0) FailToMake(path_, ErrnoText(errno));
  }
  ~NewFolder() {
    std::error_code ignored;
    if (!path_.empty()) fs::remove_all(path_, ignored);
  }
  NewFolder(const NewFolder&) = delete;
  NewFolder& operator=(const NewFolder&) = delete;

  [[nodiscard]] const std::string& path() const { return path_; }
  void KeepAs(const std::string& final_path) {
    if (::rename(path_.c_str(), final_path.c_str()) != 0) throw SystemError("rename to " + final_path, errno);
    path_.clear();
  }

 private:
  std::string path_;
};

}  // namespace

void MakeFolderOnce(const std::string& folder, const std::function<void(const std::string& path)>& make) {
  if (IsFolder(folder)) return;
  const std::string above = fs::path(folder).parent_path();
  std::error_code error;
  fs::create_directories(above, error);
  if (error) FailToMake(above, error.message());
  const Fd lock = Lock(folder + ".lock");
  if (IsFolder(folder)) return;  // made while we waited
  const std::string prefix = folder + ".new-";
  RemoveLeftovers(prefix);
  NewFolder made(prefix);
  make(made.path());
  made.KeepAs(folder);
}

}  // namespace tally

#include "sandboxes/image_store.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <vector>

#include "base/description_folders.h"
#include "base/error.h"
#include "base/fd.h"
#include "sandboxes/sha256.h"
#include "sandboxes/unpack.h"

namespace tally {
namespace {

constexpr std::size_t kReadBlock = 1 << 20;

// A folder that is removed with all it holds unless it is kept.
class TemporaryFolder {
 public:
  explicit TemporaryFolder(std::string pattern) : path_(std::move(pattern)) {
    if (::mkdtemp(path_.data()) == nullptr || ::chmod(path_.c_str(), 0755) != 0) {
      throw UserError(fmt::format("{}: cannot be made: {}", path_, ErrnoText(errno)));
    }
  }
  ~TemporaryFolder() {
    std::error_code ignored;
    if (!path_.empty()) std::filesystem::remove_all(path_, ignored);
  }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;

  [[nodiscard]] const std::string& path() const { return path_; }
  void KeepAs(const std::string& final_path) {
    if (::rename(path_.c_str(), final_path.c_str()) != 0) throw SystemError("rename to " + final_path, errno);
    path_.clear();
  }

 private:
  std::string path_;
};

Fd OpenArchive(const ImageArchive& image) {
  const int raw = ::open(image.path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (raw < 0) {
    throw UserError(fmt::format("{}: root.archive: {}: {}; expected a tar archive", image.place, image.path,
                                ErrnoText(errno)));
  }
  Fd fd(raw);
  struct stat status {};
  if (::fstat(fd.get(), &status) != 0) throw SystemError("fstat " + image.path, errno);
  if (!S_ISREG(status.st_mode)) {
    throw UserError(
        fmt::format("{}: root.archive: {} is not a file; expected a tar archive (for a folder write "
                    "root: {{directory: ...}})",
                    image.place, image.path));
  }
  return fd;
}

std::string SumOf(int fd, const std::string& path) {
  Sha256 sum;
  std::vector<char> buffer(kReadBlock);
  for (;;) {
    const ssize_t n = ::read(fd, buffer.data(), buffer.size());
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) throw SystemError("read " + path, errno);
    if (n == 0) return sum.Finish();
    sum.Update({buffer.data(), static_cast<std::size_t>(n)});
  }
}

// Held until the descriptor is closed. The lock file stays: removing it would let two processes hold locks
// on two files of one name.
Fd Lock(const std::string& path) {
  Fd fd(::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0644));
  if (!fd.valid()) throw UserError(fmt::format("{}: cannot be made: {}", path, ErrnoText(errno)));
  while (::flock(fd.get(), LOCK_EX) != 0) {
    if (errno != EINTR) throw SystemError("flock " + path, errno);
  }
  return fd;
}

bool IsFolder(const std::string& path) {
  struct stat status {};
  return ::stat(path.c_str(), &status) == 0 && S_ISDIR(status.st_mode);
}

// What a killed process left. Only called under the lock, when nobody else unpacks this sum.
void RemoveLeftovers(const std::string& folder, const std::string& prefix) {
  std::error_code ignored;
  std::vector<std::filesystem::path> leftovers;
  for (std::filesystem::directory_iterator it(folder, ignored), end; !ignored && it != end;
       it.increment(ignored)) {
    if (it->path().filename().string().rfind(prefix, 0) == 0) leftovers.push_back(it->path());
  }
  for (const auto& path : leftovers) std::filesystem::remove_all(path, ignored);
}

}  // namespace

std::string ImageStore::Folder(const ImageArchive& image) const {
  if (!folder_.empty()) return folder_;
  const char* chosen = std::getenv("TALLY_CACHE");
  if (chosen != nullptr && *chosen != '\0') {
    if (*chosen == '/') return fmt::format("{}/images", chosen);
    throw UserError(fmt::format("TALLY_CACHE: found \"{}\"; expected an absolute path", chosen));
  }
  if (const auto user = UserFolder("XDG_CACHE_HOME", ".cache")) return *user + "/images";
  throw UserError(
      fmt::format("{}: root.archive: no folder to unpack it into; set TALLY_CACHE or HOME", image.place));
}

std::string ImageStore::Unpacked(const ImageArchive& image) const {
  const std::string folder = Folder(image);
  const std::string unpacked = fmt::format("{}/{}", folder, image.sha256);
  if (IsFolder(unpacked)) return unpacked;

  const Fd archive = OpenArchive(image);
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  if (error) throw UserError(fmt::format("{}: cannot be made: {}", folder, error.message()));
  const Fd lock = Lock(unpacked + ".lock");
  if (IsFolder(unpacked)) return unpacked;  // made while we waited

  const std::string sum = SumOf(archive.get(), image.path);
  if (sum != image.sha256) {
    throw UserError(
        fmt::format("{}: root.sha256: {} has the sum {}; expected {}: the file has changed or is "
                    "damaged",
                    image.place, image.path, sum, image.sha256));
  }
  const std::string prefix = image.sha256 + ".unpacking-";
  RemoveLeftovers(folder, prefix);
  TemporaryFolder temporary(fmt::format("{}/{}XXXXXX", folder, prefix));
  UnpackArchive(archive.get(), image.path, temporary.path());
  temporary.KeepAs(unpacked);
  return unpacked;
}

}  // namespace tally

#include "sandboxes/image_store.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <vector>

#include "base/description_folders.h"
#include "base/error.h"
#include "base/fd.h"
#include "base/atomic_folder.h"
#include "sandboxes/sha256.h"
#include "sandboxes/unpack.h"

namespace tally {
namespace {

constexpr std::size_t kReadBlock = 1 << 20;

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
  const std::string unpacked = fmt::format("{}/{}", Folder(image), image.sha256);
  if (std::filesystem::is_directory(unpacked)) return unpacked;
  const Fd archive = OpenArchive(image);
  MakeFolderOnce(unpacked, [&](const std::string& path) {
    const std::string sum = SumOf(archive.get(), image.path);
    if (sum != image.sha256) {
      throw UserError(
          fmt::format("{}: root.sha256: {} has the sum {}; expected {}: the file has changed or is "
                      "damaged",
                      image.place, image.path, sum, image.sha256));
    }
    UnpackArchive(archive.get(), image.path, path);
  });
  return unpacked;
}

}  // namespace tally

#include "base/file_cache.h"

#include <dirent.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <ctime>
#include <filesystem>
#include <string_view>
#include <vector>

#include "base/cache_folder.h"

namespace tally {
namespace {

constexpr std::string_view kUnfinished = ".tmp-";  // the beginning of a name
constexpr std::time_t kHour = 3600;
constexpr std::time_t kDay = 24 * kHour;

Fd OpenFolder(const std::string& path) {
  if (path.empty()) return {};
  std::error_code ignored;
  std::filesystem::create_directories(std::filesystem::path(path).parent_path(), ignored);
  ::mkdir(path.c_str(), 0700);
  Fd folder(::open(path.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
  struct stat status {};
  if (!folder.valid() || ::fstat(folder.get(), &status) != 0 || !IsOursAlone(status)) return {};
  return folder;
}

bool WriteFully(int fd, std::span<const std::uint8_t> bytes) {
  while (!bytes.empty()) {
    const ssize_t n = ::write(fd, bytes.data(), bytes.size());
    if (n <= 0) return false;
    bytes = bytes.subspan(static_cast<std::size_t>(n));
  }
  return true;
}

}  // namespace

FileCache::FileCache(const std::string& folder, Bytes most)
    : folder_(OpenFolder(folder)), most_(most) {}

std::optional<Mapping> FileCache::Read(const std::string& name) const {
  if (!IsOpen()) return std::nullopt;
  const Fd file(::openat(folder_.get(), name.c_str(), O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK));
  struct stat status {};
  if (!file.valid() || ::fstat(file.get(), &status) != 0 || !S_ISREG(status.st_mode) || !IsOursAlone(status))
    return std::nullopt;
  if (status.st_size <= 0) return std::nullopt;
  const auto size = static_cast<std::size_t>(status.st_size);
  // A file that becomes shorter while it is mapped would end us; nobody makes one shorter here.
  void* const at = ::mmap(nullptr, size, PROT_READ, MAP_PRIVATE | MAP_POPULATE, file.get(), 0);
  if (at == MAP_FAILED) return std::nullopt;
  Mapping bytes(at, size);
  // Who was used last need not be known to the minute.
  if (::time(nullptr) - status.st_mtime > kHour) ::futimens(file.get(), nullptr);
  return bytes;
}

void FileCache::Write(const std::string& name, std::span<const std::uint8_t> bytes) const {
  if (!IsOpen() || bytes.size() > most_.count) return;
  const std::string unfinished = fmt::format("{}{}-{}", kUnfinished, name, ::getpid());
  const Fd file(::openat(folder_.get(), unfinished.c_str(),
                         O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600));
  if (!file.valid()) return;
  if (!WriteFully(file.get(), bytes) ||
      ::renameat(folder_.get(), unfinished.c_str(), folder_.get(), name.c_str()) != 0) {
    ::unlinkat(folder_.get(), unfinished.c_str(), 0);
    return;
  }
  MakeRoom();
}

void FileCache::MakeRoom() const {
  struct File {
    std::string name;
    std::uint64_t size;
    std::time_t used;
  };
  std::vector<File> files;
  std::uint64_t sum = 0;
  const int again = ::openat(folder_.get(), ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  DIR* const folder = again >= 0 ? ::fdopendir(again) : nullptr;
  if (folder == nullptr) return;
  while (const dirent* const entry = ::readdir(folder)) {
    struct stat status {};
    if (::fstatat(folder_.get(), entry->d_name, &status, AT_SYMLINK_NOFOLLOW) != 0 ||
        !S_ISREG(status.st_mode))
      continue;
    const bool unfinished = std::string_view(entry->d_name).starts_with(kUnfinished);
    if (unfinished && ::time(nullptr) - status.st_mtime > kDay) {  // of a process that was killed
      ::unlinkat(folder_.get(), entry->d_name, 0);
      continue;
    }
    sum += static_cast<std::uint64_t>(status.st_size);
    if (!unfinished)
      files.push_back({entry->d_name, static_cast<std::uint64_t>(status.st_size), status.st_mtime});
  }
  ::closedir(folder);
  if (sum <= most_.count) return;
  std::sort(files.begin(), files.end(), [](const File& a, const File& b) { return a.used < b.used; });
  for (const File& file : files) {
    if (sum <= most_.count / 4 * 3) return;  // so that the next ones need no room
    if (::unlinkat(folder_.get(), file.name.c_str(), 0) == 0) sum -= file.size;
  }
}

}  // namespace tally

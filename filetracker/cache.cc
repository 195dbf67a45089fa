#include "filetracker/cache.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <ctime>
#include <filesystem>
#include <vector>

#include "base/error.h"
#include "base/sys.h"

namespace tally::filetracker {
namespace {

namespace fs = std::filesystem;

constexpr std::int64_t kInUseSeconds = 600, kCleanEverySeconds = 60;
constexpr Bytes kMostKept = Bytes::MiB(10 << 10);
constexpr const char* kTemporary = ".tally-part-";

std::string FolderOf(std::string given) {
  if (!given.empty()) return given;
  if (const char* const folder = std::getenv("FILETRACKER_DIR")) return folder;
  const char* const home = std::getenv("HOME");
  if (home == nullptr) throw UserError("there is no HOME to keep files in; set FILETRACKER_DIR");
  return std::string(home) + "/.filetracker-store";
}

struct Kept {
  std::string path;
  std::uint64_t size;
  std::int64_t used;
  bool is_part;
};

std::vector<Kept> AllIn(const std::string& folder) {
  std::vector<Kept> all;
  std::error_code error;
  for (auto it = fs::recursive_directory_iterator(folder, error); !error && it != fs::recursive_directory_iterator(); it.increment(error)) {
    struct stat status {};
    if (::lstat(it->path().c_str(), &status) != 0 || !S_ISREG(status.st_mode)) continue;
    const bool is_part = it->path().filename().string().starts_with(kTemporary);
    all.push_back({it->path(), static_cast<std::uint64_t>(status.st_size), std::max(status.st_atim.tv_sec, status.st_ctim.tv_sec), is_part});
  }
  return all;
}

}  // namespace

Cache::Cache(std::string folder) : folder_(FolderOf(std::move(folder))) {
  MakeFolderOf(folder_ + "/files/x");
  MakeFolderOf(folder_ + "/locks/x");
}

void Cache::MakeFolderOf(const std::string& path) const {
  std::error_code error;
  fs::create_directories(fs::path(path).parent_path(), error);
  if (error) throw UserError(fmt::format("filetracker store {}: {}", folder_, error.message()));
}

std::optional<std::int64_t> Cache::VersionOf(const std::string& name) const {
  struct stat status {};
  if (::stat(PathOf(name).c_str(), &status) != 0 || !S_ISREG(status.st_mode)) return std::nullopt;
  return status.st_mtim.tv_sec;
}

Fd Cache::Lock(const std::string& name) const {
  const std::string path = folder_ + "/locks" + name;
  MakeFolderOf(path);
  Fd fd = sys::Open(path, O_RDWR | O_CREAT, 0644);
  while (::flock(fd.get(), LOCK_EX) != 0) {
    if (errno != EINTR) throw SystemError("lock " + path, errno);
  }
  return fd;
}

Fd Cache::Scratch() const {
  Fd fd(::open((folder_ + "/files").c_str(), O_RDWR | O_TMPFILE | O_CLOEXEC, 0600));
  if (fd.valid()) return fd;
  std::string path = folder_ + "/files/" + kTemporary + "XXXXXX";  // a file system without O_TMPFILE
  fd = Fd(::mkostemp(path.data(), O_CLOEXEC));
  if (!fd.valid()) throw SystemError("mkostemp " + path, errno);
  ::unlink(path.c_str());
  return fd;
}

Cache::NewFile::NewFile(const Cache& cache, const std::string& name) : path_(cache.PathOf(name)) {
  cache.MakeFolderOf(path_);
  temporary_ = path_.substr(0, path_.rfind('/') + 1).append(kTemporary).append("XXXXXX");
  fd_ = Fd(::mkostemp(temporary_.data(), O_CLOEXEC));
  if (!fd_.valid()) throw SystemError("mkostemp " + temporary_, errno);
}

Cache::NewFile::~NewFile() {
  if (!temporary_.empty()) ::unlink(temporary_.c_str());
}

void Cache::NewFile::Commit(std::int64_t version) {
  ::fchmod(fd_.get(), 0644);
  const timespec times[2] = {{.tv_sec = std::time(nullptr), .tv_nsec = 0}, {.tv_sec = version, .tv_nsec = 0}};
  if (::futimens(fd_.get(), times) != 0) throw SystemError("futimens " + temporary_, errno);
  if (::rename(temporary_.c_str(), path_.c_str()) != 0) throw SystemError(fmt::format("rename {} to {}", temporary_, path_), errno);
  temporary_.clear();
}

void Cache::NoteUse(const std::string& name) const {
  const timespec times[2] = {{.tv_sec = 0, .tv_nsec = UTIME_NOW}, {.tv_sec = 0, .tv_nsec = UTIME_OMIT}};
  ::utimensat(AT_FDCWD, PathOf(name).c_str(), times, 0);
}

void Cache::Remove(const std::string& name) const {
  if (::unlink(PathOf(name).c_str()) != 0 && errno != ENOENT) throw SystemError("unlink " + PathOf(name), errno);
}

void Cache::Clean(Bytes most) const {
  std::vector<Kept> all = AllIn(folder_ + "/files");
  std::uint64_t sum = 0;
  for (const Kept& one : all) sum += one.size;
  const std::int64_t now = std::time(nullptr);
  std::sort(all.begin(), all.end(), [](const Kept& a, const Kept& b) { return a.used < b.used; });
  const bool is_too_much = sum > most.count;
  for (const Kept& one : all) {
    if (now - one.used < kInUseSeconds) return;  // so have all behind it
    if (!one.is_part && (!is_too_much || sum <= most.count / 2)) continue;
    if (::unlink(one.path.c_str()) == 0) sum -= one.size;
  }
}

void Cache::CleanNowAndThen() const {
  const std::string mark = folder_ + "/locks/.cleaned";
  struct stat status {};
  if (::stat(mark.c_str(), &status) == 0 && std::time(nullptr) - status.st_mtim.tv_sec < kCleanEverySeconds) return;
  const Fd fd = sys::Open(mark, O_WRONLY | O_CREAT, 0644);
  if (::flock(fd.get(), LOCK_EX | LOCK_NB) != 0) return;  // another does it
  ::futimens(fd.get(), nullptr);
  const char* const size = std::getenv("FILETRACKER_CACHE_SIZE");
  Clean(size != nullptr ? ParseBytes(size) : kMostKept);
}

}  // namespace tally::filetracker

#include "sandboxes/unpack.h"

#include <archive.h>
#include <archive_entry.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <memory>
#include <vector>

#include "base/error.h"
#include "base/fd.h"
#include "base/sys.h"

namespace tally {
namespace {

constexpr std::size_t kReadBlock = 1 << 16;
constexpr mode_t kKeptModeBits = 0755;
constexpr mode_t kDirectoryMode = 0755;

struct FreeReader {
  void operator()(archive* reader) const { ::archive_read_free(reader); }
};
using Reader = std::unique_ptr<archive, FreeReader>;

class Unpacker {
 public:
  Unpacker(int archive_fd, const std::string& name, const std::string& folder)
      : name_(name), root_(sys::Open(folder, O_PATH | O_DIRECTORY)), reader_(::archive_read_new()) {
    ::archive_read_support_filter_gzip(reader_.get());
    ::archive_read_support_filter_xz(reader_.get());
    ::archive_read_support_filter_zstd(reader_.get());
    ::archive_read_support_format_tar(reader_.get());
    if (::lseek(archive_fd, 0, SEEK_SET) != 0) throw SystemError("lseek " + name, errno);
    if (::archive_read_open_fd(reader_.get(), archive_fd, kReadBlock) != ARCHIVE_OK) FailReading();
  }

  void Run() {
    archive_entry* entry = nullptr;
    for (;;) {
      const int status = ::archive_read_next_header(reader_.get(), &entry);
      if (status == ARCHIVE_EOF) break;
      // A warning is about a name's character set; the bytes are what we use.
      if (status != ARCHIVE_OK && status != ARCHIVE_WARN) FailReading();
      Unpack(entry);
    }
  }

 private:
  struct Place {
    Fd parent;
    std::string name;  // "" for the root itself
  };

  [[noreturn]] void FailReading() const {
    const char* reason = ::archive_error_string(reader_.get());
    throw UserError(
        fmt::format("{}: not a tar archive that can be read ({}); expected tar, tar.gz, tar.xz or "
                    "tar.zst",
                    name_, reason != nullptr ? reason : "no reason given"));
  }
  [[noreturn]] void Refuse(const std::string& path, std::string_view reason) const {
    throw UserError(fmt::format("{}: entry {}: {}", name_, path, reason));
  }
  [[noreturn]] void FailWriting(const std::string& path) const {
    throw UserError(fmt::format("{}: entry {} cannot be unpacked: {}", name_, path, ErrnoText(errno)));
  }

  std::vector<std::string> Parts(const std::string& path) const {
    if (path.empty() || path.front() == '/') Refuse(path, "an absolute name is not allowed in an image");
    std::vector<std::string> parts;
    for (std::size_t start = 0; start <= path.size();) {
      const std::size_t end = std::min(path.find('/', start), path.size());
      std::string part = path.substr(start, end - start);
      if (part == "..") Refuse(path, "a name with .. is not allowed in an image");
      if (!part.empty() && part != ".") parts.push_back(std::move(part));
      start = end + 1;
    }
    return parts;
  }

  // Opens the folder an entry goes into, one step at a time and never through a link; missing ones are made.
  Place Locate(const std::string& path) const {
    std::vector<std::string> parts = Parts(path);
    Place place{.parent = Fd(::openat(root_.get(), ".", O_PATH | O_DIRECTORY | O_CLOEXEC)), .name = ""};
    if (!place.parent.valid()) FailWriting(path);
    if (parts.empty()) return place;
    place.name = parts.back();
    parts.pop_back();
    for (const std::string& part : parts) {
      MakeDirectory(path, place.parent.get(), part, kDirectoryMode);
      Fd next(::openat(place.parent.get(), part.c_str(), O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
      if (!next.valid())
        Refuse(path, fmt::format("goes through {}, which is not a folder of the image", part));
      place.parent = std::move(next);
    }
    return place;
  }

  void Unpack(archive_entry* entry) {
    const char* raw = ::archive_entry_pathname(entry);
    if (raw == nullptr) raw = ::archive_entry_pathname_utf8(entry);
    if (raw == nullptr) Refuse("?", "its name cannot be read");
    const std::string path = raw;
    const Place place = Locate(path);
    if (const char* target = ::archive_entry_hardlink(entry)) {
      UnpackHardLink(path, place, target);
      return;
    }
    switch (::archive_entry_filetype(entry)) {
      case AE_IFDIR:
        UnpackDirectory(path, place, ::archive_entry_perm(entry));
        return;
      case AE_IFREG:
        UnpackFile(path, place, ::archive_entry_perm(entry));
        return;
      case AE_IFLNK:
        UnpackSymlink(path, place, entry);
        return;
      default:
        Refuse(path,
               "a device, pipe or socket is not allowed in an image; make the archive without it (tar "
               "--exclude=./dev/*)");
    }
  }

  // False when something of that name is there already. The mode does not depend on our umask.
  bool MakeDirectory(const std::string& path, int parent, const std::string& name, mode_t mode) const {
    if (::mkdirat(parent, name.c_str(), kDirectoryMode) != 0) {
      if (errno != EEXIST) FailWriting(path);
      return false;
    }
    if (::fchmodat(parent, name.c_str(), mode, 0) != 0) FailWriting(path);
    return true;
  }

  void UnpackDirectory(const std::string& path, const Place& place, mode_t archived_mode) const {
    // We must be able to write into it, whatever the archive says.
    const mode_t mode = (archived_mode & kKeptModeBits) | S_IRWXU;
    if (place.name.empty() || MakeDirectory(path, place.parent.get(), place.name, mode)) return;
    struct stat status {};
    if (::fstatat(place.parent.get(), place.name.c_str(), &status, AT_SYMLINK_NOFOLLOW) != 0)
      FailWriting(path);
    if (!S_ISDIR(status.st_mode)) Refuse(path, "is in the archive twice, once as a folder and once not");
    if (::fchmodat(place.parent.get(), place.name.c_str(), mode, 0) != 0) FailWriting(path);
  }

  // A later entry of the same name replaces the earlier one, as tar does.
  void MakeRoom(const std::string& path, const Place& place) const {
    if (place.name.empty()) Refuse(path, "the root of an image must be a folder");
    if (::unlinkat(place.parent.get(), place.name.c_str(), 0) != 0 && errno != ENOENT) {
      if (errno == EISDIR) Refuse(path, "is in the archive twice, once as a folder and once not");
      FailWriting(path);
    }
  }

  void UnpackFile(const std::string& path, const Place& place, mode_t mode) {
    MakeRoom(path, place);
    const Fd file(
        ::openat(place.parent.get(), place.name.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600));
    if (!file.valid()) FailWriting(path);
    const void* data = nullptr;
    std::size_t size = 0;
    la_int64_t offset = 0, length = 0;
    for (int status;
         (status = ::archive_read_data_block(reader_.get(), &data, &size, &offset)) != ARCHIVE_EOF;) {
      if (status != ARCHIVE_OK) FailReading();
      WriteAt(path, file.get(), static_cast<const char*>(data), size, offset);
      length = offset + static_cast<la_int64_t>(size);
    }
    // A sparse file may end in a hole.
    if (::ftruncate(file.get(), length) != 0 || ::fchmod(file.get(), mode & kKeptModeBits) != 0)
      FailWriting(path);
  }

  void WriteAt(const std::string& path, int fd, const char* data, std::size_t size, la_int64_t offset) const {
    while (size > 0) {
      const ssize_t n = ::pwrite(fd, data, size, offset);
      if (n < 0 && errno == EINTR) continue;
      if (n < 0) FailWriting(path);
      data += n;
      size -= static_cast<std::size_t>(n);
      offset += n;
    }
  }

  // The text of a link may be anything: it is followed inside the sandbox only.
  void UnpackSymlink(const std::string& path, const Place& place, archive_entry* entry) const {
    const char* text = ::archive_entry_symlink(entry);
    if (text == nullptr) text = ::archive_entry_symlink_utf8(entry);
    if (text == nullptr || *text == '\0') Refuse(path, "is a link without a target");
    MakeRoom(path, place);
    if (::symlinkat(text, place.parent.get(), place.name.c_str()) != 0) FailWriting(path);
  }

  void UnpackHardLink(const std::string& path, const Place& place, const std::string& target) const {
    const Place original = Locate(target);
    MakeRoom(path, place);
    if (::linkat(original.parent.get(), original.name.c_str(), place.parent.get(), place.name.c_str(), 0) !=
        0) {
      Refuse(path, fmt::format("is a link to {}, which is not in the archive before it", target));
    }
  }

  const std::string& name_;
  Fd root_;
  Reader reader_;
};

}  // namespace

void UnpackArchive(int archive_fd, const std::string& name, const std::string& folder) {
  Unpacker(archive_fd, name, folder).Run();
}

}  // namespace tally

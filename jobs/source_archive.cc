#include "jobs/source_archive.h"

#include <archive.h>
#include <archive_entry.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>
#include <memory>

#include "base/error.h"
#include "base/fd.h"
#include "base/sys.h"

namespace tally {
namespace {

constexpr std::size_t kReadBlock = 1 << 16;
constexpr std::int64_t kMostBytes = 256 << 20;
constexpr int kMostFiles = 10'000;

struct FreeReader {
  void operator()(archive* reader) const { ::archive_read_free(reader); }
};

class SourceArchive {
 public:
  SourceArchive(std::string_view key, const std::string& path, const std::string& folder)
      : key_(key), path_(path), file_(sys::Open(path, O_RDONLY)), folder_(sys::Open(folder, O_PATH | O_DIRECTORY)), reader_(::archive_read_new()) {
    ::archive_read_support_format_zip_seekable(reader_.get());  // by its table of contents, as everybody else reads it
    if (::archive_read_open_fd(reader_.get(), file_.get(), kReadBlock) != ARCHIVE_OK) Fail(Why());
  }

  void Unpack() {
    archive_entry* member = nullptr;
    for (int status; (status = ::archive_read_next_header(reader_.get(), &member)) != ARCHIVE_EOF;) {
      // A warning is about a name's character set; the bytes are what we use.
      if (status != ARCHIVE_OK && status != ARCHIVE_WARN) Fail(Why());
      if (++files_ > kMostFiles) Fail(fmt::format("there are more than {} files in it", kMostFiles));
      const char* const name = ::archive_entry_pathname(member);
      if (name == nullptr) Fail("a name in it cannot be read");
      Unpack(name, ::archive_entry_filetype(member));
    }
  }

 private:
  [[nodiscard]] std::string Why() const {
    const char* const why = ::archive_error_string(reader_.get());
    return fmt::format("not a zip archive that can be read ({})", why != nullptr ? why : "cut off");
  }
  [[noreturn]] void Fail(const std::string& why) const { throw UserError(fmt::format("{}: {}: {}", key_, path_, why)); }

  void Unpack(const std::string& name, mode_t type) {
    Fd folder(::openat(folder_.get(), ".", O_PATH | O_DIRECTORY | O_CLOEXEC));
    const std::filesystem::path path = std::filesystem::path(name);
    if (name.empty() || path.is_absolute()) Fail(fmt::format("\"{}\" leads out of the folder", name));
    std::string last;
    for (const std::filesystem::path& part : path) {
      if (part == "..") Fail(fmt::format("\"{}\" leads out of the folder", name));
      if (part.empty() || part == ".") continue;
      if (!last.empty()) folder = Below(folder.get(), last, name);
      last = part;
    }
    if (type == AE_IFDIR) {
      if (!last.empty()) Below(folder.get(), last, name);
    } else if (type == AE_IFREG && !last.empty()) {
      Write(folder.get(), last, name);
    } else {
      Fail(fmt::format("\"{}\" is neither a file nor a folder", name));
    }
  }

  // Never through a link: what is there need not be ours.
  Fd Below(int folder, const std::string& part, const std::string& name) const {
    if (::mkdirat(folder, part.c_str(), 0755) != 0 && errno != EEXIST) Fail(fmt::format("\"{}\": {}", name, ErrnoText(errno)));
    Fd below(::openat(folder, part.c_str(), O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
    if (!below.valid()) Fail(fmt::format("\"{}\" goes through \"{}\", which is no folder", name, part));
    return below;
  }

  void Write(int folder, const std::string& last, const std::string& name) {
    const Fd file(::openat(folder, last.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0644));
    if (!file.valid() && errno == EEXIST) return;
    if (!file.valid()) Fail(fmt::format("\"{}\": {}", name, ErrnoText(errno)));
    std::string block(kReadBlock, '\0');
    for (la_ssize_t n; (n = ::archive_read_data(reader_.get(), block.data(), block.size())) != 0;) {
      if (n < 0) Fail(Why());
      if ((bytes_ += n) > kMostBytes) Fail(fmt::format("unpacked it is larger than {} MiB", kMostBytes >> 20));
      sys::WriteAll(file.get(), std::string_view(block).substr(0, static_cast<std::size_t>(n)), name);
    }
  }

  std::string_view key_;
  const std::string& path_;
  Fd file_, folder_;
  std::unique_ptr<archive, FreeReader> reader_;
  std::int64_t bytes_ = 0;
  int files_ = 0;
};

}  // namespace

void UnpackSources(std::string_view key, const std::string& archive, const std::string& folder) { SourceArchive(key, archive, folder).Unpack(); }

}  // namespace tally

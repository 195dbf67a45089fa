#include "jobs/zipped_input.h"

#include <archive.h>
#include <archive_entry.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <memory>

#include "base/error.h"
#include "base/sys.h"

namespace tally {
namespace {

constexpr std::size_t kReadBlock = 1 << 16;
constexpr std::size_t kWriteBlock = 1 << 20;

struct FreeReader {
  void operator()(archive* reader) const { ::archive_read_free(reader); }
};

constexpr std::string_view kFirstMember = "PK\3\4";
constexpr std::string_view kEndOfEmpty = "PK\5\6";

std::string Magic(int fd) {
  std::string magic(4, '\0');
  const ssize_t n = ::pread(fd, magic.data(), magic.size(), 0);
  magic.resize(n > 0 ? static_cast<std::size_t>(n) : 0);
  return magic;
}

[[noreturn]] void Fail(std::string_view key, const std::string& path, const std::string& why) {
  throw UserError(
      fmt::format("{}: {}: {}; expected a plain input, or a zip archive with one", key, path, why));
}

class ZipReader {
 public:
  ZipReader(std::string_view key, const std::string& path, int fd)
      : key_(key), path_(path), reader_(::archive_read_new()) {
    // By its table of contents, as every other reader of such packages does, not by what looks like a member.
    ::archive_read_support_format_zip_seekable(reader_.get());
    if (::archive_read_open_fd(reader_.get(), fd, kReadBlock) != ARCHIVE_OK) Fail(Why());
  }

  void UnpackOnly(const std::string& to, std::optional<Bytes> most) {
    archive_entry* member = Next();
    if (member == nullptr || ::archive_entry_filetype(member) != AE_IFREG) {
      Fail("what the zip archive holds is no file");
    }
    Copy(to, most);
    if (Next() != nullptr) Fail("the zip archive holds several files");
  }

 private:
  archive_entry* Next() {
    archive_entry* member = nullptr;
    const int status = ::archive_read_next_header(reader_.get(), &member);
    if (status == ARCHIVE_EOF) return nullptr;
    // A warning is about a name's character set, and names do not matter here.
    if (status != ARCHIVE_OK && status != ARCHIVE_WARN) Fail(Why());
    return member;
  }

  // What it says of its size is its own claim; what is written is counted.
  void Copy(const std::string& to, std::optional<Bytes> most) {
    const Fd out = sys::Open(to, O_WRONLY | O_CREAT | O_EXCL, 0644);
    std::uint64_t written = 0;
    std::string block(kWriteBlock, '\0');
    for (;;) {
      const la_ssize_t n = ::archive_read_data(reader_.get(), block.data(), block.size());
      if (n < 0) Fail(Why());
      if (n == 0) return;
      written += static_cast<std::uint64_t>(n);
      if (most && written > most->count) throw UserError(fmt::format("{}: unpacked it is larger than {} (bounds.unpacked)", key_, FormatBytes(*most)));
      sys::WriteAll(out.get(), std::string_view(block).substr(0, static_cast<std::size_t>(n)), to);
    }
  }

  [[nodiscard]] std::string Why() const {
    const char* why = ::archive_error_string(reader_.get());
    return fmt::format("the zip archive is damaged: {}", why != nullptr ? why : "cut off");
  }

  [[noreturn]] void Fail(const std::string& why) const { tally::Fail(key_, path_, why); }

  std::string key_;
  std::string path_;
  std::unique_ptr<archive, FreeReader> reader_;
};

}  // namespace

std::string UnpackedInput(std::string_view key, const std::string& path, const std::string& unpacked, std::optional<Bytes> most) {
  const Fd file = sys::Open(path, O_RDONLY);
  const std::string magic = Magic(file.get());
  if (magic == kEndOfEmpty) Fail(key, path, "the zip archive is empty");
  if (magic != kFirstMember) return path;
  ZipReader(key, path, file.get()).UnpackOnly(unpacked, most);
  return unpacked;
}

}  // namespace tally

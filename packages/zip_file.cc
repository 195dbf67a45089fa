#include "packages/zip_file.h"

#include <archive.h>
#include <archive_entry.h>
#include <fcntl.h>
#include <fmt/format.h>

#include <cstdint>
#include <memory>
#include <optional>

#include "base/error.h"
#include "base/sys.h"

namespace tally {
namespace {

constexpr std::size_t kReadBlock = 1 << 16;
constexpr std::size_t kWriteBlock = 1 << 20;

struct FreeReader {
  void operator()(archive* reader) const { ::archive_read_free(reader); }
};

class ZipFile {
 public:
  ZipFile(const std::string& path, Bytes most) : path_(path), most_(most), file_(sys::Open(path, O_RDONLY)), reader_(::archive_read_new()) {
    // By its table of contents, as every other reader of such packages does.
    ::archive_read_support_format_zip_seekable(reader_.get());
    if (::archive_read_open_fd(reader_.get(), file_.get(), kReadBlock) != ARCHIVE_OK) Fail();
  }

  std::map<std::string, std::string> Unpack(const std::set<std::string>& names, const std::string& folder) {
    std::map<std::string, std::string> found;
    while (const std::optional<std::string> name = NextFile()) {
      if (!names.contains(*name)) continue;
      // Of two with one name the last counts, as for others who read such archives.
      Copy(found.emplace(*name, fmt::format("{}/{}", folder, found.size())).first->second);
    }
    return found;
  }

  // nullopt: there are no more. Then its content may be read.
  std::optional<std::string> NextFile() {
    for (;;) {
      archive_entry* member = nullptr;
      const int status = ::archive_read_next_header(reader_.get(), &member);
      if (status == ARCHIVE_EOF) return std::nullopt;
      // A warning is about a name's character set.
      if (status != ARCHIVE_OK && status != ARCHIVE_WARN) Fail();
      const char* name = ::archive_entry_pathname(member);
      if (name != nullptr && ::archive_entry_filetype(member) == AE_IFREG) return name;
    }
  }

 private:
  void Copy(const std::string& to) {
    const Fd out = sys::Open(to, O_WRONLY | O_CREAT | O_TRUNC, 0644);
    std::string block(kWriteBlock, '\0');
    for (;;) {
      const la_ssize_t n = ::archive_read_data(reader_.get(), block.data(), block.size());
      if (n < 0) Fail();
      if (n == 0) return;
      unpacked_ += static_cast<std::uint64_t>(n);
      if (unpacked_ > most_.count) throw UserError(fmt::format("{}: it unpacks to more than {}", path_, FormatBytes(most_)));
      sys::WriteAll(out.get(), std::string_view(block).substr(0, static_cast<std::size_t>(n)), to);
    }
  }

  [[noreturn]] void Fail() const {
    const char* why = ::archive_error_string(reader_.get());
    throw UserError(fmt::format("{}: this is no zip archive that can be read: {}", path_, why != nullptr ? why : "it is cut off"));
  }

  std::string path_;
  Bytes most_;
  Fd file_;
  std::unique_ptr<archive, FreeReader> reader_;
  std::uint64_t unpacked_ = 0;
};

}  // namespace

std::map<std::string, std::string> UnpackFiles(const std::string& archive, const std::set<std::string>& names, const std::string& folder, Bytes most) {
  return ZipFile(archive, most).Unpack(names, folder);
}

std::vector<std::string> FilesIn(const std::string& archive) {
  ZipFile file(archive, Bytes{0});
  std::vector<std::string> names;
  while (std::optional<std::string> name = file.NextFile()) names.push_back(std::move(*name));
  return names;
}

}  // namespace tally

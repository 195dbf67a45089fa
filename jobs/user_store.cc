#include "jobs/user_store.h"

#include <fcntl.h>
#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <vector>

#include "base/error.h"
#include "base/sys.h"

namespace tally {
namespace {

namespace fs = std::filesystem;

// A folder for each user, whatever characters are in the name; no other is "%". What is too long for one name goes on in a folder of it, which
// is none of a file's (filetracker.h).
std::string FolderOf(const std::string& user) {
  if (user.empty()) return "%";
  constexpr std::size_t kLongest = 240;  // NAME_MAX is 255
  std::string folder;
  std::size_t begin = 0;
  for (const char c : user) {
    if (folder.size() - begin >= kLongest) {
      folder += "/%";
      begin = folder.size();
    }
    const bool is_plain = std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '-' || c == '_';
    folder += is_plain ? std::string(1, c) : fmt::format("%{:02x}", static_cast<unsigned char>(c));
  }
  return folder;
}

struct StoredFile {
  fs::path path;
  fs::file_time_type put;
  std::uint64_t size;
};

// Others put and remove files at the same time: what is gone is no error.
std::vector<StoredFile> FilesIn(const fs::path& folder) {
  std::vector<StoredFile> files;
  std::error_code error;
  for (fs::recursive_directory_iterator at(folder, error), end; !error && at != end; at.increment(error)) {
    std::error_code gone;
    if (!at->is_regular_file(gone) || gone) continue;
    const StoredFile file{at->path(), at->last_write_time(gone), at->file_size(gone)};
    if (!gone) files.push_back(file);
  }
  return files;
}

}  // namespace

UserStore::UserStore(const LocalStore& store, const std::string& user, std::optional<Bytes> most)
    : files_(fmt::format("{}/users/{}", store.directory(), FolderOf(user))), most_(most) {}

FiletrackerName UserStore::Put(const FiletrackerName& name, const std::string& local_path) const {
  if (most_) {
    const Fd file = sys::Open(local_path, O_RDONLY);
    MakeRoom(Bytes{static_cast<std::uint64_t>(sys::Stat(file.get(), local_path).st_size)});
  }
  return files_.Put(name, local_path);
}

void UserStore::MakeRoom(Bytes wanted) const {
  if (wanted > *most_) throw UserError(fmt::format("the file has {}; this worker keeps {} of a user's at most (bounds.stored)", FormatBytes(wanted), FormatBytes(*most_)));
  std::vector<StoredFile> files = FilesIn(files_.directory());
  std::sort(files.begin(), files.end(), [](const StoredFile& a, const StoredFile& b) { return a.put < b.put; });
  std::uint64_t total = wanted.count;
  for (const StoredFile& file : files) total += file.size;
  for (const StoredFile& file : files) {
    if (total <= most_->count) return;
    std::error_code gone;
    fs::remove(file.path, gone);
    total -= file.size;
  }
}

}  // namespace tally

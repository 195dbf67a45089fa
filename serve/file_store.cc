#include "serve/file_store.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>

#include "base/error.h"
#include "base/folder_tree.h"
#include "base/sys.h"

namespace tally::serve {

std::string NewId() {
  std::uint64_t words[2] = {};
  if (::getrandom(words, sizeof words, 0) != sizeof words) throw SystemError("getrandom", errno);
  return fmt::format("{:016x}{:016x}", words[0], words[1]);
}

bool IsId(std::string_view text) {
  constexpr std::size_t kSize = 32;
  return text.size() == kSize && text.find_first_not_of("0123456789abcdef") == std::string_view::npos;
}

std::string FileStore::Add(const std::string& name, std::string_view content) {
  const std::string id = NewId();
  try {
    sys::WriteAll(sys::Open(PathOf(id), O_WRONLY | O_CREAT | O_EXCL, 0644).get(), content, "a file of the store");
  } catch (const SystemError&) {
    ::unlink(PathOf(id).c_str());  // half of it
    throw;
  }
  Register(id, name);
  return id;
}

std::string FileStore::FolderOf(std::size_t worker) const {
  std::string path = folder_.File(fmt::format("of-{}", worker));
  if (::mkdir(path.c_str(), 0700) != 0 && errno != EEXIST) throw SystemError("mkdir " + path, errno);
  return path;
}

void FileStore::Take(const std::string& id, std::size_t worker) {
  if (IsId(id)) ::rename((FolderOf(worker) + "/" + id).c_str(), PathOf(id).c_str());
}

void FileStore::EmptyFolderOf(std::size_t worker) { EmptyFolder(FolderOf(worker)); }

void FileStore::Register(const std::string& id, const std::string& name) {
  struct stat status {};
  if (::stat(PathOf(id).c_str(), &status) != 0) throw SystemError("stat a file of the store", errno);
  const auto size = static_cast<std::uint64_t>(status.st_size);
  if (used_ + size > most_.count) {
    ::unlink(PathOf(id).c_str());
    throw UserError(fmt::format("the store is full: it has {} of {}", FormatBytes({used_}), FormatBytes(most_)));
  }
  files_[id] = {name, size};
  used_ += size;
}

std::optional<std::string> FileStore::Read(const std::string& id) const {
  if (!Has(id)) return std::nullopt;
  return sys::ReadFile(PathOf(id));
}

bool FileStore::Remove(const std::string& id) {
  const auto found = files_.find(id);
  if (found == files_.end()) return false;
  ::unlink(PathOf(id).c_str());
  used_ -= found->second.size;
  files_.erase(found);
  return true;
}

void FileStore::Discard(const std::string& id) {
  if (IsId(id) && !Remove(id)) ::unlink(PathOf(id).c_str());
}

std::map<std::string, std::string> FileStore::All() const {
  std::map<std::string, std::string> all;
  for (const auto& [id, entry] : files_) all[id] = entry.name;
  return all;
}

}  // namespace tally::serve

#include "evaluation/request_files.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <filesystem>

#include "base/error.h"
#include "base/fd.h"
#include "base/utf8.h"

namespace tally {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kRequest = ".json", kAnswer = ".answer.json";

[[noreturn]] void FailAt(const std::string& path, int error) {
  throw UserError(fmt::format("{}: {}", path, ErrnoText(error)));
}

Fd OpenForReading(const std::string& path) {
  Fd fd(path == "-" ? ::dup(STDIN_FILENO) : ::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  struct stat status {};
  if (!fd.valid() || ::fstat(fd.get(), &status) != 0) FailAt(path, errno);
  if (S_ISDIR(status.st_mode)) FailAt(path, EISDIR);
  return fd;
}

// At most one byte more than `most`, whatever the file says of its size or becomes meanwhile.
std::string ReadSome(int fd, const std::string& path, std::uint64_t most) {
  std::string text;
  std::size_t size = 0;
  for (ssize_t n = 1; n != 0 && size <= most;) {
    text.resize(std::min<std::uint64_t>(std::max<std::size_t>(2 * size, 64 << 10), most + 1));
    n = ::read(fd, text.data() + size, text.size() - size);
    if (n < 0 && errno != EINTR) FailAt(path, errno);
    if (n > 0) size += static_cast<std::size_t>(n);
    if (n < 0) n = 1;
  }
  text.resize(size);
  text.shrink_to_fit();
  return text;
}

bool IsHidden(const fs::path& path) { return path.filename().string().starts_with('.'); }

std::string NameUnder(const fs::path& path, const fs::path& root) {
  const fs::path name = fs::absolute(path).lexically_normal().lexically_relative(fs::absolute(root).lexically_normal());
  if (name.empty() || *name.begin() == "..") {
    throw UserError(fmt::format("{}: is not in the folder {} (--root)", path.string(), root.string()));
  }
  return name.generic_string();
}

}  // namespace

std::string ReadTextFile(const std::string& path, Bytes most) {
  const std::string name = path == "-" ? "stdin" : path;
  std::string text = ReadSome(OpenForReading(path).get(), name, most.count);
  if (text.size() > most.count) {
    throw UserError(fmt::format("{}: is larger than {}, the most that a request may have", name, FormatBytes(most)));
  }
  if (const auto at = FirstInvalidUtf8(text)) {
    throw UserError(fmt::format("{}: is not UTF-8 text (byte {}), and a request holds text only", name, *at));
  }
  return text;
}

std::vector<std::string> RequestsIn(const std::string& folder) {
  std::vector<std::string> paths;
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(folder, error)) {
    const std::string name = entry.path().filename();
    if (name.ends_with(kRequest) && !name.ends_with(kAnswer) && !IsHidden(name)) paths.push_back(entry.path());
  }
  if (error) FailAt(folder, error.value());
  if (paths.empty()) throw UserError(fmt::format("{}: no requests here; they are files NAME.json", folder));
  std::sort(paths.begin(), paths.end());
  return paths;
}

std::string AnswerPath(const std::string& request, const std::string& out) {
  const fs::path path(request);
  const std::string name = path.stem().string() + std::string(kAnswer);
  return out.empty() ? (path.parent_path() / name).string() : (fs::path(out) / name).string();
}

std::vector<NamedFile> FilesAt(const std::string& path, const std::string& root) {
  std::error_code error;
  if (!fs::is_directory(path, error)) {
    return {{path, root.empty() ? fs::path(path).filename().string() : NameUnder(path, root)}};
  }
  std::vector<NamedFile> files;
  auto entry = fs::recursive_directory_iterator(path, error);
  for (; !error && entry != fs::recursive_directory_iterator(); entry.increment(error)) {
    if (IsHidden(entry->path())) {
      if (entry->is_directory()) entry.disable_recursion_pending();
    } else if (entry->is_regular_file()) {
      files.push_back({entry->path(), NameUnder(entry->path(), root.empty() ? path : root)});
    }
  }
  if (error) FailAt(path, error.value());
  std::sort(files.begin(), files.end(), [](const NamedFile& a, const NamedFile& b) { return a.name < b.name; });
  return files;
}

}  // namespace tally

#include "supervisor/machine/sorted_folders.h"

#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <cstring>
#include <string>
#include <string_view>
#include <vector>

#include "base/fd.h"
#include "supervisor/tracing/open_file.h"

namespace tally {
namespace {

constexpr std::size_t kMost = 1U << 20;  // bytes of entries at once

bool IsFolder(int fd) {
  struct stat status {};
  return ::fstat(fd, &status) == 0 && S_ISDIR(status.st_mode);
}

std::int64_t Read(int folder, std::vector<char>* entries, std::size_t size) {
  entries->resize(size);
  const long n = ::syscall(SYS_getdents64, folder, entries->data(), size);
  const std::int64_t result = n < 0 ? -errno : n;
  entries->resize(n < 0 ? 0 : static_cast<std::size_t>(n));
  return result;
}

// struct linux_dirent64: number, place, length of 16 bits, type, name.
constexpr std::size_t kLengthAt = 16, kNameAt = 19;

std::vector<char> Sorted(const std::vector<char>& entries) {
  std::vector<std::string_view> each;
  for (std::size_t at = 0; at + kNameAt < entries.size();) {
    std::uint16_t length = 0;
    std::memcpy(&length, &entries[at + kLengthAt], sizeof length);
    each.emplace_back(&entries[at], length);
    at += length;
  }
  const auto name = [](std::string_view entry) { return std::string_view(entry.data() + kNameAt); };
  std::stable_sort(each.begin(), each.end(), [&](std::string_view a, std::string_view b) { return name(a) < name(b); });
  std::vector<char> out;
  for (const std::string_view entry : each) out.insert(out.end(), entry.begin(), entry.end());
  return out;
}

}  // namespace

std::optional<std::int64_t> ListSorted(pid_t tid, const StoppedCall& call) {
  const Fd folder = OpenFileOf(tid, call.arguments[0]);
  if (!folder.valid() || !IsFolder(folder.get())) return std::nullopt;
  const off_t before = ::lseek(folder.get(), 0, SEEK_CUR);
  if (before < 0) return std::nullopt;
  std::vector<char> entries, rest;
  const std::int64_t size = Read(folder.get(), &entries, std::min<std::size_t>(static_cast<std::uint32_t>(call.arguments[2]), kMost));
  if (size <= 0) return size;
  const bool is_all = before == 0 && Read(folder.get(), &rest, kMost) == 0;
  const std::vector<char> sorted = Sorted(entries);
  if (!is_all || TryWriteTracee(tid, call.arguments[1], sorted.data(), sorted.size()) != sorted.size()) {
    ::lseek(folder.get(), before, SEEK_SET);
    return std::nullopt;
  }
  return size;
}

}  // namespace tally

#include "supervisor/machine/sorted_folders.h"

#include <dirent.h>
#include <fcntl.h>
#include <linux/magic.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/vfs.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <cstring>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/fd.h"
#include "supervisor/machine/virtual_proc.h"
#include "supervisor/resources/proc_status.h"
#include "supervisor/tracing/open_file.h"

namespace tally {
namespace {

constexpr std::size_t kMost = 1U << 20;  // bytes of entries of one folder
constexpr std::size_t kMostRests = 16;   // at one time

// The number of a folder; nothing: it is none.
std::optional<std::uint64_t> FolderAt(int fd) {
  struct stat status {};
  if (::fstat(fd, &status) != 0 || !S_ISDIR(status.st_mode)) return std::nullopt;
  return status.st_ino;
}

// To its end; nothing: it is too large, or cannot be read.
std::optional<std::vector<char>> ReadAll(int folder) {
  std::vector<char> entries, part(1U << 16);
  for (long n = 0; (n = ::syscall(SYS_getdents64, folder, part.data(), part.size())) != 0;) {
    if (n < 0 || entries.size() > kMost) return std::nullopt;
    entries.insert(entries.end(), part.begin(), part.begin() + n);
  }
  return entries;
}

// struct linux_dirent64: number, place, length of 16 bits, type, name.
constexpr std::size_t kLengthAt = 16, kNameAt = 19;

std::size_t LengthAt(const std::vector<char>& entries, std::size_t at) {
  std::uint16_t length = 0;
  std::memcpy(&length, &entries[at + kLengthAt], sizeof length);
  return length;
}

std::string_view NameOf(std::string_view entry) { return std::string_view(entry.data() + kNameAt); }

std::vector<std::string_view> Each(const std::vector<char>& entries) {
  std::vector<std::string_view> each;
  for (std::size_t at = 0; at + kNameAt < entries.size();) {
    const std::size_t length = LengthAt(entries, at);
    each.emplace_back(&entries[at], length);
    at += length;
  }
  return each;
}

// Kernels differ in what else /proc has, and which processes are there at a moment is the kernel's affair, but for the first two, init
// and the program. False: there are others.
bool KeepVirtual(std::vector<std::string_view>* proc) {
  std::erase_if(*proc, [](std::string_view entry) { return !IsListedInProc(NameOf(entry)); });
  return std::count_if(proc->begin(), proc->end(), [](std::string_view entry) { return IsNumberOfProcess(NameOf(entry)); }) <= 2;
}

bool IsProc(int folder, std::uint64_t number) {
  constexpr std::uint64_t kRootOfProc = 1;  // PROC_ROOT_INO (include/linux/proc_ns.h)
  struct statfs status {};
  return number == kRootOfProc && ::fstatfs(folder, &status) == 0 && status.f_type == PROC_SUPER_MAGIC;
}

std::vector<char> Sorted(std::vector<std::string_view> each) {
  std::stable_sort(each.begin(), each.end(), [](std::string_view a, std::string_view b) { return NameOf(a) < NameOf(b); });
  std::vector<char> out;
  for (const std::string_view entry : each) out.insert(out.end(), entry.begin(), entry.end());
  return out;
}

}  // namespace

std::optional<std::int64_t> SortedFolders::Answer(pid_t tid, const StoppedCall& call) {
  const auto& a = call.arguments;
  const Fd file = OpenFileOf(tid, a[0]);
  const auto folder = file.valid() ? FolderAt(file.get()) : std::nullopt;
  const off_t before = folder ? ::lseek(file.get(), 0, SEEK_CUR) : -1;
  if (before < 0) return std::nullopt;
  const std::pair key{static_cast<pid_t>(ProcStatusNumber(tid, "Tgid").value_or(0)), a[0] & 0xffff'ffff};
  if (before == 0) {
    const std::optional<std::vector<char>> entries = ReadAll(file.get());
    std::vector<std::string_view> each;
    if (entries) each = Each(*entries);
    const bool varies = IsProc(file.get(), *folder) && !KeepVirtual(&each);
    rests_.erase(key);
    if (rests_.size() >= kMostRests) std::erase_if(rests_, [](const auto& entry) { return entry.second.entries.empty(); });
    if (!entries || varies || rests_.size() >= kMostRests) {
      ::lseek(file.get(), 0, SEEK_SET);
      return std::nullopt;
    }
    rests_[key] = {*folder, Sorted(std::move(each))};
  }
  const auto found = rests_.find(key);
  if (found == rests_.end() || found->second.folder != *folder) return std::nullopt;
  std::vector<char>& rest = found->second.entries;
  if (rest.empty()) return 0;
  std::size_t size = 0;
  while (size < rest.size()) {
    const std::size_t next = size + LengthAt(rest, size);
    if (next > static_cast<std::uint32_t>(a[2])) break;
    size = next;
  }
  if (size == 0) return -EINVAL;
  const std::size_t written = TryWriteTracee(tid, a[1], rest.data(), size);
  if (written != size) return -EFAULT;
  rest.erase(rest.begin(), rest.begin() + static_cast<std::ptrdiff_t>(size));
  return static_cast<std::int64_t>(size);
}

}  // namespace tally

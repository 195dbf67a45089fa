#include "supervisor/resources/memory_in_use.h"

#include <fmt/format.h>
#include <sys/vfs.h>

#include <algorithm>
#include <string>
#include <string_view>

#include "base/sys.h"
#include "supervisor/resources/proc_status.h"

namespace tally {
namespace {

std::string ProcFile(pid_t process, const char* name) {
  return sys::TryReadFile(fmt::format("/proc/{}/{}", process, name)).value_or("");
}

std::uint64_t Kilobytes(std::string_view text, std::string_view field) { return NumberInStatus(text, field).value_or(0); }

// Its share of what it has in common with others (Documentation/filesystems/proc.rst, smaps_rollup); kernels before 5.15 do not
// divide it by kind.
std::uint64_t DividedKilobytes(pid_t process) {
  const std::string text = ProcFile(process, "smaps_rollup");
  const auto anonymous = NumberInStatus(text, "Pss_Anon");
  return anonymous ? *anonymous + Kilobytes(text, "Pss_File") : Kilobytes(text, "Pss");
}

}  // namespace

Bytes TmpfsInUse(pid_t process, std::span<const std::string> tmpfs) {
  std::uint64_t sum = 0;
  for (const std::string& target : tmpfs) {
    struct statfs status {};
    if (::statfs(fmt::format("/proc/{}/root{}", process, target).c_str(), &status) != 0) continue;
    sum += (status.f_blocks - status.f_bfree) * static_cast<std::uint64_t>(status.f_bsize);
  }
  return Bytes{sum};
}

InUse MemoryInUse(std::span<const pid_t> processes, std::span<const std::string> tmpfs, Bytes shared, Bytes enough) {
  if (processes.empty()) return {};
  std::uint64_t resident = 0;
  std::uint64_t tables = 0;
  for (const pid_t process : processes) {
    const std::string status = ProcFile(process, "status");
    resident += Kilobytes(status, "RssAnon") + Kilobytes(status, "RssFile");
    tables += Kilobytes(status, "VmPTE");
  }
  const Bytes others{Bytes::KiB(tables).count + shared.count + TmpfsInUse(processes.front(), tmpfs).count};
  const Bytes in_use{Bytes::KiB(resident).count + others.count};
  if (in_use <= enough || processes.size() == 1) return {in_use, processes.size() == 1};
  std::uint64_t divided = 0;
  for (const pid_t process : processes) divided += DividedKilobytes(process);
  return {Bytes{Bytes::KiB(divided).count + others.count}, true};
}

}  // namespace tally

#include "supervisor/machine/virtual_proc.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <iterator>

#include "supervisor/machine/virtual_clock.h"
#include "supervisor/machine/virtual_system.h"

namespace tally {
namespace {

struct File {
  std::string_view place;
  std::string_view text;
};

// As Linux 6.1 shows them (proc(5)): one processor, no controllers of cgroups, a root and a /proc.
constexpr File kFiles[] = {
    {"cgroups", "#subsys_name\thierarchy\tnum_cgroups\tenabled\n"},
    {"filesystems", "nodev\tproc\nnodev\ttmpfs\n"},
    {"loadavg", "0.00 0.00 0.00 1/1 1\n"},
    {"self/cgroup", "0::/\n"},
    {"self/coredump_filter", "00000033\n"},
    {"self/loginuid", "4294967295"},
    {"self/mountinfo", "1 1 0:1 / / ro,relatime - rootfs rootfs ro\n2 1 0:2 / /proc ro,nosuid,nodev,noexec,relatime - proc proc ro\n"},
    {"self/mounts", "rootfs / rootfs ro,relatime 0 0\nproc /proc proc ro,nosuid,nodev,noexec,relatime 0 0\n"},
    {"self/oom_score_adj", "0\n"},
    {"swaps", "Filename\t\t\t\tType\t\tSize\t\tUsed\t\tPriority\n"},
    {"sys/fs/file-max", "1048576\n"},
    {"sys/kernel/cap_last_cap", "40\n"},
    {"sys/kernel/hostname", "tally\n"},
    {"sys/kernel/ngroups_max", "65536\n"},
    {"sys/kernel/osrelease", "6.1.0\n"},
    {"sys/kernel/ostype", "Linux\n"},
    {"sys/kernel/pid_max", "4194304\n"},
    {"sys/kernel/threads-max", "65536\n"},
    {"sys/kernel/version", "#1 SMP\n"},
    {"sys/net/core/somaxconn", "4096\n"},
    {"sys/vm/max_map_count", "65530\n"},
    {"sys/vm/overcommit_memory", "0\n"},
    {"version", "Linux version 6.1.0 (tally) #1 SMP\n"},
};

constexpr std::string_view kListed[] = {".", "..", "cgroups", "cmdline", "cpuinfo", "filesystems", "loadavg", "meminfo", "mounts", "self", "stat", "swaps", "sys", "thread-self", "uptime", "version"};
constexpr std::string_view kSame[] = {"self", "self/cmdline", "self/comm", "self/cwd", "self/environ", "self/exe", "self/fd", "self/maps", "self/root"};

std::string MemoryText() {
  constexpr std::uint64_t kKib = kVirtualMemory.count >> 10;
  std::string out;
  for (const char* all : {"MemTotal", "MemFree", "MemAvailable"}) out += fmt::format("{:<16}{:>8} kB\n", std::string(all) + ":", kKib);
  for (const char* none : {"Buffers", "Cached", "SwapCached", "Active", "Inactive", "SwapTotal", "SwapFree", "Dirty", "Shmem", "HugePages_Total"}) {
    const bool is_number = std::string_view(none).starts_with("Huge");
    out += fmt::format("{:<16}{:>8}{}\n", std::string(none) + ":", 0, is_number ? "" : " kB");
  }
  return out + fmt::format("{:<16}{:>8} kB\n", "Hugepagesize:", 2048);
}

std::string StatText() {
  constexpr std::string_view kNone = " 0 0 0 0 0 0 0 0 0 0\n";
  return fmt::format("cpu {}cpu0{}intr 0\nctxt 0\nbtime {}\nprocesses 1\nprocs_running 1\nprocs_blocked 0\nsoftirq 0\n", kNone, kNone,
                     VirtualClock::kEpoch.count() / 1'000'000'000);
}

// A thread's name, which the program gives it (pthread_setname_np(3)).
bool IsNameOfThread(std::string_view place) {
  constexpr std::string_view kTask = "self/task/", kName = "/comm";
  if (!place.starts_with(kTask) || !place.ends_with(kName) || place.size() <= kTask.size() + kName.size()) return false;
  return IsNumberOfProcess(place.substr(kTask.size(), place.size() - kTask.size() - kName.size()));
}

}  // namespace

bool IsNumberOfProcess(std::string_view name) {
  return !name.empty() && std::all_of(name.begin(), name.end(), [](unsigned char c) { return std::isdigit(c) != 0; });
}

std::optional<std::string> PlaceInProc(std::string_view path) {
  const std::string whole = std::filesystem::path(path).lexically_normal().native();
  constexpr std::string_view kProc = "/proc/";
  // Two slashes may stand first (POSIX).
  const std::size_t begin = whole.find_first_not_of('/');
  if (begin == 0 || begin == std::string::npos) return std::nullopt;
  std::string place = whole.substr(begin - 1);
  if (place == "/proc") return "";
  if (!place.starts_with(kProc)) return std::nullopt;
  place.erase(0, kProc.size());
  if (place.ends_with('/')) place.pop_back();
  const std::size_t slash = std::min(place.find('/'), place.size());
  const std::string_view first = std::string_view(place).substr(0, slash);
  if (first == "thread-self" || IsNumberOfProcess(first)) place.replace(0, slash, "self");
  if (place == "mounts") return "self/mounts";  // a link
  return place;
}

std::optional<std::string> VirtualProcFile(std::string_view place, Nanoseconds since_start) {
  if (place == "meminfo") return MemoryText();
  if (place == "stat") return StatText();
  if (place == "uptime") return fmt::format("{0:.2f} {0:.2f}\n", static_cast<double>(since_start.count()) / 1e9);
  const auto* const found = std::find_if(std::begin(kFiles), std::end(kFiles), [&](const File& file) { return file.place == place; });
  if (found == std::end(kFiles)) return std::nullopt;
  return std::string(found->text);
}

std::string NameOfProcFile(const std::string& path) {
  constexpr std::size_t kMost = 100;
  const bool plain = std::all_of(path.begin(), path.end(), [](unsigned char c) { return std::isalnum(c) != 0 || std::string_view("/._-").find(static_cast<char>(c)) != std::string_view::npos; });
  return plain && path.size() <= kMost ? path : "a file of /proc";
}

bool IsListedInProc(std::string_view name) {
  return IsNumberOfProcess(name) || std::find(std::begin(kListed), std::end(kListed), name) != std::end(kListed);
}

bool IsSameEverywhere(std::string_view place, bool virtual_cpu, bool virtual_system) {
  if (IsNameOfThread(place) || (virtual_system && place.empty())) return true;
  return (virtual_cpu && place == "cpuinfo") || std::find(std::begin(kSame), std::end(kSame), place) != std::end(kSame);
}

}  // namespace tally

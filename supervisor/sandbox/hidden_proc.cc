#include "supervisor/sandbox/hidden_proc.h"

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <string_view>

namespace tally {
namespace {

// Numbers of processors and memory, by which runtimes size their heaps and pools, and what belongs to processes. "net" leads
// to the process's own network (empty_network.h), "mounts" to its own mounts; "sys" is what sysctl(8) reads, and read-only.
constexpr std::string_view kShown[] = {"cgroups", "cpuinfo", "filesystems", "loadavg", "meminfo", "mounts", "net",
                                       "self",    "stat",    "sys",         "thread-self", "uptime", "version"};

bool IsShown(std::string_view name) {
  const bool is_process = std::all_of(name.begin(), name.end(), [](char c) { return c >= '0' && c <= '9'; });
  return is_process || std::find(std::begin(kShown), std::end(kShown), name) != std::end(kShown);
}

// What only root may read is closed already: no program is root.
std::vector<HiddenEntry> List() {
  std::vector<HiddenEntry> out;
  std::error_code error;
  for (const auto& entry : std::filesystem::directory_iterator("/proc", error)) {
    const std::string name = entry.path().filename();
    if (IsShown(name)) continue;
    const auto rights = entry.status(error).permissions();
    const bool is_closed = !error && (rights & std::filesystem::perms::others_read) == std::filesystem::perms::none;
    if (!is_closed) out.push_back({name, entry.is_directory(error)});
  }
  return out;
}

}  // namespace

const std::vector<HiddenEntry>& HiddenInProc() {
  static const std::vector<HiddenEntry> hidden = List();
  return hidden;
}

}  // namespace tally

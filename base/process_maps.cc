#include "base/process_maps.h"

#include <fmt/format.h>

#include <cstdio>
#include <cstdlib>
#include <sstream>

#include "base/sys.h"

namespace tally {

std::vector<MapsLine> ParseMaps(const std::string& text) {
  std::vector<MapsLine> out;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    MapsLine mapping{};
    char rights[5] = "";
    int behind_offset = 0;
    int behind_inode = 0;
    std::sscanf(line.c_str(), "%lx-%lx %4s %lx%n %*s %*u%n", &mapping.begin, &mapping.end, rights, &mapping.offset,
                &behind_offset, &behind_inode);
    if (behind_inode == 0) continue;
    mapping.rights = rights;
    mapping.device_and_file = line.substr(static_cast<std::size_t>(behind_offset));
    const std::size_t name = line.find_first_not_of(' ', static_cast<std::size_t>(behind_inode));
    if (name != std::string::npos) mapping.name = line.substr(name);
    out.push_back(std::move(mapping));
  }
  return out;
}

std::vector<MapsLine> MapsOf(pid_t tid) { return ParseMaps(sys::TryReadFile(fmt::format("/proc/{}/maps", tid)).value_or("")); }

std::uint64_t HeapBegin(pid_t tid) {
  constexpr int kStartBrk = 47, kBehindName = 3;  // fields, from 1 on (proc_pid_stat(5))
  const std::string text = sys::TryReadFile(fmt::format("/proc/{}/stat", tid)).value_or("");
  const std::size_t name_end = text.rfind(')');
  if (name_end == std::string::npos) return 0;
  std::istringstream fields(text.substr(name_end + 1));
  std::string field;
  for (int i = kBehindName; i <= kStartBrk; ++i) fields >> field;
  return fields ? std::strtoull(field.c_str(), nullptr, 10) : 0;
}

}  // namespace tally

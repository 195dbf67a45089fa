#include "supervisor/machine/virtual_maps.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <string_view>

namespace tally {
namespace {

constexpr std::size_t kNameAt = 73;  // fs/proc/task_mmu.c, show_map_vma

std::string Place(const MapsLine& line) { return fmt::format("{:08x}-{:08x} {} {:08x}", line.begin, line.end, line.rights, line.offset); }

bool IsOfFile(const MapsLine& line) { return line.name.starts_with("/"); }

std::string_view VirtualName(const MapsLine& line, std::uint64_t heap) {
  if (IsOfFile(line) || line.name == "[stack]") return line.name;
  return line.name == "[heap]" && line.end > heap ? line.name : std::string_view();
}

bool IsMore(const MapsLine& before, const MapsLine& line) {
  return before.end == line.begin && before.rights == line.rights && before.name == line.name &&
         (!IsOfFile(line) || (before.device_and_file == line.device_and_file && before.offset + (before.end - before.begin) == line.offset));
}

}  // namespace

std::string MapsText(const std::vector<MapsLine>& lines) {
  std::string out;
  for (const MapsLine& line : lines) out += Place(line) + line.device_and_file + "\n";
  return out;
}

std::string VirtualMapsText(const std::vector<MapsLine>& lines, std::uint64_t heap) {
  std::vector<MapsLine> shown;
  for (MapsLine line : lines) {
    if (line.name == "[vsyscall]") continue;
    line.name = VirtualName(line, heap);
    if (!shown.empty() && IsMore(shown.back(), line)) {
      shown.back().end = line.end;
    } else {
      shown.push_back(std::move(line));
    }
  }
  std::vector<std::string> files;
  std::string out;
  for (const MapsLine& line : shown) {
    std::string what = Place(line) + " 00:00 0 ";
    if (IsOfFile(line)) {
      auto file = std::find(files.begin(), files.end(), line.device_and_file);
      if (file == files.end()) file = files.insert(files.end(), line.device_and_file);
      what = fmt::format("{} 00:01 {} ", Place(line), file - files.begin() + 1);
    }
    out += line.name.empty() ? what + "\n" : fmt::format("{:<{}}{}\n", what, kNameAt, line.name);
  }
  return out;
}

}  // namespace tally

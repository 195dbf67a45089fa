#include "profile/hotspots/perf_map.h"

#include <fcntl.h>
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <limits>

#include "base/lines.h"
#include "base/mapping.h"
#include "base/sys.h"
#include "base/words.h"
#include "profile/hotspots/files_inside.h"

namespace tally {
namespace {

constexpr std::string_view kBegins = "perf-", kEnds = ".map";

std::optional<std::uint64_t> Hexadecimal(std::string_view digits) {
  if (digits.starts_with("0x")) digits.remove_prefix(2);
  return Words(digits).Number<std::uint64_t>(16);
}

// All of them in `folder`, by their names.
std::vector<std::string> MapsIn(const Fd& folder) {
  std::vector<std::string> out;
  std::error_code error;
  for (const auto& entry : std::filesystem::directory_iterator(fmt::format("/proc/self/fd/{}", folder.get()), error)) {
    std::string name = entry.path().filename();
    if (name.starts_with(kBegins) && name.ends_with(kEnds)) out.push_back(std::move(name));
  }
  return out;
}

}  // namespace

PerfMap PerfMap::Parse(std::string_view text) {
  PerfMap map;
  for (const std::string& line : LinesOf(text)) {
    Words words(line);
    const auto begin = Hexadecimal(words.Next()), size = Hexadecimal(words.Next());
    std::string name(words.Rest());
    if (!begin || !size || *size == 0 || *size > std::numeric_limits<std::uint64_t>::max() - *begin || name.empty()) continue;
    map.pieces_.push_back({*begin, *begin + *size, std::move(name)});
  }
  std::stable_sort(map.pieces_.begin(), map.pieces_.end(), [](const Piece& a, const Piece& b) { return a.begin < b.begin; });
  return map;
}

const std::string* PerfMap::NameAt(std::uint64_t address) const {
  const auto behind = std::upper_bound(pieces_.begin(), pieces_.end(), address, [](std::uint64_t at, const Piece& piece) { return at < piece.begin; });
  if (behind == pieces_.begin()) return nullptr;
  const Piece& piece = *std::prev(behind);
  return address < piece.end ? &piece.name : nullptr;
}

void PerfMapFolder::Hold(pid_t task) {
  if (!folder_.valid()) folder_ = OpenInside(task, "/tmp", O_PATH | O_DIRECTORY);
}

std::optional<PerfMap> PerfMapFolder::Read() const {
  if (!folder_.valid()) return std::nullopt;
  const std::vector<std::string> names = MapsIn(folder_);
  if (names.size() != 1) return std::nullopt;
  // The program may have put anything there.
  const Fd file(::openat(folder_.get(), names.front().c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC));
  if (!IsReadable(file)) return std::nullopt;
  return PerfMap::Parse(sys::MapFile(file.get(), names.front()).text());
}

std::string NameInJava(std::string_view piece) {
  if (piece == "Interpreter") return "[the JVM's interpreter]";
  const std::size_t arguments = piece.find('(');
  const std::string_view before = piece.substr(0, arguments);
  const bool is_method = piece.ends_with(')') && before.find('.') != std::string_view::npos;
  if (!is_method) return "[the JVM's stubs]";
  return std::string(piece.substr(before.rfind(' ') + 1));  // without what it returns
}

}  // namespace tally

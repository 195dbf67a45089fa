#include "supervisor/resources/caught_signals.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <array>
#include <charconv>
#include <utility>

#include "base/sys.h"

namespace tally {

// The second field is the program's name, in which anything may stand, parentheses and spaces, too.
std::optional<std::uint32_t> CaughtInStat(std::string_view stat) {
  constexpr int kCaught = 34, kName = 2;
  std::size_t at = stat.rfind(')');
  for (int field = kName; field < kCaught && at != std::string_view::npos; ++field) at = stat.find(' ', at + 1);
  if (at == std::string_view::npos) return std::nullopt;
  std::uint32_t caught = 0;
  const auto [end, error] = std::from_chars(stat.data() + at + 1, stat.data() + stat.size(), caught);
  if (error != std::errc{} || end == stat.data() + stat.size()) return std::nullopt;
  return caught;
}

std::optional<std::uint32_t> CaughtSignals::Of(pid_t tid) {
  std::array<char, 2048> text{};
  ssize_t n = stat_.valid() ? ::pread(stat_.get(), text.data(), text.size(), 0) : -1;
  if (n <= 0) {  // a thread whose execve makes it its process's first has another number since
    std::optional<Fd> opened = sys::TryOpen(fmt::format("/proc/{}/stat", tid), O_RDONLY);
    if (!opened) return std::nullopt;
    stat_ = std::move(*opened);
    n = ::pread(stat_.get(), text.data(), text.size(), 0);
  }
  if (n <= 0) return std::nullopt;
  return CaughtInStat({text.data(), static_cast<std::size_t>(n)});
}

}  // namespace tally

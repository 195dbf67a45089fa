#include "supervisor/resources/sched_times.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <array>
#include <string>
#include <string_view>
#include <utility>

#include "base/sys.h"
#include "base/words.h"

namespace tally {

namespace {

// schedstat (Documentation/scheduler/sched-stats.rst): two times in nanoseconds, and how often it was given a processor. Kernels without
// these figures say 0 0 0.
std::optional<SchedTimes> TimesIn(std::string_view text) {
  Words words(text);
  const auto on_processor = words.Number<std::int64_t>(10), waiting = words.Number<std::int64_t>(10);
  if (!on_processor || !waiting || (*on_processor == 0 && words.Rest().starts_with('0'))) return std::nullopt;
  return SchedTimes{Nanoseconds(*on_processor), Nanoseconds(*waiting)};
}

std::string PathOf(pid_t task) { return fmt::format("/proc/{}/schedstat", task); }

}  // namespace

std::optional<SchedTimes> SchedTimesOf(pid_t task) { return TimesIn(sys::TryReadFile(PathOf(task)).value_or("")); }

std::optional<SchedTimes> SchedTimesFile::Of(pid_t task) {
  std::array<char, 128> text{};
  const auto read = [&] { return file_.valid() ? ::pread(file_.get(), text.data(), text.size(), 0) : -1; };
  ssize_t n = read();
  if (n <= 0) {  // another task of that number, perhaps
    std::optional<Fd> opened = sys::TryOpen(PathOf(task), O_RDONLY);
    if (!opened) return std::nullopt;
    file_ = std::move(*opened);
    n = read();
  }
  return n <= 0 ? std::nullopt : TimesIn({text.data(), static_cast<std::size_t>(n)});
}

}  // namespace tally

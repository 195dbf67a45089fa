#include "supervisor/engines/perf_counter.h"

#include <dirent.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <linux/perf_event.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <csignal>
#include <cstdint>

#include "base/error.h"
#include "base/sys.h"

namespace tally {
namespace {

constexpr std::uint64_t kSmallestPeriod = 100'000;  // below this, interrupts would slow the program down

// The types of the CPU PMUs: directories of /sys/devices that are "cpu" or list their cpus (hybrid cores:
// cpu_core, cpu_atom). Extended hardware types put them in the upper half of config (kernel 5.13).
std::vector<std::uint32_t> CpuPmuTypes() {
  std::vector<std::uint32_t> types;
  constexpr const char* kSources = "/sys/bus/event_source/devices";
  DIR* stream = ::opendir(kSources);
  if (stream == nullptr) return types;
  while (const dirent* entry = ::readdir(stream)) {
    const std::string directory = fmt::format("{}/{}", kSources, entry->d_name);
    const bool cpu = std::string_view(entry->d_name) == "cpu";
    if (!cpu && ::access((directory + "/cpus").c_str(), F_OK) != 0) continue;
    const std::optional<std::string> text = sys::TryReadFile(directory + "/type");
    std::uint32_t type = 0;
    if (text && std::from_chars(text->data(), text->data() + text->size(), type).ec == std::errc()) {
      types.push_back(type);
    }
  }
  ::closedir(stream);
  return types;
}

perf_event_attr Attributes(std::uint32_t pmu_type, std::uint64_t period) {
  perf_event_attr attr{};
  attr.type = PERF_TYPE_HARDWARE;
  attr.size = sizeof attr;
  attr.config = PERF_COUNT_HW_INSTRUCTIONS | (std::uint64_t{pmu_type} << 32);
  attr.sample_period = period;
  attr.wakeup_events = period != 0 ? 1 : 0;
  attr.disabled = 1;
  attr.inherit = 1;
  attr.enable_on_exec = 1;
  attr.exclude_kernel = 1;
  attr.exclude_hv = 1;
  attr.read_format = PERF_FORMAT_TOTAL_TIME_ENABLED | PERF_FORMAT_TOTAL_TIME_RUNNING;
  return attr;
}

perf_event_attr ClockAttributes(std::uint64_t period) {
  perf_event_attr attr = Attributes(0, period);
  attr.type = PERF_TYPE_SOFTWARE;
  attr.config = PERF_COUNT_SW_TASK_CLOCK;
  return attr;
}

Fd OpenEvent(perf_event_attr attr, pid_t process) {
  return Fd(static_cast<int>(::syscall(SYS_perf_event_open, &attr, process, -1, -1, PERF_FLAG_FD_CLOEXEC)));
}

constexpr std::uint32_t kPlain = 0;

// One hybrid type each, or the plain event where there is at most one PMU (older kernels know no other). Listed once: that takes a dozen
// system calls.
const std::vector<std::uint32_t>& TypesToOpen() {
  static const std::vector<std::uint32_t> types = [] {
    std::vector<std::uint32_t> found = CpuPmuTypes();
    return found.size() <= 1 ? std::vector<std::uint32_t>{kPlain} : found;
  }();
  return types;
}

std::string Explain(int error) {
  if (error == EACCES || error == EPERM) {
    const std::string level = sys::TryReadFile("/proc/sys/kernel/perf_event_paranoid").value_or("?");
    return fmt::format(
        "the kernel does not let this user count instructions (kernel.perf_event_paranoid is {}): as root, run "
        "`sysctl kernel.perf_event_paranoid=1`, or use counter=translator, which needs none",
        level.substr(0, level.find('\n')));
  }
  return fmt::format(
      "this machine has no hardware instruction counter ({}): cloud machines seldom have one; counter=translator "
      "counts without, exactly",
      ErrnoText(error));
}

std::optional<std::string> Probe() {
  // Without any PMU the plain event is refused at once, and nobody need list them.
  if (!OpenEvent(Attributes(kPlain, 0), 0).valid()) return Explain(errno);
  for (const std::uint32_t type : TypesToOpen()) {
    if (type != kPlain && !OpenEvent(Attributes(type, 0), 0).valid()) return Explain(errno);
  }
  return std::nullopt;
}

}  // namespace

std::optional<std::string> PerfCounter::WhyUnavailable() {
  static const std::optional<std::string> why = Probe();
  return why;
}

PerfCounter::PerfCounter(pid_t process, std::optional<Instructions> limit, unsigned tasks, PerfSource source) {
  // Each task has a period of its own; the sum passes the limit at the latest when one passes its share.
  const std::uint64_t period =
      limit ? std::max(limit->count / std::max(tasks, 1u), kSmallestPeriod) : std::uint64_t{0};
  const bool clock = source == PerfSource::kCpuTime;
  for (const std::uint32_t type : clock ? std::vector<std::uint32_t>{kPlain} : TypesToOpen()) {
    Fd event = OpenEvent(clock ? ClockAttributes(period) : Attributes(type, period), process);
    if (!event.valid()) throw SystemError(clock ? "perf_event_open(task-clock)" : "perf_event_open(instructions:u)", errno);
    if (period != 0) {
      ::fcntl(event.get(), F_SETOWN, ::getpid());
      ::fcntl(event.get(), F_SETFL, O_ASYNC | O_NONBLOCK);
    }
    events_.push_back(std::move(event));
  }
}

Measured<Instructions> SumOfFigures(std::span<const PerfFigure> figures) {
  constexpr std::uint64_t kRounding = 1000;  // ns, of clocks that are read one after the other
  Instructions sum;
  std::uint64_t enabled = 0;
  std::uint64_t running = 0;
  for (const PerfFigure& figure : figures) {
    sum.count += figure.value;
    running += figure.running;
    enabled = std::max(enabled, figure.enabled);
  }
  const std::uint64_t allowed = figures.size() > 1 ? kRounding * figures.size() : 0;
  if (running + allowed < enabled) {
    return Measured<Instructions>::Absent("the hardware counter was shared with another user (multiplexed)");
  }
  return sum;
}

Measured<Instructions> PerfCounter::Read() const {
  std::vector<PerfFigure> figures;
  for (const Fd& event : events_) {
    PerfFigure figure{};
    if (::read(event.get(), &figure, sizeof figure) != sizeof figure) {
      return Measured<Instructions>::Absent("the hardware counter could not be read");
    }
    figures.push_back(figure);
  }
  return SumOfFigures(figures);
}

}  // namespace tally

#include "supervisor/resources/cpu_clock.h"

#include <time.h>

namespace tally {
namespace {

// The clock ids of another process (kernel: include/linux/posix-timers.h, make_process_cpuclock).
constexpr unsigned kProf = 0, kVirt = 1, kSched = 2;

bool Read(pid_t process, unsigned which, Nanoseconds* out) {
  const auto id = static_cast<clockid_t>((~static_cast<unsigned>(process) << 3) | which);
  timespec time{};
  if (::clock_gettime(id, &time) != 0) return false;
  *out = std::chrono::seconds(time.tv_sec) + Nanoseconds(time.tv_nsec);
  return true;
}

}  // namespace

CpuTime CpuClocks::Split() const {
  if (all_ticks.count() <= 0 || user_ticks >= all_ticks) return {exact, Nanoseconds(0)};
  const double user_share =
      static_cast<double>(user_ticks.count()) / static_cast<double>(all_ticks.count());
  const Nanoseconds user(static_cast<std::int64_t>(static_cast<double>(exact.count()) * user_share));
  return {user, exact - user};
}

CpuClocks CpuClocks::operator-(const CpuClocks& baseline) const {
  return {exact - baseline.exact, user_ticks - baseline.user_ticks, all_ticks - baseline.all_ticks};
}

std::optional<CpuClocks> ReadCpuClocks(pid_t process) {
  CpuClocks out;
  if (!Read(process, kSched, &out.exact) || !Read(process, kVirt, &out.user_ticks) ||
      !Read(process, kProf, &out.all_ticks)) {
    return std::nullopt;
  }
  return out;
}

}  // namespace tally

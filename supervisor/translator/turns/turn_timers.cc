#include "supervisor/translator/turns/turn_timers.h"

#include <fmt/format.h>
#include <poll.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/timerfd.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <ctime>
#include <filesystem>
#include <iterator>
#include <limits>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <utility>

#include "base/sys.h"
#include "supervisor/machine/answers.h"
#include "supervisor/machine/time_calls.h"
#include "supervisor/tracing/injection.h"
#include "supervisor/tracing/open_file.h"
#include "supervisor/translator/guest/guests.h"
#include "supervisor/translator/guest/translated_run.h"

namespace tally {
namespace {

constexpr std::size_t kMostFiles = 256;  // descriptors of ours; the next ones go by the kernel's clock

constexpr std::uint64_t kCalls[] = {SYS_alarm, SYS_setitimer, SYS_getitimer, SYS_timer_create, SYS_timer_settime, SYS_timer_gettime,
                                    SYS_timer_getoverrun, SYS_timer_delete, SYS_timerfd_create, SYS_timerfd_settime, SYS_timerfd_gettime};

// A turn costs more, and there may be timers that go off without end.
constexpr Nanoseconds kShortest = std::chrono::microseconds(10);

timeval ToTimeval(Nanoseconds time) {
  return {time.count() / kNanosecondsPerSecond, time.count() % kNanosecondsPerSecond / 1000};
}

std::optional<Nanoseconds> FromTimeval(const timeval& time) { return FromTimespec({time.tv_sec, time.tv_usec * 1000}); }

// The number that MakeReadable gave a timer; 0: there is none.
std::int64_t TimerIn(pid_t tid, std::uint64_t descriptor) {
  constexpr std::string_view kBefore = "it_interval: (0, ";
  const auto text = sys::TryReadFile(fmt::format("/proc/{}/fdinfo/{}", tid, descriptor));
  const std::size_t at = text ? text->find(kBefore) : std::string::npos;
  return at == std::string::npos ? 0 : std::strtoll(text->c_str() + at + kBefore.size(), nullptr, 10);
}

}  // namespace

bool IsAboutTimers(std::uint64_t number) { return std::find(std::begin(kCalls), std::end(kCalls), number) != std::end(kCalls); }

Nanoseconds TurnTimers::Now(const Timer& timer) const {
  const std::uint64_t count = run_.counts.Instructions();
  return timer.by_cpu ? VirtualClock::CpuTime(count) : run_.machine.clock().SinceStart(count);
}

TurnTimers::Setting TurnTimers::Left(const Timer& timer) const {
  if (!timer.next) return {Nanoseconds(0), timer.interval};
  return {std::max(*timer.next - Now(timer), Nanoseconds(1)), timer.interval};
}

// Its turn may have to end before.
void TurnTimers::Set(Guest* guest, Timer* timer, const Setting& setting, bool absolute) {
  timer->expired = 0;
  timer->interval = setting.interval;
  timer->next.reset();
  if (setting.value == Nanoseconds(0)) return;
  const Nanoseconds begin = !absolute ? Now(*timer) : timer->by_date ? -VirtualClock::kEpoch : Nanoseconds(0);
  timer->next = begin + setting.value;
  if (const auto left = InstructionsLeft()) guest->LimitTurn(*left);
}

TurnTimers::Timer* TurnTimers::Find(Kind kind, pid_t process, std::int64_t id) {
  const auto found = std::find_if(timers_.begin(), timers_.end(), [&](const Timer& timer) {
    return timer.kind == kind && timer.process == process && timer.id == id;
  });
  return found == timers_.end() ? nullptr : &*found;
}

std::optional<std::int64_t> TurnTimers::Answer(Guest* guest, const StoppedCall& call) {
  const auto& a = call.arguments;
  switch (call.number) {
    case SYS_alarm: return Alarm(guest, static_cast<std::uint32_t>(a[0]));
    case SYS_setitimer: return SetInterval(guest, call);
    case SYS_getitimer: return GetInterval(*guest, call);
    case SYS_timer_create: return Create(guest, call);
    case SYS_timerfd_create: return CreateFile(guest, call);
    default: break;
  }
  const bool is_file = call.number == SYS_timerfd_settime || call.number == SYS_timerfd_gettime;
  Timer* const timer = is_file ? FileAt(guest->tid(), a[0]) : Find(Kind::kPosix, guest->process(), Int32(a[0]));
  if (timer == nullptr) return std::nullopt;
  switch (call.number) {
    case SYS_timer_settime:
    case SYS_timerfd_settime: return SetTime(guest, timer, call);
    case SYS_timer_gettime:
    case SYS_timerfd_gettime: return GetTime(*guest, *timer, a[1]);
    case SYS_timer_getoverrun: return static_cast<std::int64_t>(timer->overrun);
    default:
      timers_.remove_if([timer](const Timer& other) { return &other == timer; });
      return std::nullopt;  // timer_delete
  }
}

// setitimer(2) ---------------------------------------------------------------------------------------------

std::int64_t TurnTimers::Alarm(Guest* guest, std::uint64_t seconds) {
  const pid_t process = guest->process();
  Timer* timer = Find(Kind::kInterval, process, ITIMER_REAL);
  if (timer == nullptr) timer = &timers_.emplace_back(Timer{.kind = Kind::kInterval, .process = process, .id = ITIMER_REAL});
  const Nanoseconds before = Left(*timer).value;
  Set(guest, timer, {std::chrono::seconds(seconds), Nanoseconds(0)}, false);
  // Rounded, but what is left is never told to be nothing (kernel/time/itimer.c, alarm_setitimer).
  const std::int64_t whole = (before.count() + kNanosecondsPerSecond / 2) / kNanosecondsPerSecond;
  return before == Nanoseconds(0) ? 0 : std::max<std::int64_t>(whole, 1);
}

std::int64_t TurnTimers::GetInterval(const Guest& guest, const StoppedCall& call) {
  const std::int32_t which = Int32(call.arguments[0]);
  if (which < ITIMER_REAL || which > ITIMER_PROF) return -EINVAL;
  const Timer* const timer = Find(Kind::kInterval, guest.process(), which);
  const Setting left = timer == nullptr ? Setting{} : Left(*timer);
  return WriteAnswer(guest.tid(), call.arguments[1], itimerval{ToTimeval(left.interval), ToTimeval(left.value)});
}

std::int64_t TurnTimers::SetInterval(Guest* guest, const StoppedCall& call) {
  const auto& a = call.arguments;
  const std::int32_t which = Int32(a[0]);
  itimerval time{};
  if (a[1] != 0 && !ReadValue(guest->tid(), a[1], &time)) return -EFAULT;
  const auto value = FromTimeval(time.it_value), interval = FromTimeval(time.it_interval);
  if (which < ITIMER_REAL || which > ITIMER_PROF || !value || !interval) return -EINVAL;
  if (a[2] != 0) {
    StoppedCall old = call;
    old.arguments[1] = a[2];
    if (const std::int64_t result = GetInterval(*guest, old); result != 0) return result;
  }
  const pid_t process = guest->process();
  Timer* timer = Find(Kind::kInterval, process, which);
  if (timer == nullptr) {
    timer = &timers_.emplace_back(Timer{.kind = Kind::kInterval, .process = process, .id = which, .by_cpu = which != ITIMER_REAL});
  }
  Set(guest, timer, {*value, *interval}, false);
  return 0;
}

// timer_create(2), timerfd_create(2) -----------------------------------------------------------------------

std::optional<std::int64_t> TurnTimers::Create(Guest* guest, const StoppedCall& call) {
  const auto& a = call.arguments;
  const std::optional<ClockKind> clock = KindOfClock(Int32(a[0]));
  if (!clock) return std::nullopt;
  const std::int64_t result = guest->Make(SYS_timer_create, {CLOCK_MONOTONIC, a[1], a[2]});
  std::int32_t id = 0;
  if (result != 0 || !ReadValue(guest->tid(), a[2], &id)) return result;
  timers_.push_back({.kind = Kind::kPosix, .process = guest->process(), .id = id, .by_date = *clock == ClockKind::kDate, .by_cpu = *clock == ClockKind::kCpu});
  return result;
}

// The kernel's is armed, but for a moment that nobody lives to see, so that its interval tells which it is (proc(5), fdinfo).
void TurnTimers::MakeReadable(const Timer& timer, const Fd& file, bool readable) {
  constexpr std::int64_t kNever = 1LL << 32;  // seconds
  const itimerspec time{{0, timer.id}, {readable ? 0 : kNever, 1}};
  ::timerfd_settime(file.get(), TFD_TIMER_ABSTIME, &time, nullptr);
  pollfd now{file.get(), POLLIN, 0};
  if (readable) ::poll(&now, 1, 1000);  // at once, but the interrupt has to come
}

std::optional<std::int64_t> TurnTimers::CreateFile(Guest* guest, const StoppedCall& call) {
  const auto& a = call.arguments;
  const std::optional<ClockKind> clock = KindOfClock(Int32(a[0]));
  if (files_ % kMostFiles == kMostFiles - 1) ForgetClosed();
  const auto files = std::count_if(timers_.begin(), timers_.end(), [](const Timer& timer) { return timer.kind == Kind::kFile; });
  if (!clock || *clock == ClockKind::kCpu || static_cast<std::size_t>(files) >= kMostFiles) return std::nullopt;
  const std::int64_t result = guest->Make(SYS_timerfd_create, {CLOCK_MONOTONIC, a[1]});
  if (result < 0) return result;
  Timer& timer = timers_.emplace_back(
      Timer{.kind = Kind::kFile, .process = guest->process(), .id = ++files_, .by_date = *clock == ClockKind::kDate});
  timer.seen_at = {guest->process(), static_cast<std::uint64_t>(result)};
  const Fd file = OpenFileOf(guest->tid(), timer.seen_at.descriptor);
  if (!file.valid()) {
    timers_.pop_back();
    (void)guest->Make(SYS_close, {static_cast<std::uint64_t>(result)});
    return std::nullopt;
  }
  MakeReadable(timer, file, false);
  return result;
}

TurnTimers::Timer* TurnTimers::FileAt(pid_t tid, std::uint64_t descriptor) {
  const std::int64_t id = TimerIn(tid, static_cast<std::uint32_t>(descriptor));
  const auto found = std::find_if(timers_.begin(), timers_.end(), [&](const Timer& timer) { return timer.kind == Kind::kFile && timer.id == id; });
  if (found == timers_.end()) return nullptr;
  found->seen_at = {tid, static_cast<std::uint32_t>(descriptor)};
  return &*found;
}

std::int64_t TurnTimers::GetTime(const Guest& guest, const Timer& timer, std::uint64_t address) {
  const Setting left = Left(timer);
  return WriteAnswer(guest.tid(), address, itimerspec{ToTimespec(left.interval), ToTimespec(left.value)});
}

std::int64_t TurnTimers::SetTime(Guest* guest, Timer* timer, const StoppedCall& call) {
  const auto& a = call.arguments;
  itimerspec time{};
  if (!ReadValue(guest->tid(), a[2], &time)) return -EFAULT;
  const auto value = FromTimespec(time.it_value), interval = FromTimespec(time.it_interval);
  if (!value || !interval) return -EINVAL;
  if (a[3] != 0) {
    if (const std::int64_t result = GetTime(*guest, *timer, a[3]); result != 0) return result;
  }
  Set(guest, timer, {*value, *interval}, (a[1] & TIMER_ABSTIME) != 0);
  if (timer->kind == Kind::kFile) MakeReadable(*timer, OpenFileOf(guest->tid(), a[0]), false);
  return 0;
}

std::optional<std::uint64_t> TurnTimers::TakeExpirations(const Guest& guest, std::uint64_t descriptor) {
  Timer* const timer = FileAt(guest.tid(), descriptor);
  if (timer == nullptr) return std::nullopt;
  if (timer->expired != 0) MakeReadable(*timer, OpenFileOf(guest.tid(), descriptor), false);
  return std::exchange(timer->expired, 0);
}

// We have none of them open, or the kernel would think that the program has.
Fd TurnTimers::FileOf(Timer* timer) const {
  if (TimerIn(timer->seen_at.tid, timer->seen_at.descriptor) != timer->id) {
    const std::map<std::int64_t, Place> open = OpenTimers();
    const auto found = open.find(timer->id);
    if (found == open.end()) return {};
    timer->seen_at = found->second;
  }
  return OpenFileOf(timer->seen_at.tid, timer->seen_at.descriptor);
}

void TurnTimers::ForgetClosed() {
  const std::map<std::int64_t, Place> open = OpenTimers();
  timers_.remove_if([&](const Timer& timer) { return timer.kind == Kind::kFile && !open.contains(timer.id); });
}

std::map<std::int64_t, TurnTimers::Place> TurnTimers::OpenTimers() const {
  std::map<std::int64_t, Place> open;
  std::set<pid_t> seen;
  for (const auto& [tid, guest] : guests_.all()) {
    if (!seen.insert(guest->process()).second) continue;
    std::error_code error;  // it may be at its end
    for (const auto& entry : std::filesystem::directory_iterator(fmt::format("/proc/{}/fd", tid), error)) {
      if (std::filesystem::read_symlink(entry.path(), error) != "anon_inode:[timerfd]") continue;
      const Place place{tid, std::strtoull(entry.path().filename().c_str(), nullptr, 10)};
      if (const std::int64_t id = TimerIn(place.tid, place.descriptor); id != 0) open.emplace(id, place);
    }
  }
  return open;
}

// Going off ------------------------------------------------------------------------------------------------

bool TurnTimers::TellOverrun(pid_t process, siginfo_t* info) {
  if (info->si_code != SI_TIMER) return false;
  Timer* const timer = Find(Kind::kPosix, process, info->si_timerid);
  if (timer == nullptr) return false;
  timer->overrun = std::exchange(timer->expired, 0);
  info->si_overrun = static_cast<int>(std::min<std::uint64_t>(timer->overrun, std::numeric_limits<int>::max()));
  return true;
}

// Has nobody taken its last signal yet? For the process, or for a thread.
bool TurnTimers::IsOnItsWay(const Timer& timer) const {
  constexpr std::int32_t kAtOnce = 32;
  constexpr std::uint64_t kMost = 1024;  // a program may have queued as many as it likes
  std::array<siginfo_t, kAtOnce> pending{};
  const auto is_among = [&](pid_t tid, std::uint32_t flags) {
    __ptrace_peeksiginfo_args which{.off = 0, .flags = flags, .nr = kAtOnce};
    for (long n = kAtOnce; n == kAtOnce && which.off < kMost; which.off += kAtOnce) {
      n = ::ptrace(PTRACE_PEEKSIGINFO, tid, &which, pending.data());
      for (long i = 0; i < n; ++i) {
        const siginfo_t& info = pending[static_cast<std::size_t>(i)];
        if (info.si_code == SI_TIMER && info.si_timerid == timer.id) return true;
      }
    }
    return false;
  };
  bool of_process = false;  // looked at
  for (const auto& [tid, guest] : guests_.all()) {
    if (guest->process() != timer.process) continue;
    if (!std::exchange(of_process, true) && is_among(tid, PTRACE_PEEKSIGINFO_SHARED)) return true;
    if (is_among(tid, 0)) return true;
  }
  return false;
}

std::optional<bool> TurnTimers::Tell(Timer* timer, std::uint64_t times, const Standing& standing) {
  if (timer->kind == Kind::kFile) {
    const Fd file = FileOf(timer);
    if (!file.valid()) {
      timer->interval = Nanoseconds(0);  // closed
      return false;
    }
    timer->expired += times;
    MakeReadable(*timer, file, true);
    return true;
  }
  Guest* const guest = standing(timer->process);
  if (guest == nullptr) return std::nullopt;
  const bool is_posix = timer->kind == Kind::kPosix;
  if (is_posix && IsOnItsWay(*timer)) {
    timer->expired += times;
    return false;
  }
  guest->ActAsYourself();
  // Both kinds of times begin with the interval, of two words.
  if (!is_posix && timer->id != ITIMER_REAL) {
    const std::int64_t process = guest->Make(SYS_getpid, {});
    (void)guest->Make(SYS_kill, {static_cast<std::uint64_t>(process), static_cast<std::uint64_t>(timer->id == ITIMER_PROF ? SIGPROF : SIGVTALRM)});
    return true;
  }
  for (unsigned word = 0; word < 3; ++word) guest->SetScratch(word, 0);
  guest->SetScratch(3, 1);
  const auto id = static_cast<std::uint64_t>(timer->id);
  if (is_posix) {
    (void)guest->Make(SYS_timer_settime, {id, TIMER_ABSTIME, guest->scratch(), 0});
  } else {
    (void)guest->Make(SYS_setitimer, {id, guest->scratch(), 0});
  }
  timer->expired = times - 1;
  constexpr int kPatience = 1000;  // calls; at once, but the interrupt has to come
  for (int i = 0; i < kPatience; ++i) {
    const std::int64_t result = guest->Make(is_posix ? SYS_timer_gettime : SYS_getitimer, {id, guest->scratch()});
    if (result != 0 || (guest->Scratch(2) == 0 && guest->Scratch(3) == 0)) break;
  }
  return true;
}

bool TurnTimers::GoOff(const Standing& standing) {
  bool any = false;
  for (Timer& timer : timers_) {
    if (sys::MonotonicNow() >= run_.return_by) break;  // there may be many; the others go off before anybody has a turn
    const Nanoseconds now = Now(timer);
    if (!timer.next || *timer.next > now) continue;
    const std::int64_t times = 1 + (timer.interval.count() != 0 ? (now - *timer.next) / timer.interval : 0);
    try {
      const std::optional<bool> told = Tell(&timer, static_cast<std::uint64_t>(times), standing);
      if (!told) continue;
      any = *told || any;
    } catch (const TaskIsGone&) {
      continue;  // killed meanwhile
    }
    if (timer.interval.count() != 0) {
      *timer.next += times * timer.interval;
    } else {
      timer.next.reset();
    }
  }
  return any;
}

std::optional<Nanoseconds> TurnTimers::NextMoment() const {
  std::optional<Nanoseconds> first;
  for (const Timer& timer : timers_) {
    if (timer.by_cpu || !timer.next || *timer.next <= Now(timer)) continue;
    if (!first || *timer.next < *first) first = timer.next;
  }
  return first;
}

std::optional<std::uint64_t> TurnTimers::InstructionsLeft() const {
  std::optional<std::uint64_t> least;
  for (const Timer& timer : timers_) {
    if (!timer.next) continue;
    const std::int64_t left = 2 * std::max((*timer.next - Now(timer)), kShortest).count();
    least = std::min(least.value_or(~0ULL), static_cast<std::uint64_t>(left));
  }
  return least;
}

void TurnTimers::Prune() {
  timers_.remove_if([&](const Timer& timer) { return timer.kind != Kind::kFile && !guests_.HasOfProcess(timer.process); });
}

void TurnTimers::ForgetMade(pid_t process) {
  timers_.remove_if([process](const Timer& timer) { return timer.kind == Kind::kPosix && timer.process == process; });
}

}  // namespace tally

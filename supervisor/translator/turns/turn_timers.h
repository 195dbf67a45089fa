// Timers of tasks that take turns (turns.h): alarm(2), setitimer(2), timer_create(2) and timerfd_create(2) by the virtual clock.
//
// Theory of operation. The kernel has the timers that the program made by timer_create and timerfd_create, never armed but at the
// moment, between two turns, at which they are to go off: then at once. So their signals, with all that is in them, and who finds a
// descriptor readable are its affair. When that moment is, how long it is until then, and what read(2) says of a descriptor, is ours.
// A turn is no longer than the time until the first of them.
#pragma once

#include <sys/types.h>

#include <csignal>
#include <cstdint>
#include <functional>
#include <list>
#include <map>
#include <optional>

#include "base/fd.h"
#include "base/units.h"
#include "supervisor/tracing/tracee.h"

namespace tally {

class Guest;
class Guests;
struct TranslatedRun;

// One of the calls above, or of those about what they made?
bool IsAboutTimers(std::uint64_t number);

class TurnTimers {
 public:
  TurnTimers(TranslatedRun* run, const Guests* guests) : run_(*run), guests_(*guests) {}

  // The result of a call that IsAboutTimers, in front of which `guest` stands; nothing: the kernel's.
  std::optional<std::int64_t> Answer(Guest* guest, const StoppedCall& call);
  // How often the timer at `descriptor` has gone off since this was asked last; nothing: that is no timer of ours.
  std::optional<std::uint64_t> TakeExpirations(const Guest& guest, std::uint64_t descriptor);
  // A signal of the process comes: if it is that of a timer, how often that went off meanwhile is put there (timer_create(2)). True: it is.
  bool TellOverrun(pid_t process, siginfo_t* info);

  // Those whose moment has come go off. `standing`: a task of the process that stands still; nullptr: there is none.
  // True: somebody may have a signal, or something to read.
  using Standing = std::function<Guest*(pid_t process)>;
  bool GoOff(const Standing& standing);
  // The first moment that has not come yet, since the start, of those that do not go by the processor's time.
  [[nodiscard]] std::optional<Nanoseconds> NextMoment() const;
  // Until the first of all goes off while somebody executes.
  [[nodiscard]] std::optional<std::uint64_t> InstructionsLeft() const;
  // Those of processes that are gone are gone.
  void Prune();
  // It executes another program.
  void ForgetMade(pid_t process);

 private:
  enum class Kind : std::uint8_t { kInterval, kPosix, kFile };
  struct Place {
    pid_t tid = 0;
    std::uint64_t descriptor = 0;
  };
  struct Timer {
    Kind kind;
    pid_t process;     // that has it; of a file: that made it
    std::int64_t id;   // which of setitimer(2); the kernel's number; a number of ours
    bool by_date = false, by_cpu = false;
    std::optional<Nanoseconds> next{};  // since the start, or of CPU time
    Nanoseconds interval{0};
    std::uint64_t expired = 0;  // of a file: so often and not read yet; else: beyond the one that was told
    std::uint64_t overrun = 0;  // the latter, when its signal came last
    Place seen_at{};  // of a file: where it was open last
  };
  struct Setting {
    Nanoseconds value{0}, interval{0};
  };

  std::int64_t Alarm(Guest* guest, std::uint64_t seconds);
  std::int64_t SetInterval(Guest* guest, const StoppedCall& call);
  std::int64_t GetInterval(const Guest& guest, const StoppedCall& call);
  std::optional<std::int64_t> Create(Guest* guest, const StoppedCall& call);
  std::optional<std::int64_t> CreateFile(Guest* guest, const StoppedCall& call);
  std::int64_t SetTime(Guest* guest, Timer* timer, const StoppedCall& call);
  std::int64_t GetTime(const Guest& guest, const Timer& timer, std::uint64_t address);

  [[nodiscard]] Nanoseconds Now(const Timer& timer) const;
  [[nodiscard]] Setting Left(const Timer& timer) const;
  void Set(Guest* guest, Timer* timer, const Setting& setting, bool absolute);
  Timer* Find(Kind kind, pid_t process, std::int64_t id);
  Timer* FileAt(pid_t tid, std::uint64_t descriptor);
  // Nothing: nobody of its process can be told now. False: it was told before, and nothing is new.
  std::optional<bool> Tell(Timer* timer, std::uint64_t times, const Standing& standing);
  void ForgetClosed();
  // Not valid: nobody has it open any more.
  Fd FileOf(Timer* timer) const;
  [[nodiscard]] std::map<std::int64_t, Place> OpenTimers() const;
  [[nodiscard]] bool IsOnItsWay(const Timer& timer) const;
  static void MakeReadable(const Timer& timer, const Fd& file, bool readable);

  TranslatedRun& run_;
  const Guests& guests_;
  std::list<Timer> timers_;
  std::int64_t files_ = 0;  // made so far
};

}  // namespace tally

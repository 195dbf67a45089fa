// System calls by which tasks wait for each other, or for a moment, where they take turns (turns.h): futex(2) is answered here, sleep is a moment
// of the virtual clock, and what only the kernel knows (pipes, children, signals) it is asked without waiting.
//
//   turn_calls.cc        which calls, signals that end a wait, sleep, children
//   turn_calls_futex.cc  futex(2), and the locks of those that end
//   turn_calls_files.cc  reading, writing, and waiting for either
#pragma once

#include <sys/types.h>

#include <array>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/units.h"
#include "supervisor/resources/proc_status.h"
#include "supervisor/tracing/tracee.h"
#include "supervisor/translator/turns/futexes.h"
#include "supervisor/translator/turns/turn_timers.h"
#include "supervisor/translator/turns/turns.h"

namespace tally {

class Guest;
class Guests;
struct TranslatedRun;

// Does a task stop in front of a system call of this number; nothing: a number that is not known before it is made?
bool MayConcernOthers(std::optional<std::uint32_t> number);

class TurnCalls {
 public:
  TurnCalls(TranslatedRun* run, const Guests* guests, Turns* turns, TurnTimers* timers)
      : run_(*run), guests_(*guests), turns_(*turns), timers_(*timers) {}

  enum class Outcome : std::uint8_t {
    kGoes,      // the call is the kernel's, which does not let it wait
    kAnswered,  // it goes on behind the call
    kWaits,     // its turn is over
  };
  // The current task stands in front of a call, for the first time or once more. `in_truth`: nobody else can go on, so that it
  // may wait.
  Outcome Handle(Guest* guest, bool in_truth);
  // Does it stand in front of a call, for which it waited?
  [[nodiscard]] bool HasWaited(pid_t task) const { return waits_.contains(task); }

  // The files that the program has from outside, as it begins.
  void NoteOutside(pid_t task);
  // What came from outside, and when, decided who went on.
  [[nodiscard]] bool waited_outside() const { return waited_outside_; }

  // Does anybody wait for what comes from outside?
  [[nodiscard]] bool IsOutsideAwaited() const;
  // Waits for it in truth, so long at most. True: something has come.
  bool AwaitOutside(Nanoseconds longest);

  // It stands at its exit, with its memory.
  void AtEnd(const Guest& guest);
  // It is gone: tasks that wait for that, or for a lock that it held, go on.
  void Ended(pid_t task);
  // It is gone, or executes another program.
  void Forget(pid_t task);
  // Those that wait and have a signal to handle go on.
  void SeeSignals();
  void ExpectSignals() { signals_sent_ = true; }
  // Has somebody sent a signal since it was last asked? Whom it kills leaves before that is told.
  bool TakeMayHaveKilled() { return std::exchange(may_have_killed_, false); }

 private:
  struct Awaited {
    std::uint64_t descriptor = 0;
    short events = 0;  // as for poll(2)
  };
  struct Wait {
    std::optional<Nanoseconds> until;
    std::optional<std::uint64_t> mask;  // of the signals that it blocks meanwhile, where the call says so
    bool interrupted = false;
    bool anew = false;       // by a signal that is no more
    std::optional<std::uint64_t> caught;  // signals that end it where what it waits for is not there yet
    bool inherits = false;   // for a lock of priority inheritance, at `address`
    std::uint64_t address = 0;
    bool asked = false;      // a file, how long to wait for it
    std::string file;        // its name then
    std::uint64_t done = 0;  // bytes, of a call in parts
    std::vector<Awaited> outside;  // what may become ready by what others than the program's tasks do
  };
  // What wakes others at an end.
  struct Ending {
    std::uint32_t number = 0;  // of the task, as the program sees it
    std::vector<FutexWord> words;
  };

  Outcome HandleCall(Guest* guest, const StoppedCall& call, bool in_truth);
  Outcome Interrupt(Guest* guest, const StoppedCall& call, const Wait& wait, std::uint64_t caught);
  static std::uint64_t Deliverable(const SignalSets& sets, std::uint64_t taken = 0);
  [[nodiscard]] std::optional<SignalSets> SignalsOf(pid_t task) const;
  [[nodiscard]] Nanoseconds Now() const;

  Outcome Answer(Guest* guest, std::int64_t result);
  Outcome Until(Guest* guest, std::optional<Nanoseconds> moment);
  // `outside`: what it waits for may come from there.
  Outcome Again(Guest* guest, std::optional<Nanoseconds> moment, bool outside);

  Outcome Sleep(Guest* guest, const StoppedCall& call);
  Outcome WaitForChild(Guest* guest, const StoppedCall& call, bool in_truth);
  Outcome WaitForSignal(Guest* guest, const StoppedCall& call, bool in_truth);
  Outcome WaitForTimedSignal(Guest* guest, const StoppedCall& call, bool in_truth);

  Outcome Futex(Guest* guest, const StoppedCall& call);
  Outcome AnswerWoken(Guest* guest);
  Outcome FutexWait(Guest* guest, const StoppedCall& call, FutexWord word);
  std::optional<std::int64_t> FutexWakeOp(Guest* guest, const StoppedCall& call, FutexWord word, FutexWord second);
  Outcome FutexLock(Guest* guest, const StoppedCall& call, FutexWord word);
  Outcome FutexUnlock(Guest* guest, const StoppedCall& call, FutexWord word);
  std::uint64_t TakenByFirst(const Guest& guest);
  [[nodiscard]] bool IsThere(std::uint32_t number) const;
  std::int64_t HandOver(pid_t task, std::uint64_t address, FutexWord word, std::uint32_t bits);
  std::size_t Wake(FutexWord word, std::size_t most, std::uint32_t bits);
  [[nodiscard]] static FutexWord WordAt(const Guest& guest, std::uint64_t address, bool is_private);

  // Tells the program how long it would have waited still.
  void TellTimeLeft(pid_t task, const StoppedCall& call, std::optional<Nanoseconds> until) const;
  [[nodiscard]] static bool MayMakeWait(std::string_view name);
  [[nodiscard]] bool IsOutside(const std::string& name) const;
  [[nodiscard]] std::vector<Awaited> OutsideOf(pid_t task, const StoppedCall& call) const;
  Outcome WaitForFiles(Guest* guest, const StoppedCall& call, bool in_truth);
  Outcome UseFile(Guest* guest, const StoppedCall& call, bool in_truth);
  std::optional<std::int64_t> MakePart(const Guest& guest, const StoppedCall& call, bool is_socket);
  std::optional<Outcome> ReadTimer(Guest* guest, const StoppedCall& call);
  [[nodiscard]] std::optional<Nanoseconds> Patience(Guest* guest, const StoppedCall& call, bool is_socket) const;

  TranslatedRun& run_;
  const Guests& guests_;
  Turns& turns_;
  TurnTimers& timers_;
  Futexes futexes_;
  std::map<pid_t, Wait> waits_;
  std::map<pid_t, Ending> endings_;
  bool signals_sent_ = false;
  bool may_have_killed_ = false;
  std::array<std::string, 3> outside_;
  bool waited_outside_ = false;
};

}  // namespace tally

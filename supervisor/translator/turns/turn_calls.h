// System calls by which tasks wait for each other, or for a moment, where they take turns (turns.h): futex(2) is answered here, sleep is a moment
// of the virtual clock, and what only the kernel knows (pipes, children, signals) it is asked without waiting.
#pragma once

#include <sys/types.h>

#include <array>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>

#include "base/units.h"
#include "supervisor/tracing/tracee.h"
#include "supervisor/translator/turns/futexes.h"
#include "supervisor/translator/turns/turn_timers.h"
#include "supervisor/translator/turns/turns.h"

namespace tally {

class Guest;
struct TranslatedRun;

// Does a task stop in front of a system call of this number; nothing: a number that is not known before it is made?
bool MayConcernOthers(std::optional<std::uint32_t> number);

class TurnCalls {
 public:
  TurnCalls(TranslatedRun* run, Turns* turns, TurnTimers* timers) : run_(*run), turns_(*turns), timers_(*timers) {}

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

  // A word became 0 and whoever waits there is woken, as at the end of a thread.
  void WakeAt(FutexWord word) { Wake(word, 1, ~0U); }
  // It is gone, or executes another program.
  void Forget(pid_t task);
  // Those that wait and have a signal to handle go on.
  void SeeSignals();
  void ExpectSignals() { signals_sent_ = true; }

 private:
  struct Wait {
    std::optional<Nanoseconds> until;
    bool interrupted = false;
    std::uint64_t written = 0;  // of a write in parts
  };
  Outcome Interrupt(Guest* guest, const StoppedCall& call, std::uint64_t caught);
  Outcome HandleCall(Guest* guest, const StoppedCall& call, bool in_truth);
  std::size_t Wake(FutexWord word, std::size_t most, std::uint32_t bits);
  Outcome Answer(Guest* guest, std::int64_t result);
  Outcome Until(Guest* guest, std::optional<Nanoseconds> moment);
  // `outside`: what it waits for may come from there.
  Outcome Again(Guest* guest, std::optional<Nanoseconds> moment, bool outside);
  Outcome Futex(Guest* guest, const StoppedCall& call);
  Outcome AnswerWoken(Guest* guest);
  Outcome FutexWait(Guest* guest, const StoppedCall& call, FutexWord word);
  std::optional<std::int64_t> FutexWakeOp(Guest* guest, const StoppedCall& call, FutexWord word, FutexWord second);
  Outcome FutexLock(Guest* guest, const StoppedCall& call, FutexWord word);
  Outcome FutexUnlock(Guest* guest, FutexWord word);
  Outcome Sleep(Guest* guest, const StoppedCall& call);
  Outcome WaitForChild(Guest* guest, const StoppedCall& call, bool in_truth);
  Outcome WaitForFiles(Guest* guest, const StoppedCall& call, bool in_truth);
  std::optional<Outcome> ReadTimer(Guest* guest, const StoppedCall& call);
  Outcome UseFile(Guest* guest, const StoppedCall& call, bool in_truth);
  Outcome WaitForSignal(Guest* guest, const StoppedCall& call, bool in_truth);
  FutexWord WordAt(const Guest& guest, std::uint64_t address, bool is_private) const;
  [[nodiscard]] Nanoseconds Now() const;

  TranslatedRun& run_;
  Turns& turns_;
  TurnTimers& timers_;
  Futexes futexes_;
  std::map<pid_t, Wait> waits_;
  bool signals_sent_ = false;
  std::array<std::string, 3> outside_;
  bool waited_outside_ = false;
};

}  // namespace tally

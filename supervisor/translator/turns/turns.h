// Whose turn it is. Threads and processes of a program that is counted by turns run one at a time, each for a number of its own
// instructions or until it waits, so that what they do depends on counts alone and is the same on every machine.
//
// Theory of operation. Tasks are numbered as they are made. The next turn is that of the one, of those which can go on, whose last is
// longest ago, so that nobody starves beside a chain of forks; with a seed other than 0 one is drawn, and how long its turn is. One that waits is in one of these states:
//
//   kUntil   for a moment of the virtual clock, or for another task that calls Release (a futex), or for both
//   kAgain   for something that only the kernel knows (a pipe, a child): it tries again when another task has executed something.
//            It may also come from outside, or from other tasks alone
//   kLeaving it ends; nobody else runs until it is gone
//
// When nobody can go on, the clock goes to the first moment that somebody waits for. Where there is none, one that waits for what
// may come from outside waits in truth. Where there is no such one, either, all wait for each other. Pure: who stands where in the kernel is the engine's affair.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <map>
#include <optional>
#include <utility>

#include "base/units.h"
#include "supervisor/machine/seeded_random.h"

namespace tally {

class Turns {
 public:
  // Instructions of one turn, without a seed: 10 ms of virtual time, as a kernel's slice may be.
  static constexpr std::uint64_t kUsual = 20'000'000;
  // What takes the supervisor's time takes of a turn as if it were so many instructions, or others would wait for minutes: a call that
  // is answered, and a change of mappings for which all translations are forgotten.
  static constexpr std::uint64_t kOfCall = 20'000, kOfRestart = 500'000;

  // `length`: of every turn; 0: as the seed says.
  explicit Turns(std::uint64_t seed, std::uint64_t length = 0) : seed_(seed), every_(length), random_(seed, SeededRandom::Stream::kTurns) {}

  void Add(pid_t task);  // it can go on
  void Remove(pid_t task);
  [[nodiscard]] bool Knows(pid_t task) const { return Find(task) != tasks_.end(); }

  [[nodiscard]] std::optional<pid_t> current() const { return current_; }
  // Of the current one, in instructions.
  [[nodiscard]] std::uint64_t length() const { return length_; }
  // So many instructions later than where it may end first, which is behind a jump, a call or a return: with a seed other than 0
  // anywhere.
  [[nodiscard]] std::uint64_t later() const { return later_; }
  [[nodiscard]] std::size_t size() const { return tasks_.size(); }
  void End() { current_.reset(); }

  // The current task cannot go on, and its turn is over.
  void WaitUntil(std::optional<Nanoseconds> moment);
  void TryAgain(std::optional<Nanoseconds> moment, bool outside);
  // The next turn is its, if it can go on then.
  void Prefer(pid_t task) { preferred_ = task; }
  // It can, before its moment.
  void Release(pid_t task);
  // Has the moment come for which it waited?
  [[nodiscard]] bool IsLate(pid_t task) const;
  // It is in the kernel's hands, and comes back by itself (Return); what it waits for it waits for still.
  void Suspend(pid_t task);
  [[nodiscard]] bool IsWaiting(pid_t task) const;
  void Leave(pid_t task);
  // It has come back, from an end or a wait that only the kernel knew of.
  void Return(pid_t task);
  // The current one executes something, or one is gone: what others wait for may have come.
  void NoteChange() { ++changes_; }
  void NoteGoesOn() { ++changes_, ++own_changes_; }  // the current one, in its turn

  // Does another than the current one wait for its turn, or for a moment?
  [[nodiscard]] bool OthersWait() const;
  // The current one has executed nothing in its turn: for the others nothing has changed.
  void TakeBackChanges() { changes_ -= std::exchange(own_changes_, 0); }

  // Chooses the next, `now` being the time since the start. Nothing: nobody can go on now (NextMoment, HasTrying).
  std::optional<pid_t> Choose(Nanoseconds now);
  // The first of those that wait for what may come from outside.
  std::optional<pid_t> ChooseForOutside();
  [[nodiscard]] std::optional<Nanoseconds> NextMoment() const;
  [[nodiscard]] bool HasLeaving() const;

 private:
  enum class State : std::uint8_t { kReady, kUntil, kAgain, kLeaving };
  struct Task {
    pid_t tid;
    State state = State::kReady;
    std::optional<Nanoseconds> until;
    bool late = false;
    bool outside = false;
    bool suspended = false;
    std::uint64_t tried = 0;  // changes that there had been when it tried last
    std::uint64_t last = 0;   // the number of its last turn, or of that in which it was made
  };
  using Tasks = std::map<std::uint64_t, Task>;  // by number
  Tasks::iterator Find(pid_t task);
  [[nodiscard]] Tasks::const_iterator Find(pid_t task) const;
  void Wait(State state, std::optional<Nanoseconds> moment);
  [[nodiscard]] bool CanGoOn(const Task& task) const;
  pid_t Begin(Tasks::iterator task);

  std::uint64_t seed_, every_;
  SeededRandom random_;
  Tasks tasks_;
  std::uint64_t made_ = 0;   // tasks so far
  std::uint64_t changes_ = 0;  // so far
  std::uint64_t own_changes_ = 0;  // by the current turn
  std::uint64_t turn_ = 0;   // the number of the current one
  std::optional<pid_t> preferred_;
  std::optional<pid_t> current_;
  std::uint64_t length_ = 0, later_ = 0;
};

}  // namespace tally

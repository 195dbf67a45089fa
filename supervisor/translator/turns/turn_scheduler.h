// Who of the program's tasks runs, where they take turns: it lets the one whose turn it is go on, keeps the others where they stand, and chooses
// the next (turns.h tells the rules).
//
// Theory of operation. A task that is stopped and that Watch is done with stands: Resume keeps it, with the signal with which it goes
// on. GoOn lets the task whose turn it is run, until it comes to a stop that is for Watch. It stops by itself where its budget is used up and
// in front of calls by which it may wait (turn_calls.h). Three are in the kernel's hands for a while, and nobody else goes on until what they
// do there is done, or the result would depend on how fast they are:
//   - one at its end: what it held is given back, and its parent is told, before the next turn (Leave, Gone);
//   - the parent of a vfork, when its child has executed a program or ended;
//   - one that a signal stopped, when another has continued it.
// A call that turn_calls.h does not know and that waits all the same is seen by a look after some milliseconds.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <unordered_map>
#include <unordered_set>

#include "base/units.h"
#include "supervisor/tracing/stop_cost.h"
#include "supervisor/tracing/wait_status.h"
#include "supervisor/translator/guest/guests.h"
#include "supervisor/translator/guest/translated_run.h"
#include "supervisor/translator/turns/turn_calls.h"
#include "supervisor/translator/turns/turn_timers.h"
#include "supervisor/translator/turns/turns.h"

namespace tally {

class TurnScheduler {
 public:
  TurnScheduler(TranslatedRun* run, Guests* guests, std::uint64_t seed);

  // The program begins: what it has from outside.
  void NoteOutside(pid_t program) { calls_.NoteOutside(program); }

  // `first` has been the only one so far, and is made ready by `take`. It has its first turn.
  void Begin(Guest* first, const std::function<void()>& take);

  // Since then:
  void Executed(pid_t tid);  // another program; it is no guest yet
  // The parent is stopped in the call that made the child, which is no guest yet.
  void Made(Guest* child, const Guest& parent, bool by_vfork);
  void Added(Guest* guest);
  void Stopped(pid_t tid);  // by a signal
  void AtEnd(pid_t tid);    // it stands at its exit
  void Gone(pid_t tid);
  // Watch is done with a stop. A stop for Watch of the same task; nothing: somebody runs, or a stop is among the postponed.
  std::optional<WaitStatus> Resume(pid_t tid, int signal);
  // When to look again at the latest; nothing: no need.
  std::optional<Nanoseconds> Check();

  [[nodiscard]] std::optional<pid_t> current() const { return turns_.current(); }
  [[nodiscard]] bool IsDeadlocked() const { return is_deadlocked_; }
  // What the ends of turns cost by a seed, to which tasks go by a few single steps.
  [[nodiscard]] StopTimes stops() const { return stops_; }
  // Why the next run may have other turns; "" where it has the same.
  [[nodiscard]] std::string WhyTurnsVary() const;

 private:
  void BeginTurn(Guest* guest);
  [[nodiscard]] Guest* StandingIn(pid_t process) const;
  void LetStand(pid_t tid, int signal);
  void LetGo(pid_t tid, Guest* guest);
  std::optional<WaitStatus> GoOn(pid_t asked, bool may_wait);
  bool PassTurnEvent(Guest* guest);
  std::optional<WaitStatus> RunInTurn(Guest* guest, int signal);
  [[nodiscard]] bool MakesVfork(pid_t tid) const;
  void EndVfork(pid_t child);
  void StopThoseWhoWait();
  void SeeCallThatWaits(pid_t tid);
  [[nodiscard]] bool ComesBack() const;
  [[nodiscard]] bool IsAnyOnItsWay() const;
  bool ChooseNext(bool may_wait);
  bool GoOffAndChoose(bool may_wait);
  void AwaitOutside(Nanoseconds longest);
  void SeeChildChanged();
  void SeeLeavers();
  void TellOverrun(const Guest& guest);
  [[nodiscard]] bool MustReturn() const;

  TranslatedRun& run_;
  Guests& guests_;
  Turns turns_;
  TurnTimers timers_;
  TurnCalls calls_;
  std::unordered_map<pid_t, int> can_go_;  // stopped, and handled by Watch: the signal with which they go on
  std::map<pid_t, pid_t> leavers_;         // at their ends, and their processes
  std::map<pid_t, pid_t> vforks_;          // from child to parent
  std::unordered_set<pid_t> in_kernel_;    // those that wait there for a child by vfork
  std::unordered_set<pid_t> stopped_;      // by a signal, until another continues them
  StopTimes stops_;
  std::uint64_t began_at_ = 0;             // instructions, when the current turn began
  std::uint64_t seen_at_ = 0;              // and when the current task was looked at last
  bool was_asleep_ = false;                // then
  bool waited_in_call_ = false;            // any, in a call that others had to wait for
  bool was_stopped_ = false;               // any of them, by a signal
  bool in_truth_ = false;                  // the current task may wait in the kernel
  bool is_choosing_ = false;               // who is next is not known yet, and Watch has to look first
  bool may_have_killed_ = false;           // an end, or a signal, since all were seen to stand
  bool stops_are_coming_ = false;          // of tasks that were killed
  bool is_deadlocked_ = false;
};

}  // namespace tally

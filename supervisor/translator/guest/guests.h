// The tasks of a run in translation, each with its Guest, and what may come between while something is done with one: it is killed, or the
// program has done what translation does not allow.
#pragma once

#include <sys/types.h>

#include <functional>
#include <memory>
#include <optional>
#include <unordered_map>
#include <unordered_set>

#include "supervisor/tracing/stop_burst.h"
#include "supervisor/translator/guest/guest.h"
#include "supervisor/translator/guest/translated_run.h"
#include "supervisor/translator/turns/turn_processor.h"

namespace tally {

class Guests {
 public:
  using ByTask = std::unordered_map<pid_t, std::unique_ptr<Guest>>;

  explicit Guests(TranslatedRun* run) : run_(*run) {}

  [[nodiscard]] const ByTask& all() const { return guests_; }
  [[nodiscard]] std::size_t size() const { return guests_.size(); }
  [[nodiscard]] bool empty() const { return guests_.empty(); }
  // nullptr: it is none, or none any more.
  [[nodiscard]] Guest* Find(pid_t tid) const;
  // The same, about to be made to do something.
  [[nodiscard]] Guest* FindToAct(pid_t tid) const;
  [[nodiscard]] bool HasOfProcess(pid_t process) const;
  void Add(std::unique_ptr<Guest> guest) { guests_[guest->tid()] = std::move(guest); }
  void Remove(pid_t tid) { guests_.erase(tid); }

  // False when the task was killed meanwhile and its end is on the way to Watch, or when TranslatedRun::violation says why.
  bool Guarded(const std::function<void()>& action);
  // Was a signal-delivery stop of ours, and is what it was for done?
  bool TakesStop(pid_t tid, const WaitStatus& status);

  // What translated code tells the time by (clock_code.h): only the task that executes `alone` knows what the others have executed.
  void SetClocks(std::optional<pid_t> alone) const;

  // Stopped before their first instruction; their parents are not known yet.
  std::unordered_set<pid_t> unannounced;

  // New code comes in bursts, and so do calls, so after a stop the next is awaited at once; on one processor, where the
  // program is told of one only. The burst goes on behind a call that Watch was told of, and by turns with whose turn is next.
  [[nodiscard]] std::unique_ptr<StopBurst> TakeBurst(pid_t tid);
  void KeepBurst(std::unique_ptr<StopBurst> burst) { burst_ = std::move(burst); }
  void EndBurst() {
    burst_.reset();
    processor_.LetGo();
  }
  // By turns: somebody else may be next, whom it may follow only if he comes to the same processor.
  void EndBurstOfTurn() {
    if (!processor_.keeps()) burst_.reset();
  }
  // The same before a sleep, which its tick would end.
  void EndBurstBeforeSleep() { burst_.reset(); }

 private:
  TranslatedRun& run_;
  ByTask guests_;
  std::unique_ptr<StopBurst> burst_;
  TurnProcessor processor_;
};

}  // namespace tally

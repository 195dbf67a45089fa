// Runs that wait for workers, the workers, and the answers.
//
// Theory of operation. A run is so many commands at one time, perhaps joined by pipes, so it takes as many workers as it has commands, all at
// once, when it is its turn: first come, first served. A worker runs one command at a time in a sandbox that it keeps, which is what makes a run
// cheap. Of one that is cancelled the workers are killed, their programs with them, and started anew.
#pragma once

#include <poll.h>

#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string>
#include <vector>

#include "base/fd.h"
#include "base/units.h"
#include "serve/file_store.h"
#include "serve/judge_request.h"
#include "serve/worker_process.h"

namespace tally::serve {

// What a worker said: what we have to know of it, and the text as it goes to the client. Texts are long, and nobody waits for one to be taken
// to pieces and put together again.
struct RunAnswer {
  nlohmann::json head;  // "status", "fileIds"
  std::string text;
};

struct QueuedRun {
  // The end of a pipe that a command gets; who holds the other one is the caller's affair.
  struct Stream {
    PipeEnd place;
    Fd end;
  };
  nlohmann::json cmds, job;  // as they came; a job is one
  std::vector<PipeMapping> pipes;
  std::vector<Stream> streams;
  // An answer for each command, in their order.
  std::function<void(std::vector<RunAnswer> answers)> done;
};

// Not now; `status` is HTTP's.
class Busy : public std::runtime_error {
 public:
  Busy(unsigned status, const std::string& sentence) : std::runtime_error(sentence), status_(status) {}
  [[nodiscard]] unsigned status() const { return status_; }

 private:
  unsigned status_;
};

class RunQueue {
 public:
  // `words`: the options of a worker. `store` outlives it, and has the files that runs leave in it.
  RunQueue(const std::vector<std::string>& words, std::size_t workers, std::size_t most_waiting, FileStore* store);

  // Its number. UserError: it can never run here; Busy.
  std::uint64_t Submit(QueuedRun run);
  enum class Cancelled { kUnknown, kBeforeItRan, kWhileItRan };
  // Nothing of it is left, and `done` is not called.
  Cancelled Cancel(std::uint64_t number);
  // Nothing new.
  void Drain() { draining_ = true; }
  [[nodiscard]] bool empty() const { return runs_.empty(); }
  [[nodiscard]] std::size_t size() const { return runs_.size(); }

  struct Figures {
    std::size_t workers = 0, busy = 0, waiting = 0;
    std::map<std::string, std::uint64_t> statuses;  // how commands ended
  };
  [[nodiscard]] Figures figures() const;

  // Before waiting: workers that are absent start, and runs whose turn it is. SystemError: workers end as soon as they start.
  void StartDue(Nanoseconds now);
  void AddTo(std::vector<pollfd>* fds) const;
  [[nodiscard]] Nanoseconds longest_wait() const;
  // After waiting, with what was found.
  void Move(const std::vector<pollfd>& fds, Nanoseconds now);

 private:
  struct Run {
    QueuedRun queued;
    std::vector<RunAnswer> answers;
    std::size_t left = 0;
    bool has_started = false;
  };
  struct Slot {
    std::unique_ptr<WorkerProcess> process;
    std::size_t number = 0;
    std::uint64_t run = 0;   // 0: none
    std::size_t index = 0;   // of its commands
    Nanoseconds start_at{0};
    unsigned failed_starts = 0;
  };

  void StartWorkers(Nanoseconds now);
  void Start(std::uint64_t number, Run* run);
  void Fail(std::uint64_t number, const std::string& sentence);
  void OnNews(Slot* slot, WorkerProcess::News news, Nanoseconds now);
  void Finish(std::uint64_t number);
  void TakeFiles(const RunAnswer& answer, const Slot& slot);
  void RegisterFiles(RunAnswer* answer);
  void ForgetFiles(const RunAnswer& answer);
  [[nodiscard]] std::size_t Idle() const;

  std::vector<Slot> slots_;
  std::size_t most_waiting_;
  FileStore* store_;
  std::uint64_t runs_so_far_ = 0;
  std::map<std::uint64_t, Run> runs_;
  std::deque<std::uint64_t> waiting_;
  std::map<std::string, std::uint64_t> statuses_;
  bool draining_ = false, had_worker_ = false;
};

// The answers as a JSON list.
std::string ListOf(std::vector<RunAnswer> answers);
// Of commands that were cancelled while they ran: killed, and nobody measured them.
std::vector<RunAnswer> CancelledAnswers(std::size_t commands);

}  // namespace tally::serve

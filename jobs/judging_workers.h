// Processes that run tests at the same time. Tests are handed out through one pipe and come back through one pipe per worker, so that a
// slow test holds up nobody. Workers are processes: a supervisor is single-threaded (private_mounts.h).
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "base/fd.h"
#include "base/sys.h"
#include "jobs/interrupts.h"

namespace tally {

class JudgingWorkers {
 public:
  // What a worker does with a test: its result as text. Called in the worker's process.
  using Work = std::function<std::string(std::size_t test, unsigned worker)>;

  // `pinned`: each worker has its own share of the processors, where there is one for each.
  JudgingWorkers(unsigned workers, bool pinned, const Work& work);
  ~JudgingWorkers();
  JudgingWorkers(const JudgingWorkers&) = delete;
  JudgingWorkers& operator=(const JudgingWorkers&) = delete;

  // Hands out what `next` says until it says none, and calls `take` for each result as it comes. Interrupted where a signal asks for the
  // end: the workers are told.
  void Run(const std::function<std::optional<std::size_t>()>& next, const std::function<void(std::size_t test, std::string result)>& take);

 private:
  void Start(unsigned index, const std::vector<int>& processors, const Work& work);
  void Give(std::uint64_t test);
  void ThrowIfInterrupted();
  void TakeFrom(int fd, const std::function<void(std::size_t test, std::string result)>& take);

  Interrupts interrupts_;
  sys::Pipe todo_;
  std::vector<pid_t> pids_;
  std::vector<Fd> results_;
};

}  // namespace tally

// Judging's end of the metrics: starts `tally-metrics agent`, tells it which test is run and how long the steps took,
// and ends it. Nothing here ever waits for the agent: what does not fit into the socket is dropped and counted, an
// agent that has ended is told nothing more. A process that forks workers shares the channel with them; only the one
// that made it ends the agent.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "base/fd.h"
#include "base/shared_memory.h"
#include "base/units.h"
#include "profile/metrics/config.h"
#include "profile/metrics/record.h"

namespace tally {

class MetricsChannel {
 public:
  // Reads the configuration and, unless it says `enabled: no`, starts the agent. UserError: a mistake in the file, or a
  // log that cannot be written; SystemError: no agent could be started. The agent stays in the cgroup we are in: who runs
  // programs calls MemoryCgroups::Find first.
  explicit MetricsChannel(const std::string& config_path);
  ~MetricsChannel();
  MetricsChannel(const MetricsChannel&) = delete;
  MetricsChannel& operator=(const MetricsChannel&) = delete;

  // The test that is run now, by this process; what it records from now on belongs to it.
  void SetBatch(std::uint64_t index, std::string_view name) noexcept;
  // Of a step, by its name.
  void RecordTiming(std::string_view step, Nanoseconds duration) noexcept;
  // The same of another test than the one that was told last.
  void RecordTiming(std::string_view step, Nanoseconds duration, std::uint64_t batch) noexcept;

  // Ends the agent, in the midst of whatever it does. A sentence when it was not there to be ended.
  std::optional<std::string> End() noexcept;

 private:
  void Start(const std::string& config_path, const MetricsConfig& config);
  void Tell(MetricsRecord* record) noexcept;

  Fd socket_, process_;  // process_ is a pidfd: somebody else may have waited for the agent
  pid_t owner_ = 0;
  std::uint64_t batch_ = 0;
  std::unique_ptr<SharedMemory> dropped_;  // one number, of all workers; the agent logs it at its end
};

// The executable beside ours.
std::string MetricsExecutable();

}  // namespace tally

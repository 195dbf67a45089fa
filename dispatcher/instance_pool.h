// The worker's instances: so many evaluations happen at once, and no more. Each is started ahead of its requests and
// replaced when it ends. An evaluation that takes longer than it may is killed with its instance.
#pragma once

#include <poll.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/units.h"
#include "dispatcher/instance_process.h"
#include "dispatcher/worker_folder.h"
#include "dispatcher/worker_log.h"
#include "dispatcher/worker_metrics.h"

namespace tally {

class InstancePool {
 public:
  struct Settings {
    std::size_t instances = 1;
    std::string for_instances;     // instance_settings.h
    Nanoseconds longest_request{};
  };
  // What became of a request.
  struct Done {
    enum class How { kAnswered, kDied, kTooLong };
    std::uint64_t request;
    How how;
    std::string text;  // the answer, or how the instance ended
  };

  InstancePool(Settings settings, const WorkerFolder& folder, WorkerLog* log, WorkerMetrics* metrics);

  [[nodiscard]] bool HasIdle() const;
  // To one that is idle. `user`: of a job from where there are several, who published it, or "".
  void Give(std::uint64_t request, FrameKind kind, std::string_view body, std::optional<std::string_view> user, Nanoseconds now);
  // Ends all work; nobody wants to know what becomes of it.
  void Abandon();

  void AddTo(std::vector<pollfd>* fds) const;
  [[nodiscard]] std::optional<Nanoseconds> next() const;
  std::vector<Done> Move(Nanoseconds now);
  [[nodiscard]] std::size_t alive() const;
  [[nodiscard]] std::size_t busy() const;

 private:
  enum class State { kAbsent, kStarting, kIdle, kBusy, kAbandoned };
  struct Slot {
    std::unique_ptr<InstanceProcess> process;
    State state = State::kAbsent;
    std::uint64_t request = 0;
    Nanoseconds too_long_at{}, start_at{};
    bool too_long = false;
    unsigned failed_starts = 0;  // in a row
  };

  void Start(std::size_t number, Nanoseconds now);
  void StartFailed(Slot* slot, Nanoseconds now);
  void MoveSlot(std::size_t number, Nanoseconds now, std::vector<Done>* done);
  void Ended(Slot* slot, const std::string& how, Nanoseconds now, std::vector<Done>* done);
  [[nodiscard]] std::size_t Count(State state) const;

  Settings settings_;
  const WorkerFolder& folder_;
  WorkerLog* log_;
  WorkerMetrics* metrics_;
  std::vector<Slot> slots_;
};

}  // namespace tally

// What a worker counts, and the page on which Prometheus reads it.
#pragma once

#include <cstdint>
#include <map>
#include <string>

#include "base/prometheus_text.h"
#include "base/units.h"
#include "dispatcher/frames.h"

namespace tally {

// "evaluation", "job"
std::string_view NameOfKind(FrameKind kind);

class WorkerMetrics {
 public:
  // `outcome`: answered, refused, timed_out, retried, dead, unroutable.
  void CountRequest(FrameKind kind, std::string_view outcome) { ++requests_[{kind, std::string(outcome)}]; }
  void CountDuration(FrameKind kind, Nanoseconds duration);
  void CountRedelivery() { ++redelivered_; }
  void CountConnection() { ++connections_; }
  void CountInstanceEnd() { ++instance_ends_; }

  struct Now {
    bool connected = false;
    std::size_t in_hand = 0, instances = 0, busy = 0;
  };
  [[nodiscard]] std::string Text(const Now& now) const;

 private:
  std::map<std::pair<FrameKind, std::string>, std::uint64_t> requests_;
  std::map<FrameKind, PrometheusHistogram> durations_;
  std::uint64_t redelivered_ = 0, connections_ = 0, instance_ends_ = 0;
};

}  // namespace tally

#include "dispatcher/worker_metrics.h"

#include <fmt/format.h>

namespace tally {
namespace {

void AddNumber(std::string_view name, std::string_view type, std::string_view help, std::uint64_t value,
               std::string* out) {
  AddPrometheusHead(name, type, help, out);
  *out += fmt::format("{} {}\n", name, value);
}

}  // namespace

std::string_view NameOfKind(FrameKind kind) { return kind == FrameKind::kJob ? "job" : "evaluation"; }

void WorkerMetrics::CountDuration(FrameKind kind, Nanoseconds duration) {
  const auto histogram = durations_.try_emplace(
      kind, PrometheusHistogram({0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120, 300, 600}));
  histogram.first->second.Add(std::chrono::duration<double>(duration).count());
}

std::string WorkerMetrics::Text(const Now& now) const {
  std::string out;
  AddPrometheusHead("tally_worker_info", "gauge", "The worker that answers.", &out);
  out += fmt::format("tally_worker_info{{version={}}} 1\n", PrometheusQuoted(TALLY_VERSION));
  AddNumber("tally_worker_connected", "gauge", "Whether the worker consumes from its broker.", now.connected ? 1 : 0,
            &out);
  AddNumber("tally_worker_instances", "gauge", "Instances that are ready or busy.", now.instances, &out);
  AddNumber("tally_worker_instances_busy", "gauge", "Instances that work on a request.", now.busy, &out);
  AddNumber("tally_worker_requests_in_hand", "gauge", "Requests that are not acknowledged yet.", now.in_hand, &out);
  AddNumber("tally_worker_connections_total", "counter", "Connections made to the broker.", connections_, &out);
  AddNumber("tally_worker_redelivered_total", "counter", "Requests that the broker gave out before.", redelivered_,
            &out);
  AddNumber("tally_worker_instance_ends_total", "counter", "Instances that crashed or were killed.", instance_ends_,
            &out);
  AddPrometheusHead("tally_worker_requests_total", "counter", "Requests by what became of them.", &out);
  for (const auto& [key, count] : requests_) {
    out += fmt::format("tally_worker_requests_total{{kind=\"{}\",outcome=\"{}\"}} {}\n", NameOfKind(key.first),
                       key.second, count);
  }
  AddPrometheusHead("tally_worker_request_seconds", "histogram", "From a request's arrival to its answer.", &out);
  for (const auto& [kind, histogram] : durations_) {
    histogram.AddTo("tally_worker_request_seconds", fmt::format("kind=\"{}\"", NameOfKind(kind)), &out);
  }
  return out;
}

}  // namespace tally

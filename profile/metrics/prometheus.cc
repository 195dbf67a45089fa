#include "profile/metrics/prometheus.h"

#include <fmt/format.h>

#include <array>
#include <string_view>
#include <vector>

#include "base/prometheus_text.h"

namespace tally {
namespace {

struct Gauge {
  std::string_view series, name, label, help;
  double scale = 1;
};

// In Prometheus' base units: ratios, bytes, seconds.
constexpr std::array<Gauge, 10> kGauges{{
    {"cpu_utilization", "tally_cpu_utilization_ratio", "core", "Busy part of a core's time; core mean is all of them.",
     0.01},
    {"memory_available", "tally_memory_available_bytes", "", "Memory that can be had without swapping."},
    {"disk_reads", "tally_disk_reads_per_second", "", "Read operations of all disks."},
    {"disk_writes", "tally_disk_writes_per_second", "", "Write operations of all disks."},
    {"disk_read", "tally_disk_read_bytes_per_second", "", "Bytes read from all disks."},
    {"disk_written", "tally_disk_written_bytes_per_second", "", "Bytes written to all disks."},
    {"network_received", "tally_network_received_bytes_per_second", "", "Bytes received by all interfaces."},
    {"network_sent", "tally_network_sent_bytes_per_second", "", "Bytes sent by all interfaces."},
    {"gpu_utilization", "tally_gpu_utilization_ratio", "gpu", "Part of the time in which the GPU computed.", 0.01},
    {"gpu_memory_free", "tally_gpu_memory_free_bytes", "gpu", "Memory of the GPU that nobody has."},
}};

constexpr std::size_t kMostSteps = 100;
constexpr std::array kBounds{0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 10.0};

void AddGauge(const Gauge& gauge, const Sample& sample, std::string* out) {
  bool first = true;
  for (const Measurement& one : sample.measured) {
    if (one.series.name != gauge.series) continue;
    if (first) AddPrometheusHead(gauge.name, "gauge", gauge.help, out);
    first = false;
    const std::string labels =
        gauge.label.empty() ? "" : fmt::format("{{{}={}}}", gauge.label, PrometheusQuoted(one.series.instance));
    *out += fmt::format("{}{} {:.6g}\n", gauge.name, labels, one.value * gauge.scale);
  }
}

}  // namespace

void PrometheusPage::Add(const Sample& sample) {
  last_ = sample;
  ++samples_;
}

bool PrometheusPage::Add(const Timing& timing) {
  if (!steps_.contains(timing.step) && steps_.size() >= kMostSteps) return false;
  steps_.try_emplace(timing.step, std::vector<double>(kBounds.begin(), kBounds.end())).first->second.Add(timing.seconds);
  return true;
}

std::string PrometheusPage::Text(const std::string& label) const {
  std::string out;
  AddPrometheusHead("tally_agent_info", "gauge", "The agent that answers.", &out);
  out += fmt::format("tally_agent_info{{version={},label={}}} 1\n", PrometheusQuoted(TALLY_VERSION), PrometheusQuoted(label));
  AddPrometheusHead("tally_active", "gauge", "Whether metrics are collected now.", &out);
  out += fmt::format("tally_active {}\n", active_ ? 1 : 0);
  AddPrometheusHead("tally_batch", "gauge", "Index of the test that is run.", &out);
  out += fmt::format("tally_batch {}\n", batch_);
  AddPrometheusHead("tally_samples_total", "counter", "Looks at the machine.", &out);
  out += fmt::format("tally_samples_total {}\n", samples_);
  AddPrometheusHead("tally_deliveries_total", "counter", "Deliveries sent, and given up after the second try.", &out);
  out += fmt::format("tally_deliveries_total{{result=\"sent\"}} {}\ntally_deliveries_total{{result=\"failed\"}} {}\n",
                     sent_, failed_);
  if (active_) {
    for (const Gauge& gauge : kGauges) AddGauge(gauge, last_, &out);
  }
  AddPrometheusHead("tally_step_seconds", "histogram", "What the steps of judging took.", &out);
  for (const auto& [step, histogram] : steps_) histogram.AddTo("tally_step_seconds", fmt::format("step={}", PrometheusQuoted(step)), &out);
  return out;
}

}  // namespace tally

// The state of an agent as Prometheus reads it (text format 0.0.4). Names and units are in docs/metrics.md.
#pragma once

#include <cstdint>
#include <map>
#include <string>

#include "base/prometheus_text.h"
#include "profile/metrics/delivery.h"
#include "profile/metrics/measurement.h"

namespace tally {

class PrometheusPage {
 public:
  void SetActive(bool active) { active_ = active; }
  void SetBatch(std::uint64_t batch) { batch_ = batch; }
  void Add(const Sample& sample);
  // False: there are so many steps already that this one is not shown.
  bool Add(const Timing& timing);
  void CountDelivery(bool sent) { ++(sent ? sent_ : failed_); }

  // Measurements only while there are some: an old one would pass for a new one.
  [[nodiscard]] std::string Text(const std::string& label) const;

 private:
  bool active_ = false;
  std::uint64_t batch_ = 0, samples_ = 0, sent_ = 0, failed_ = 0;
  Sample last_;
  std::map<std::string, PrometheusHistogram> steps_;
};

}  // namespace tally

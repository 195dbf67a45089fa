// What is gathered between two sends, and its JSON (docs/metrics.md, "What is sent"). Series share the times of the
// samples; where one could not be measured it has null, and its reason stands beside.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "profile/metrics/measurement.h"
#include "profile/metrics/record.h"

namespace tally {

// Who sends: the same in every delivery of one agent.
struct DeliverySource {
  std::string host;
  std::string agent;  // random, one for each life of an agent
  std::string label;
};

struct Timing {
  std::int64_t unix_ms = 0;
  std::uint64_t batch = 0;
  std::string step;  // "run"
  double seconds = 0;
};

class MetricsDelivery {
 public:
  void NameBatch(std::uint64_t batch, std::string name);
  void Add(std::int64_t unix_ms, std::uint64_t batch, const Sample& sample);
  // False: there are too many already, and this one is left out.
  bool Add(const Timing& timing);

  [[nodiscard]] bool IsEmpty() const { return times_.empty() && timings_.empty(); }
  [[nodiscard]] std::size_t samples() const { return times_.size(); }
  [[nodiscard]] std::size_t timings() const { return timings_.size(); }
  [[nodiscard]] std::string Json(const DeliverySource& source, std::uint64_t sequence) const;
  // For the next one: only the names of the batches that still go on are kept.
  void Clear();

 private:
  struct Series {
    const char* unit = "";
    std::vector<std::optional<double>> values;  // as long as times_, or shorter: then nothing came since
  };

  std::vector<std::int64_t> times_;
  std::vector<std::uint64_t> batches_;
  std::map<SeriesName, Series> series_;
  std::map<SeriesName, std::string> not_measured_;  // the last reason
  std::vector<Timing> timings_;
  std::map<std::uint64_t, std::string> names_;
};

}  // namespace tally

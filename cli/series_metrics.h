// The machine while a series runs, where `tally profile --metrics` asks for that (docs/metrics.md).
#pragma once

#include <cstddef>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>

#include "jobs/metrics_observer.h"

namespace tally {

class SeriesMetrics {
 public:
  // "": nobody asks. UserError: a mistake in the file.
  explicit SeriesMetrics(const std::string& config_path);

  [[nodiscard]] JudgeObserver* observer() { return observer_ ? &*observer_ : nullptr; }
  void End();
  // After End, for the page: what was kept since the beginning; {"absent": why there is none}; null: nobody asked.
  [[nodiscard]] nlohmann::json Deliveries() const;

 private:
  [[nodiscard]] std::string Kept() const;

  std::string keep_;
  std::size_t kept_before_ = 0;
  std::optional<MetricsChannel> channel_;
  std::optional<MetricsObserver> observer_;
};

}  // namespace tally

#include "profile/metrics/delivery.h"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

namespace tally {
namespace {

using JsonValue = nlohmann::ordered_json;

constexpr std::size_t kMostTimings = 50'000;
// Tests that several workers have in hand.
constexpr std::size_t kNamesKept = 256;

// Six digits tell all there is to tell, and keep a delivery small.
JsonValue Rounded(double value) {
  if (value == 0 || std::fabs(value) >= 1e5) return static_cast<std::int64_t>(std::llround(value));
  const double scale = std::pow(10.0, 5 - std::floor(std::log10(std::fabs(value))));
  return std::round(value * scale) / scale;
}

}  // namespace

void MetricsDelivery::NameBatch(std::uint64_t batch, std::string name) { names_[batch] = std::move(name); }

void MetricsDelivery::Add(std::int64_t unix_ms, std::uint64_t batch, const Sample& sample) {
  const std::size_t before = times_.size();
  times_.push_back(unix_ms);
  batches_.push_back(batch);
  for (const Measurement& one : sample.measured) {
    Series& series = series_[one.series];
    series.unit = one.unit;
    series.values.resize(before);
    series.values.push_back(one.value);
  }
  for (const NotMeasured& one : sample.failed) not_measured_[one.series] = one.reason;
}

bool MetricsDelivery::Add(const Timing& timing) {
  if (timings_.size() >= kMostTimings) return false;
  timings_.push_back(timing);
  return true;
}

std::string MetricsDelivery::Json(const DeliverySource& source, std::uint64_t sequence) const {
  JsonValue out{{"format", "tally-metrics-1"},
                {"host", source.host},
                {"agent", source.agent},
                {"label", source.label},
                {"sequence", sequence}};
  JsonValue& names = out["batches"] = JsonValue::object();
  const auto name = [&](std::uint64_t batch) {
    const auto found = names_.find(batch);
    if (found != names_.end()) names[std::to_string(batch)] = found->second;
  };
  for (const std::uint64_t batch : batches_) name(batch);
  for (const Timing& timing : timings_) name(timing.batch);
  JsonValue series = JsonValue::array(), failed = JsonValue::array(), timings = JsonValue::array();
  for (const auto& [key, one] : series_) {
    JsonValue values = JsonValue::array();
    for (std::size_t i = 0; i < times_.size(); ++i) {
      const bool measured = i < one.values.size() && one.values[i];
      values.push_back(measured ? Rounded(*one.values[i]) : JsonValue());
    }
    series.push_back(
        {{"name", key.name}, {"instance", key.instance}, {"unit", one.unit}, {"values", std::move(values)}});
  }
  for (const auto& [key, reason] : not_measured_) {
    failed.push_back({{"name", key.name}, {"instance", key.instance}, {"reason", reason}});
  }
  for (const Timing& timing : timings_) {
    timings.push_back({{"time_ms", timing.unix_ms},
                       {"batch", timing.batch},
                       {"name", timing.step},
                       {"seconds", Rounded(timing.seconds)}});
  }
  out["samples"] = {{"time_ms", times_}, {"batch", batches_}, {"series", std::move(series)}};
  out["not_measured"] = std::move(failed);
  out["timings"] = std::move(timings);
  return out.dump(-1, ' ', false, JsonValue::error_handler_t::replace);
}

void MetricsDelivery::Clear() {
  times_.clear();
  batches_.clear();
  series_.clear();
  not_measured_.clear();
  timings_.clear();
  while (names_.size() > kNamesKept) names_.erase(names_.begin());
}

}  // namespace tally

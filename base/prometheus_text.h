// The text that Prometheus reads (its exposition format, version 0.0.4), in the base units that it wants.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace tally {

inline constexpr const char* kPrometheusContentType = "text/plain; version=0.0.4; charset=utf-8";

// A label's value in quotes.
std::string PrometheusQuoted(std::string_view text);

// The lines in front of a metric's values. `type`: counter, gauge, histogram.
void AddPrometheusHead(std::string_view name, std::string_view type, std::string_view help, std::string* out);

// How many observations were at most so large.
class PrometheusHistogram {
 public:
  // Ascending.
  explicit PrometheusHistogram(std::vector<double> bounds) : bounds_(std::move(bounds)), up_to_(bounds_.size()) {}
  void Add(double value);
  // `labels` without braces, "" or `step="check"`.
  void AddTo(std::string_view name, std::string_view labels, std::string* out) const;

 private:
  std::vector<double> bounds_;
  std::vector<std::uint64_t> up_to_;  // cumulative, as Prometheus wants them
  std::uint64_t count_ = 0;
  double sum_ = 0;
};

}  // namespace tally

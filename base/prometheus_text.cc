#include "base/prometheus_text.h"

#include <fmt/format.h>

namespace tally {

std::string PrometheusQuoted(std::string_view text) {
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') out += '\\';
    if (c == '\n') {
      out += "\\n";
    } else {
      out += c;
    }
  }
  return out + "\"";
}

void AddPrometheusHead(std::string_view name, std::string_view type, std::string_view help, std::string* out) {
  *out += fmt::format("# HELP {} {}\n# TYPE {} {}\n", name, help, name, type);
}

void PrometheusHistogram::Add(double value) {
  for (std::size_t i = 0; i < bounds_.size(); ++i) up_to_[i] += value <= bounds_[i] ? 1 : 0;
  ++count_;
  sum_ += value;
}

void PrometheusHistogram::AddTo(std::string_view name, std::string_view labels, std::string* out) const {
  const std::string_view comma = labels.empty() ? "" : ",";
  for (std::size_t i = 0; i < bounds_.size(); ++i) {
    *out += fmt::format("{}_bucket{{{}{}le=\"{}\"}} {}\n", name, labels, comma, bounds_[i], up_to_[i]);
  }
  *out += fmt::format("{}_bucket{{{}{}le=\"+Inf\"}} {}\n", name, labels, comma, count_);
  const std::string braced = labels.empty() ? "" : fmt::format("{{{}}}", labels);
  *out += fmt::format("{0}_sum{1} {2:.9g}\n{0}_count{1} {3}\n", name, braced, sum_, count_);
}

}  // namespace tally

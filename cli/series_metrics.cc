#include "cli/series_metrics.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <nlohmann/json.hpp>
#include <sstream>

#include "base/sys.h"
#include "profile/metrics/config.h"
#include "supervisor/run/process_executor.h"

namespace tally {

SeriesMetrics::SeriesMetrics(const std::string& config_path) {
  if (config_path.empty()) return;
  keep_ = ReadMetricsConfig(YamlMap::FromFile(config_path)).keep;
  kept_before_ = Kept().size();
  ProcessExecutor().cgroups().Find();  // the agent comes along
  channel_.emplace(config_path);
  observer_.emplace(&*channel_);
}

void SeriesMetrics::End() {
  if (!channel_) return;
  if (const std::optional<std::string> trouble = channel_->End()) fmt::print(stderr, "tally: {}\n", *trouble);
}

nlohmann::json SeriesMetrics::Deliveries() const {
  if (!channel_) return nullptr;
  if (keep_.empty()) return {{"absent", "--metrics names no file to keep them in (key keep)"}};
  const std::string all = Kept();
  std::istringstream lines(all.substr(std::min(kept_before_, all.size())));
  nlohmann::json out = nlohmann::json::array();
  for (std::string line; std::getline(lines, line);) {
    nlohmann::json one = nlohmann::json::parse(line, nullptr, false);
    if (one.is_object()) out.push_back(std::move(one));
  }
  if (out.empty()) return {{"absent", "nothing was kept; the agent's log says why"}};
  return out;
}

std::string SeriesMetrics::Kept() const { return keep_.empty() ? "" : sys::TryReadFile(keep_).value_or(""); }

}  // namespace tally

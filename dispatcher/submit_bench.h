// A load of a fixed count, and what came of it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "base/units.h"
#include "evaluation/answer_text.h"
#include "dispatcher/submit_client.h"

namespace tally {

struct BenchRound {
  std::size_t requests = 0, answered = 0, failed = 0, unroutable = 0, too_large = 0;
  std::uint64_t duplicates = 0;
  Nanoseconds took{0};                 // from the first request sent to the last answer
  std::vector<Nanoseconds> latencies;  // of the answered, the quickest first

  [[nodiscard]] double PerSecond() const;
  // The smallest latency that so large a share of the answers did not pass; 0.5 is the median.
  [[nodiscard]] Nanoseconds Latency(double share) const;
};

// Sends `body` so often. The time may be over (options.timeout) before all is answered.
BenchRound RunBenchRound(const SubmitOptions& options, const std::string& body, std::size_t count, AnswerKind kind);

std::string BenchText(const std::vector<BenchRound>& rounds, std::size_t window);
nlohmann::json BenchJson(const std::vector<BenchRound>& rounds, std::size_t window);

}  // namespace tally

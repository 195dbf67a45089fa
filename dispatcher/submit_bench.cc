#include "dispatcher/submit_bench.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <optional>

namespace tally {
namespace {

using Clock = std::chrono::steady_clock;
using nlohmann::json;

constexpr std::pair<const char*, double> kShares[] = {{"median", 0.5}, {"p95", 0.95}, {"p99", 0.99}, {"worst", 1.0}};

double SecondsOf(Nanoseconds time) { return std::chrono::duration<double>(time).count(); }

class BenchSide : public SubmitSide {
 public:
  BenchSide(const std::string& body, std::size_t count, AnswerKind kind) : body_(body), kind_(kind), left_(count) {
    round.requests = count;
    round.latencies.reserve(count);
  }

  std::optional<SubmitRequest> NextRequest() override {
    if (left_ == 0) return std::nullopt;
    --left_;
    return SubmitRequest{"", body_};
  }
  void OnSent() override {
    if (!begin_) begin_ = Clock::now();
  }
  void OnOutcome(SubmitOutcome&& outcome) override {
    round.took = Clock::now() - *begin_;
    if (outcome.kind == SubmitOutcome::Kind::kUnroutable) ++round.unroutable;
    if (outcome.kind == SubmitOutcome::Kind::kAnswerTooLarge) ++round.too_large;
    if (outcome.kind != SubmitOutcome::Kind::kAnswered) return;
    ++round.answered;
    round.latencies.push_back(outcome.latency);
    if (VerdictOf(kind_, outcome.answer) == AnswerVerdict::kFailed) ++round.failed;
  }
  void OnNews(const std::string& sentence) override { fmt::print(stderr, "tally: {}\n", sentence); }

  BenchRound round;

 private:
  const std::string& body_;
  AnswerKind kind_;
  std::size_t left_;
  std::optional<Clock::time_point> begin_;
};

struct Spread {
  double least = 0, median = 0, most = 0;
};

Spread SpreadOf(const std::vector<BenchRound>& rounds) {
  std::vector<double> rates;
  for (const BenchRound& round : rounds) rates.push_back(round.PerSecond());
  std::sort(rates.begin(), rates.end());
  const std::size_t middle = rates.size() / 2;
  return {rates.front(), rates.size() % 2 == 1 ? rates[middle] : (rates[middle - 1] + rates[middle]) / 2, rates.back()};
}

std::string RoundText(const BenchRound& round) {
  std::string text = fmt::format("{:>10.1f} {:>9} {:>8} {:>11}", round.PerSecond(), FormatCount(round.answered),
                                 FormatCount(round.failed), FormatCount(round.duplicates));
  for (const auto& [name, share] : kShares) text += fmt::format(" {:>10}", FormatDuration(round.Latency(share)));
  return text + "\n";
}

json RoundJson(const BenchRound& round) {
  json latency = json::object();
  for (const auto& [name, share] : kShares) latency[name] = SecondsOf(round.Latency(share));
  return {{"seconds", SecondsOf(round.took)},         {"answered", round.answered},
          {"answered_per_second", round.PerSecond()}, {"failed", round.failed},
          {"unroutable", round.unroutable},           {"too_large", round.too_large},
          {"duplicates", round.duplicates},           {"latency_seconds", latency}};
}

}  // namespace

double BenchRound::PerSecond() const { return took.count() == 0 ? 0 : static_cast<double>(answered) / SecondsOf(took); }

Nanoseconds BenchRound::Latency(double share) const {
  if (latencies.empty()) return Nanoseconds(0);
  const auto rank = static_cast<std::size_t>(std::ceil(share * static_cast<double>(latencies.size())));
  return latencies[std::clamp<std::size_t>(rank, 1, latencies.size()) - 1];
}

BenchRound RunBenchRound(const SubmitOptions& options, const std::string& body, std::size_t count, AnswerKind kind) {
  BenchSide side(body, count, kind);
  SubmitClient client(options, &side);
  client.Serve();
  side.round.duplicates = client.duplicates();
  std::sort(side.round.latencies.begin(), side.round.latencies.end());
  return std::move(side.round);
}

std::string BenchText(const std::vector<BenchRound>& rounds, std::size_t window) {
  std::string text = fmt::format("{}, {} at once\n{:>10} {:>9} {:>8} {:>11} {:>10} {:>10} {:>10} {:>10}\n",
                                 CountOf(rounds.front().requests, "request"), FormatCount(window), "answered/s", "answered", "failed",
                                 "duplicates", "median", "95 %", "99 %", "worst");
  for (const BenchRound& round : rounds) text += RoundText(round);
  if (rounds.size() == 1) return text;
  const Spread spread = SpreadOf(rounds);
  return text + fmt::format("answered/s: median {:.1f}, {:.1f} to {:.1f}\n", spread.median, spread.least, spread.most);
}

json BenchJson(const std::vector<BenchRound>& rounds, std::size_t window) {
  json list = json::array();
  for (const BenchRound& round : rounds) list.push_back(RoundJson(round));
  const Spread spread = SpreadOf(rounds);
  return {{"requests", rounds.front().requests},
          {"window", window},
          {"rounds", list},
          {"answered_per_second", {{"least", spread.least}, {"median", spread.median}, {"most", spread.most}}}};
}

}  // namespace tally

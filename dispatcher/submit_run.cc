#include "dispatcher/submit_run.h"

#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <nlohmann/json.hpp>
#include <optional>
#include <vector>

#include "base/atomic_file.h"
#include "base/error.h"
#include "base/units.h"
#include "dispatcher/submit_bench.h"
#include "evaluation/request_files.h"
#include "dispatcher/submit_watch.h"

namespace tally {
namespace {

using Kind = SubmitOutcome::Kind;

std::string UnroutableSentence(const SubmitRun& run) {
  return fmt::format(
      "no worker has ever declared a queue for {} of API version {} ({}), or all have been away for longer than it is "
      "kept",
      run.kind == AnswerKind::kJob ? "jobs" : "requests", run.api_version, run.options.routing_key);
}

// "3 of 10 requests are unanswered after 30 s: a.json, b.json, c.json"
std::string UnansweredSentence(const SubmitRun& run, std::size_t unanswered, std::size_t total,
                               const std::vector<std::string>& names) {
  constexpr std::size_t kNames = 5;
  std::string list;
  for (std::size_t i = 0; i < names.size() && i < kNames; ++i) list += (i == 0 ? ": " : ", ") + names[i];
  if (!list.empty() && unanswered > kNames) list += fmt::format(" and {} more", unanswered - kNames);
  return fmt::format("{} of {} {} unanswered after {}{}", FormatCount(unanswered), CountOf(total, "request"),
                     unanswered == 1 ? "is" : "are", FormatDuration(run.options.timeout.value_or(Nanoseconds(0))),
                     list);
}

class OneSide : public SubmitSide {
 public:
  OneSide(SubmitRequest request, bool watch) : watch_(1, watch), request_(std::move(request)) {}
  std::optional<SubmitRequest> NextRequest() override { return std::exchange(request_, std::nullopt); }
  void OnSent() override { watch_.Sent(); }
  void OnOutcome(SubmitOutcome&& one) override { outcome = std::move(one); }
  void OnNews(const std::string& sentence) override { watch_.Say(sentence); }

  std::optional<SubmitOutcome> outcome;

 private:
  SubmitWatch watch_;
  std::optional<SubmitRequest> request_;
};

// Requests are read when they are sent, answers written when they come: no more of either is in memory than in flight.
class FolderSide : public SubmitSide {
 public:
  FolderSide(const SubmitRun& run, std::vector<std::string> paths, const std::string& out)
      : watch(paths.size(), run.watch), run_(run), paths_(std::move(paths)), out_(out) {}

  std::optional<SubmitRequest> NextRequest() override {
    while (next_ < paths_.size()) {
      const std::string& path = paths_[next_++];
      try {
        return SubmitRequest{path, ReadTextFile(path, run_.most_request)};
      } catch (const UserError& error) {
        watch.NotSent(error.what());
      }
    }
    return std::nullopt;
  }
  void OnSent() override { watch.Sent(); }
  void OnOutcome(SubmitOutcome&& outcome) override {
    std::optional<AnswerVerdict> verdict;
    if (outcome.kind == Kind::kAnswered) {
      WriteFileAtomically(AnswerPath(outcome.name, out_), outcome.answer + "\n", "answer");
      verdict = VerdictOf(run_.kind, outcome.answer);
    } else if (outcome.kind == Kind::kAnswerTooLarge) {
      watch.Say(
          fmt::format("{}: its answer is larger than {}", outcome.name, FormatBytes({run_.options.broker.most_body})));
    } else if (watch.counts().unroutable == 0) {
      watch.Say(UnroutableSentence(run_));
    }
    watch.Ended(outcome.kind, verdict);
  }
  void OnNews(const std::string& sentence) override { watch.Say(sentence); }

  // Read, but not sent, is unanswered, too.
  [[nodiscard]] std::vector<std::string> Unanswered(const SubmitClient& client) const {
    std::vector<std::string> names = client.Unanswered();
    for (std::size_t i = next_; i < paths_.size() && names.size() < 10; ++i) names.push_back(paths_[i]);
    return names;
  }

  SubmitWatch watch;

 private:
  const SubmitRun& run_;
  std::vector<std::string> paths_;
  std::string out_;
  std::size_t next_ = 0;
};

int StatusOf(const SubmitCounts& counts) {
  if (counts.ended() < counts.total || counts.too_large > 0) return kExitSystemError;
  return counts.unroutable + counts.not_sent > 0 ? kExitUserError : kExitJobRan;
}

void MakeFolder(const std::string& path) {
  if (::mkdir(path.c_str(), 0777) != 0 && errno != EEXIST) {
    throw UserError(fmt::format("--out {}: {}", path, ErrnoText(errno)));
  }
}

void Tell(const std::string& sentence) { Complain(fmt::format("tally: {}", sentence)); }

}  // namespace

int SubmitOne(const SubmitRun& run, SubmitRequest request, bool for_people, const JsonOutput& json) {
  OneSide side(std::move(request), run.watch);
  SubmitClient client(run.options, &side);
  client.Serve();
  if (!side.outcome) {
    Tell(UnansweredSentence(run, 1, 1, client.Unanswered()));
    return kExitSystemError;
  }
  if (side.outcome->kind == Kind::kUnroutable) throw UserError(UnroutableSentence(run));
  if (side.outcome->kind == Kind::kAnswerTooLarge) {
    Tell(fmt::format("the answer is larger than {}", FormatBytes({run.options.broker.most_body})));
    return kExitSystemError;
  }
  const std::string& answer = side.outcome->answer;
  json.Write(answer + "\n");
  if (!json.to_stdout()) fmt::print("{}", for_people ? AnswerText(answer, WantsColour(STDOUT_FILENO)) : answer + "\n");
  return kExitJobRan;
}

int SubmitFolder(const SubmitRun& run, const std::string& folder, const std::string& out) {
  if (!out.empty()) MakeFolder(out);
  FolderSide side(run, RequestsIn(folder), out);
  SubmitClient client(run.options, &side);
  try {
    client.Serve();
  } catch (const Interrupted&) {
    side.watch.Say(side.watch.Summary(client.duplicates()));
    throw;
  }
  side.watch.ClearBar();
  const SubmitCounts& counts = side.watch.counts();
  if (counts.ended() < counts.total) {
    Tell(UnansweredSentence(run, counts.total - counts.ended(), counts.total, side.Unanswered(client)));
  }
  fmt::print(stderr, "{}\n", side.watch.Summary(client.duplicates()));
  return StatusOf(counts);
}

int SubmitBench(const SubmitRun& run, const std::string& body, std::size_t count, std::size_t rounds, const JsonOutput& json) {
  std::vector<BenchRound> done;
  while (done.size() < rounds) {
    done.push_back(RunBenchRound(run.options, body, count, run.kind));
    const BenchRound& round = done.back();
    if (round.unroutable > 0) throw UserError(UnroutableSentence(run));
    if (round.answered + round.too_large == count) continue;
    Tell(UnansweredSentence(run, count - round.answered - round.too_large, count, {}));
    break;
  }
  json.Write(BenchJson(done, run.options.window).dump(2) + "\n");
  if (!json.to_stdout()) fmt::print("{}", BenchText(done, run.options.window));
  return done.back().answered == count ? kExitJobRan : kExitSystemError;
}

}  // namespace tally

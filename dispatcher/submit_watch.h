// What people see while requests are served: a bar on a terminal, plain lines now and then without one, news of the
// broker as it comes, and a summary at the end. All of it goes to stderr.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

#include "base/terminal.h"
#include "base/units.h"
#include "evaluation/answer_text.h"
#include "dispatcher/submit_client.h"

namespace tally {

struct SubmitCounts {
  std::size_t total = 0, sent = 0, answered = 0;
  std::size_t right = 0, wrong = 0, failed = 0;             // of the answered
  std::size_t unroutable = 0, too_large = 0, not_sent = 0;  // not_sent: a mistake in the file

  // That have come to an end of some kind.
  [[nodiscard]] std::size_t ended() const { return answered + unroutable + too_large + not_sent; }
};

class SubmitWatch {
 public:
  // `show`: there is a bar, or lines now and then; news and the summary are there anyway.
  SubmitWatch(std::size_t total, bool show);

  void Sent();
  void Ended(SubmitOutcome::Kind kind, std::optional<AnswerVerdict> verdict);
  // With a sentence on a line of its own.
  void NotSent(const std::string& sentence);
  void Say(const std::string& sentence) const;

  [[nodiscard]] const SubmitCounts& counts() const { return counts_; }
  [[nodiscard]] std::string Summary(std::uint64_t duplicates) const;
  void ClearBar() const;

 private:
  using Clock = std::chrono::steady_clock;
  void Show();
  [[nodiscard]] std::string Note() const;
  [[nodiscard]] double Seconds() const;

  SubmitCounts counts_;
  std::optional<ProgressBar> bar_;
  bool lines_ = false;
  Clock::time_point begin_ = Clock::now(), shown_ = begin_;
};

}  // namespace tally

#include "dispatcher/submit_watch.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>

namespace tally {
namespace {

constexpr auto kBetweenBars = std::chrono::milliseconds(100);
constexpr auto kBetweenLines = std::chrono::seconds(5);

std::string Part(std::size_t count, const char* text) {
  return count == 0 ? "" : fmt::format(", {} {}", FormatCount(count), text);
}

}  // namespace

SubmitWatch::SubmitWatch(std::size_t total, bool show) {
  counts_.total = total;
  if (show && CanRedraw(STDERR_FILENO)) bar_.emplace(total, "submit");
  lines_ = show && !bar_;
}

void SubmitWatch::Sent() {
  ++counts_.sent;
  Show();
}

void SubmitWatch::Ended(SubmitOutcome::Kind kind, std::optional<AnswerVerdict> verdict) {
  if (kind == SubmitOutcome::Kind::kUnroutable) ++counts_.unroutable;
  if (kind == SubmitOutcome::Kind::kAnswerTooLarge) ++counts_.too_large;
  if (kind == SubmitOutcome::Kind::kAnswered) ++counts_.answered;
  if (verdict == AnswerVerdict::kRight) ++counts_.right;
  if (verdict == AnswerVerdict::kWrong) ++counts_.wrong;
  if (verdict == AnswerVerdict::kFailed) ++counts_.failed;
  Show();
}

void SubmitWatch::NotSent(const std::string& sentence) {
  ++counts_.not_sent;
  Say(sentence);
}

void SubmitWatch::Say(const std::string& sentence) const {
  ClearBar();
  fmt::print(stderr, "tally: {}\n", sentence);
}

void SubmitWatch::ClearBar() const {
  if (bar_) bar_->Clear();
}

void SubmitWatch::Show() {
  if (!bar_ && !lines_) return;
  const auto now = Clock::now();
  if (now - shown_ < (bar_ ? Nanoseconds(kBetweenBars) : Nanoseconds(kBetweenLines))) return;
  shown_ = now;
  if (bar_) {
    bar_->Show(counts_.ended(), Note());
  } else {
    fmt::print(stderr, "submit: {} of {}, {}\n", FormatCount(counts_.ended()), FormatCount(counts_.total), Note());
  }
}

std::string SubmitWatch::Note() const {
  return fmt::format("{} sent, {} right, {} failed, {:.1f}/s", FormatCount(counts_.sent), FormatCount(counts_.right),
                     FormatCount(counts_.failed), static_cast<double>(counts_.answered) / Seconds());
}

double SubmitWatch::Seconds() const {
  return std::max(1e-3, std::chrono::duration<double>(Clock::now() - begin_).count());
}

std::string SubmitWatch::Summary(std::uint64_t duplicates) const {
  const SubmitCounts& c = counts_;
  std::string text = fmt::format("{} of {} answered: ", FormatCount(c.answered), FormatCount(c.total));
  text += fmt::format("{} right, {} wrong, {} failed", FormatCount(c.right), FormatCount(c.wrong), FormatCount(c.failed));
  text += Part(c.not_sent, "not sent") + Part(c.unroutable, "that no worker has a queue for");
  text += Part(c.too_large, "with too large an answer") + Part(c.total - c.ended(), "unanswered");
  text += Part(duplicates, "answered twice");
  const double seconds = Seconds();
  return text + fmt::format("; {:.1f} s, {:.1f}/s", seconds, static_cast<double>(c.answered) / seconds);
}

}  // namespace tally

#include "checkers/protocol.h"

#include <algorithm>
#include <cstring>
#include <numeric>
#include <string>

#include "checkers/comment.h"

namespace tally {
namespace {

// A part of the points from 0 to 1, as percents; nullopt: it is none.
std::optional<Percentage> PartOf(std::string_view text, std::string_view of) {
  constexpr std::size_t kMostDigits = 9;
  const auto number = [](std::string_view digits) -> std::optional<std::int64_t> {
    if (digits.empty() || digits.size() > kMostDigits || digits.find_first_not_of("0123456789") != std::string_view::npos) return std::nullopt;
    return std::stoll(std::string(digits));
  };
  const auto part = number(text), whole = number(of);
  if (!part || !whole || *whole == 0 || *part > *whole) return std::nullopt;
  const std::int64_t hundredths = *part * 100, common = std::gcd(hundredths, *whole);
  return Percentage{hundredths / common, *whole / common};
}

std::string_view TakeLine(std::string_view& text) {
  const std::size_t end = text.find('\n');
  const std::string_view line = text.substr(0, end);
  text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
  return line;
}

CheckerVerdict NotAPercentage(std::string_view what, std::string_view text) {
  return CheckerVerdict::CheckerFailed("the checker " + std::string(what) + " " + Quoted(text) +
                                       ", which is not a percentage from 0 to 1000");
}

CheckerVerdict ReadSio(const CheckerRun& run) {
  std::string_view rest = run.output;
  // Blanks after the word are forgiven: a checker that prints CRLF should not fail every contestant.
  const std::string_view word = TrimEnd(TakeLine(rest));
  const std::string_view comment = TrimEnd(TakeLine(rest));
  const std::string_view points = TrimEnd(TakeLine(rest));
  if (word != "OK") return CheckerVerdict::Wrong(MakeComment(comment));
  if (points.empty()) return CheckerVerdict::Accepted(kAllPoints, MakeComment(comment));
  const std::optional<Percentage> percentage = ParsePercentage(points);
  if (!percentage) return NotAPercentage("printed as its third line", points);
  return CheckerVerdict::Accepted(*percentage, MakeComment(comment));
}

// What testlib's message says about points. "points 40.5 ..." goes with exit status 7 (0 in some releases),
// "partially correct (40) ..." with a status made from the points.
struct TestlibPoints {
  enum class Form : std::uint8_t { kNone, kPoints, kPartiallyCorrect };
  Form form = Form::kNone;
  std::string_view text;
};

TestlibPoints FindPoints(std::string_view message) {
  constexpr std::string_view kPoints = "points ";
  constexpr std::string_view kPartial = "partially correct (";
  if (message.starts_with(kPartial)) {
    message.remove_prefix(kPartial.size());
    return {TestlibPoints::Form::kPartiallyCorrect, message.substr(0, message.find(')'))};
  }
  if (message.starts_with(kPoints)) {
    message.remove_prefix(std::min(message.find_first_not_of(' ', kPoints.size()), message.size()));
    return {TestlibPoints::Form::kPoints, message.substr(0, message.find(' '))};
  }
  return {};
}

// An answer worth nothing is wrong, whatever the checker calls it.
CheckerVerdict Partial(Percentage percentage, std::string_view message) {
  if (percentage.zero()) return CheckerVerdict::Wrong(MakeComment(message));
  return CheckerVerdict::Accepted(percentage, MakeComment(message));
}

std::string ExitStatus(int code) { return "exit status " + std::to_string(code); }

// "partially correct (N)": releases of testlib add 0, 16 or 50 to N for the exit status, so 0 and 1 would
// look like "accepted" and "wrong". The message decides, and the status must be one of the three.
CheckerVerdict PartiallyCorrect(int code, std::string_view points, std::string_view message) {
  const std::optional<Percentage> percentage = ParsePercentage(points);
  if (!percentage || percentage->denominator != 1) return NotAPercentage("said partially correct", points);
  const auto base = code - static_cast<int>(percentage->numerator);
  if (base != 0 && base != 16 && base != 50) {
    return CheckerVerdict::CheckerFailed("the checker contradicts itself: " + ExitStatus(code) +
                                         " does not go with its message " + Quoted(message));
  }
  return Partial(*percentage, message);
}

// A line "partial N/M".
std::optional<std::string_view> FindFraction(std::string_view message) {
  constexpr std::string_view kPartial = "partial ";
  while (!message.empty()) {
    const std::string_view line = TrimEnd(TakeLine(message));
    if (line.starts_with(kPartial) && line.find('/') != std::string_view::npos) return line.substr(kPartial.size());
  }
  return std::nullopt;
}

CheckerVerdict ReadTestlib(const CheckerRun& run) {
  constexpr int kOk = 0, kWrongAnswer = 1, kPresentation = 2, kFail = 3, kDirt = 4, kPoints = 7, kEof = 8;
  constexpr int kPartialBase = 50;
  const std::string_view message = FirstLine(run.message);
  const TestlibPoints points = FindPoints(message);
  if (points.form == TestlibPoints::Form::kPartiallyCorrect) {
    return PartiallyCorrect(run.code, points.text, message);
  }
  switch (run.code) {
    case kOk:
      if (points.form == TestlibPoints::Form::kNone) {
        return CheckerVerdict::Accepted(kAllPoints, MakeComment(message));
      }
      [[fallthrough]];
    case kPoints: {
      if (const auto fraction = FindFraction(run.message)) {
        const std::size_t slash = fraction->find('/');
        const auto part = PartOf(fraction->substr(0, slash), fraction->substr(slash + 1));
        if (part) return Partial(*part, message);
        return CheckerVerdict::CheckerFailed("the checker said partial " + std::string(Quoted(*fraction)) + ", which is not a part from 0 to 1");
      }
      // Some checkers write the number alone.
      const std::string_view text =
          points.form == TestlibPoints::Form::kPoints ? points.text : message.substr(0, message.find(' '));
      const std::optional<Percentage> percentage = ParsePercentage(text);
      if (!percentage) return NotAPercentage("gave points but said", message);
      return Partial(*percentage, message);
    }
    case kWrongAnswer:
    case kPresentation:
    case kDirt:
    case kEof:
      return CheckerVerdict::Wrong(MakeComment(message));
    case kFail:
      return CheckerVerdict::CheckerFailed("the checker gave up (" + ExitStatus(run.code) + ")" +
                                           (message.empty() ? "" : ": " + MakeComment(message)));
    default:
      // Without a message the base that testlib documents is believed. With another one the status is a runtime's: Python's is 120 where
      // what it has printed cannot be written.
      if (message.empty() && run.code >= kPartialBase && run.code <= kPartialBase + 100) {
        return Partial({run.code - kPartialBase, 1}, message);
      }
      return CheckerVerdict::CheckerFailed("the checker ended with " + ExitStatus(run.code) +
                                           ", which means nothing in the testlib protocol");
  }
}

// A number from 0 to 1 as percents.
std::optional<Percentage> PercentsOf(std::string_view text) {
  const std::optional<Percentage> part = ParsePercentage(text);
  if (!part || part->value() > 1) return std::nullopt;
  const std::int64_t hundredths = part->numerator * 100, common = std::gcd(hundredths, part->denominator);
  return Percentage{hundredths / common, part->denominator / common};
}

CheckerVerdict ReadKattis(const CheckerRun& run) {
  constexpr int kAccept = 42, kReject = 43;
  const std::string comment = MakeComment(FirstLine(run.message));
  if (run.code == kReject) return CheckerVerdict::Wrong(comment);
  if (run.code != kAccept) {
    return CheckerVerdict::CheckerFailed("the checker ended with " + ExitStatus(run.code) +
                                         ", where the kattis protocol knows only 42 and 43" +
                                         (comment.empty() ? "" : ": " + comment));
  }
  if (run.multiplier) {
    const std::optional<Percentage> part = PercentsOf(TrimEnd(*run.multiplier));
    if (part) return CheckerVerdict::Accepted(*part, comment);
    return CheckerVerdict::CheckerFailed("the checker left in score_multiplier.txt " + std::string(Quoted(TrimEnd(*run.multiplier))) + ", which is not a number from 0 to 1");
  }
  if (!run.score) return CheckerVerdict::Accepted(kAllPoints, comment);
  const std::optional<Percentage> percentage = ParsePercentage(*run.score);
  if (!percentage) return NotAPercentage("left in score.txt", TrimEnd(*run.score));
  return CheckerVerdict::Accepted(*percentage, comment);
}

// "translate:success" and its kin stand for texts in the contestant's language.
std::string_view CmsComment(std::string_view message) {
  if (message == "translate:success") return "";
  if (message == "translate:wrong") return "wrong answer";
  if (message == "translate:partial") return "partially correct";
  return message;
}

CheckerVerdict ReadCms(const CheckerRun& run) {
  if (run.code != 0) return CheckerVerdict::CheckerFailed("the checker ended with " + ExitStatus(run.code) + ", where the cms protocol knows only 0");
  std::string_view rest = run.output;
  const std::string_view text = TrimEnd(TakeLine(rest));
  const std::string comment = MakeComment(CmsComment(TrimEnd(FirstLine(run.message))));
  const std::optional<Percentage> part = PercentsOf(text);
  if (!part) return CheckerVerdict::CheckerFailed("the checker printed " + std::string(Quoted(text)) + ", which is not a number from 0 to 1");
  if (part->zero()) return CheckerVerdict::Wrong(comment);
  return CheckerVerdict::Accepted(*part, comment);
}

CheckerVerdict ReadPeg(const CheckerRun& run) {
  constexpr int kOk = 0, kWrongAnswer = 1;
  const std::string comment = MakeComment(FirstLine(run.message));
  if (run.code == kOk) return CheckerVerdict::Accepted(kAllPoints, comment);
  if (run.code != kWrongAnswer) return CheckerVerdict::CheckerFailed("the checker ended with " + ExitStatus(run.code) + ", where the peg protocol knows only 0 and 1");
  std::string_view rest = run.output;
  const std::string_view first = TrimEnd(TakeLine(rest)), second = TrimEnd(TakeLine(rest));
  const auto part = PartOf(first, second);
  return part ? Partial(*part, comment) : CheckerVerdict::Wrong(comment);
}

std::string SignalName(int signal) {
  const char* const name = ::sigabbrev_np(signal);
  return "signal " + std::to_string(signal) + (name != nullptr ? " (SIG" + std::string(name) + ")" : "");
}

}  // namespace

std::optional<CheckerProtocol> ParseCheckerProtocol(std::string_view name) {
  if (name == "sio") return CheckerProtocol::kSio;
  if (name == "testlib") return CheckerProtocol::kTestlib;
  if (name == "kattis") return CheckerProtocol::kKattis;
  if (name == "cms") return CheckerProtocol::kCms;
  if (name == "peg") return CheckerProtocol::kPeg;
  return std::nullopt;
}

CheckerVerdict ReadVerdict(CheckerProtocol protocol, const CheckerRun& run) {
  // What it printed before it died is not believed: it may have said OK and then tripped over the rest.
  switch (run.end) {
    case CheckerRun::End::kSignaled:
      return CheckerVerdict::CheckerFailed("the checker was killed by " + SignalName(run.code));
    case CheckerRun::End::kStopped:
      return CheckerVerdict::CheckerFailed("the checker was stopped by its " +
                                           RepairUtf8(run.stopped_by.empty() ? "limit" : run.stopped_by));
    case CheckerRun::End::kExited:
      break;
  }
  switch (protocol) {
    case CheckerProtocol::kSio:
      return ReadSio(run);
    case CheckerProtocol::kTestlib:
      return ReadTestlib(run);
    case CheckerProtocol::kKattis:
      return ReadKattis(run);
    case CheckerProtocol::kCms:
      return ReadCms(run);
    case CheckerProtocol::kPeg:
      return ReadPeg(run);
  }
  return CheckerVerdict::CheckerFailed("the checker speaks an unknown protocol");
}

}  // namespace tally

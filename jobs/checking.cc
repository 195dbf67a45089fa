#include "jobs/checking.h"

#include <fcntl.h>
#include <fmt/format.h>

#include "base/error.h"
#include "base/sys.h"
#include "checkers/compare_files.h"
#include "jobs/exec_options.h"
#include "jobs/feedback.h"
#include "jobs/files.h"
#include "jobs/program.h"

namespace tally {
namespace {

constexpr Milliseconds kCheckerTime{30'000};
constexpr std::uint64_t kCheckerMemoryKib = 262'144;
constexpr Bytes kCheckerOutput = Bytes::KiB(64);

CheckerVerdict Compare(const CheckOptions& options, const CheckedFiles& files) {
  const Fd hint = sys::Open(files.hint, O_RDONLY);
  const Fd output = sys::Open(files.output, O_RDONLY);
  if (options.compare) {
    const Mapping expected = sys::MapFile(hint.get(), files.hint);
    const Mapping got = sys::MapFile(output.get(), files.output);
    const auto mismatch = CompareBy(*options.compare, expected.text(), got.text());
    return mismatch ? CheckerVerdict::Wrong(Describe(mismatch, options.wording)) : CheckerVerdict::Accepted({100, 1}, "");
  }
  const FileComparison comparison = CompareFiles(hint.get(), output.get());
  if (comparison.equal()) return CheckerVerdict::Accepted({100, 1}, "");
  return CheckerVerdict::Wrong(Describe(comparison.mismatch(), options.wording));
}

class CustomCheck {
 public:
  CustomCheck(const CheckOptions& options, const CheckedFiles& files) : options_(options), files_(files) {}

  CheckerVerdict Run() {
    const bool kattis = options_.protocol == CheckerProtocol::kKattis;
    const auto reachable = [this](const std::string& path, const char* name) { return ReachableFile(path, directory_, name, options_.isolation); };
    std::vector<PlacedFile> placed{{reachable(files_.input, "in"), "/box/in"}, {reachable(files_.output, "out"), "/box/out"}, {reachable(files_.hint, "hint"), "/box/hint"}};
    if (kattis) {
      feedback_ = options_.feedback.empty() ? MakeFeedbackFolder(directory_, options_.isolation) : options_.feedback;
      placed.push_back({feedback_, "/box/feedback", true});
    }
    Program checker("chk_file", *options_.checker, options_.checker_info, Options(), placed);
    checker.AddArguments(Arguments());
    checker.AddArguments(options_.checker_arguments);
    const Fd in = sys::Open(kattis ? files_.output : "/dev/null", O_RDONLY);
    const Fd out = sys::Open(directory_.File("stdout"), O_RDWR | O_CREAT | O_APPEND, 0600);
    const Fd error = sys::Open(directory_.File("stderr"), O_RDWR | O_CREAT | O_APPEND, 0600);
    const RunResult result = checker.Run(in.get(), out.get(), error.get());
    return Interpret(result);
  }

 private:
  [[nodiscard]] std::vector<std::string> Arguments() const {
    if (!options_.argument_words.empty()) {
      std::vector<std::string> words = options_.argument_words;
      for (std::string& word : words) {
        for (const auto& [placeholder, path] : {std::pair{"{input}", "/box/in"}, {"{output}", "/box/out"}, {"{answer}", "/box/hint"}}) {
          if (word == placeholder) word = path;
        }
      }
      return words;
    }
    switch (options_.protocol) {
      case CheckerProtocol::kKattis: return {"/box/in", "/box/hint", kFeedbackArgument};
      case CheckerProtocol::kPeg: return {"/box/out", "/box/hint", "/box/in"};
      case CheckerProtocol::kCms: return {"/box/in", "/box/hint", "/box/out"};
      case CheckerProtocol::kSio:
      case CheckerProtocol::kTestlib: break;
    }
    return {"/box/in", "/box/out", "/box/hint"};
  }

  [[nodiscard]] ExecOptions Options() const {
    ExecOptions exec;
    exec.limits = options_.limits;
    exec.syscalls = SyscallCounting::kOff;
    exec.counter = Counter::kNone;
    exec.isolation = options_.isolation;
    exec.sandbox = "checker-sandbox";
    return exec;
  }

  [[nodiscard]] CheckerVerdict Interpret(const RunResult& result) const {
    CheckerRun run;
    run.end = HowItEnded(result);
    run.code = result.exit_code.value_or(result.signal.value_or(0));
    run.stopped_by = result.sentence;
    const std::string output = ReadFeedback(directory_.File("stdout")).value_or("");
    std::string message = ReadFeedback(directory_.File("stderr")).value_or("");
    std::optional<std::string> score, multiplier;
    if (options_.protocol == CheckerProtocol::kKattis) {
      message = ReadFeedback(feedback_ + "/judgemessage.txt").value_or("");
      score = ReadPoints(feedback_ + "/score.txt");
      multiplier = ReadPoints(feedback_ + "/score_multiplier.txt");
    }
    run.output = output;
    run.message = message;
    if (score) run.score = *score;
    if (multiplier) run.multiplier = *multiplier;
    return ReadVerdict(options_.protocol, run);
  }

  const CheckOptions& options_;
  const CheckedFiles& files_;
  TemporaryDirectory directory_;
  std::string feedback_;
};

std::string Names(const auto& names) {
  std::string out;
  for (const auto& name : names) out += (out.empty() ? "" : ", ") + std::string(name);
  return out;
}

}  // namespace

CheckOptions ReadCheckOptions(const Environ& environ) {
  CheckOptions options;
  const std::string protocol = environ.TextOr("checker_protocol", "sio");
  const auto parsed_protocol = ParseCheckerProtocol(protocol);
  if (!parsed_protocol) {
    throw UserError(
        fmt::format("checker_protocol: \"{}\" is unknown; expected one of: sio, testlib, kattis, cms, peg", protocol));
  }
  options.protocol = *parsed_protocol;
  const std::string wording = environ.TextOr("checker_format", "english_abbreviated");
  const auto parsed_wording = ParseWording(wording);
  if (!parsed_wording) {
    throw UserError(fmt::format("checker_format: \"{}\" is unknown; expected one of: {}", wording, Names(WordingNames())));
  }
  options.wording = *parsed_wording;

  const auto time = BoundedCount(environ, "checker_time_limit", "ms", kLargestMilliseconds);
  options.limits = DefaultLimits(ExecKind::kExec, time ? Milliseconds(*time) : kCheckerTime);
  if (const auto wall = BoundedCount(environ, "checker_real_time_limit", "ms", kLargestMilliseconds); wall && *wall > 0) {
    options.limits.wall_time = Milliseconds(*wall);
  }
  options.limits.memory = Bytes::KiB(BoundedCount(environ, "checker_mem_limit", "kB", kLargestKib).value_or(kCheckerMemoryKib));
  const auto output = BoundedCount(environ, "checker_output_limit", "bytes", kLargestBytes);
  options.limits.output = output ? Bytes{*output} : kCheckerOutput;
  return options;
}

CheckerVerdict CheckOutput(const CheckOptions& options, const CheckedFiles& files) {
  if (!options.checker) return Compare(options, files);
  return CustomCheck(options, files).Run();
}

void WritePercentage(const Percentage& percentage, Environ* environ) {
  const std::string format = environ->TextOr("percentage_format", "number");
  if (format == "fraction") return environ->SetFraction("result_percentage", percentage.numerator, percentage.denominator);
  if (format != "number") throw UserError(fmt::format("percentage_format: \"{}\" is unknown; expected one of: number, fraction", format));
  environ->Set("result_percentage", percentage.value());
}

void WriteCheckResult(const CheckerVerdict& verdict, Environ* environ) {
  switch (verdict.outcome) {
    case CheckerVerdict::Outcome::kAccepted:
      // Full marks without a word leave the run's own "ok".
      if (!verdict.comment.empty()) environ->Set("result_string", verdict.comment);
      break;
    case CheckerVerdict::Outcome::kWrong:
      environ->Set("result_code", Name(ResultCode::kWa));
      environ->Set("result_string", verdict.comment.empty() ? "wrong answer" : verdict.comment);
      break;
    case CheckerVerdict::Outcome::kCheckerFailed:
      environ->Set("result_code", Name(ResultCode::kSe));
      environ->Set("result_string", "checker failed: " + verdict.comment);
      break;
  }
  WritePercentage(verdict.percentage, environ);
}

}  // namespace tally

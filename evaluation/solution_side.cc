#include "evaluation/solution_side.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <signal.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <nlohmann/json.hpp>
#include <utility>

#include "base/error.h"
#include "base/sys.h"
#include "jobs/interrupts.h"

namespace tally {
namespace {

using nlohmann::json;

constexpr Nanoseconds kLongerThanCase = std::chrono::seconds(2);
constexpr Nanoseconds kAsLongAsTests = std::chrono::hours(24);
constexpr std::size_t kMostSaid = 4000;

// Why tests that wait for an answer get none.
std::string EndText(const RunResult& run) {
  constexpr const char* kEnded = "the solution's process ended before its test did";
  if (run.code == ResultCode::kOk || (run.code == ResultCode::kRe && !run.signal)) return fmt::format("{} (exit status {})", kEnded, run.exit_code.value_or(0));
  return fmt::format("{}: {} ({})", kEnded, run.sentence, Name(run.code));
}

// One talk with the tests, in the companion.
class Session {
 public:
  Session(const std::vector<Fd>& ends, Companion::Serve run)
      : calls_(ends[0].get()), answers_(ends[1].get()), orders_(ends[2].get()), notices_(ends[3].get()), run_(std::move(run)) {
    ::fcntl(orders_, F_SETFL, O_NONBLOCK);
  }

  std::string Serve() {
    for (std::optional<std::string> order; (order = NextOrder());) {
      if (*order == "start") RunUntilStop();
      if (*order == "stop") Stopped();
    }
    return said_;
  }

 private:
  struct Stop {};

  // nullopt: the tests have ended.
  std::optional<std::string> NextOrder() {
    for (std::optional<std::string> line;;) {
      if ((line = TakeLine())) return line;
      if (orders_ended_) return std::nullopt;
      pollfd fds[] = {{orders_, POLLIN, 0}, {interrupts_.fd(), POLLIN, 0}};
      if (::poll(fds, 2, -1) < 0 && errno != EINTR) throw SystemError("poll", errno);
      if (const int signal = interrupts_.Take(); signal != 0) throw Interrupted{signal};
    }
  }

  std::optional<std::string> TakeLine() {
    std::array<char, 256> bytes{};
    const ssize_t n = ::read(orders_, bytes.data(), bytes.size());
    if (n == 0) orders_ended_ = true;
    if (n > 0) text_.append(bytes.data(), static_cast<std::size_t>(n));
    const std::size_t end = text_.find('\n');
    if (end == std::string::npos) return std::nullopt;
    std::string line = text_.substr(0, end);
    text_.erase(0, end + 1);
    return line;
  }

  void RunUntilStop() {
    if (!runner_) runner_.emplace("the solution", run_);
    // The pipes are those of the case before, whose solution may have made them another way (O_NONBLOCK, O_DIRECT).
    for (const int end : {calls_, answers_}) ::fcntl(end, F_SETFL, 0);
    runner_->Send(json::object(), {calls_, answers_});
    try {
      const json answer = json::parse(runner_->Wait([this] {
        if (TakeLine() || orders_ended_) throw Stop{};
      }));
      if (answer.contains("failure")) throw SystemError(answer["failure"].get<std::string>(), 0);
      if (said_.size() < kMostSaid) said_ += answer.at("said");
      Tell(answer.at("end").get<std::string>() + "\n");
    } catch (const Stop&) {
      runner_.reset();  // and with it what it runs
      if (!orders_ended_) Stopped();
    }
  }

  // Between two cases: nothing writes any more.
  void Stopped() {
    std::array<char, 65536> rest{};
    ::fcntl(calls_, F_SETFL, O_NONBLOCK);
    while (::read(calls_, rest.data(), rest.size()) > 0) {
    }
    Tell("stopped\n");
  }

  // Nobody listens who has ended.
  void Tell(std::string_view text) const {
    if (::write(notices_, text.data(), text.size()) < 0 && errno != EPIPE) throw SystemError("write to the tests", errno);
  }

  int calls_, answers_, orders_, notices_;
  Companion::Serve run_;
  Interrupts interrupts_;
  std::optional<Companion> runner_;
  std::string text_, said_;
  bool orders_ended_ = false;
};

}  // namespace

SolutionSide::SolutionSide(const EvaluationSettings& settings, SolutionProgram program)
    : settings_(settings),
      program_(std::move(program)),
      companion_("the solution's side", [this](const json&, std::vector<Fd>& ends) { return ServeTests(ends); }) {}

SolutionSide::Ends SolutionSide::Start() const {
  sys::Pipe calls = sys::MakePipe(), answers = sys::MakePipe(), orders = sys::MakePipe(), notices = sys::MakePipe();
  companion_.Send(json::object(), {calls.read_end.get(), answers.write_end.get(), orders.read_end.get(), notices.write_end.get()});
  return {std::move(calls.write_end), std::move(answers.read_end), std::move(orders.write_end), std::move(notices.read_end)};
}

std::string SolutionSide::Wait() const {
  const json answer = json::parse(companion_.Wait());
  if (answer.contains("failure")) throw SystemError(answer["failure"].get<std::string>(), 0);
  return answer.at("said");
}

std::string SolutionSide::ServeTests(const std::vector<Fd>& ends) const {
  ::signal(SIGPIPE, SIG_IGN);  // the process is ours alone
  json answer;
  try {
    std::optional<Phase> phase;  // kept from run to run by the process that has them
    answer["said"] = Session(ends, [this, &phase](const json&, std::vector<Fd>& two) { return RunOne(two, &phase); }).Serve();
  } catch (const std::exception& failure) {
    answer["failure"] = failure.what();
  }
  return answer.dump(-1, ' ', false, json::error_handler_t::replace);
}

std::string SolutionSide::RunOne(const std::vector<Fd>& ends, std::optional<Phase>* kept) const {
  json answer;
  try {
    if (!*kept) kept->emplace(settings_, program_.sandbox, program_.placed, program_.support, "/box/include", kAsLongAsTests);
    StepOptions options;
    options.wall = program_.run_time + kLongerThanCase;
    options.output = kMostWritten;
    options.processes = program_.processes;
    options.memory_by = program_.memory_by;
    options.environment = program_.environment;
    std::vector<std::string> command = program_.command;
    for (const Fd& end : ends) {
      options.more_descriptors.push_back(end.get());
      command.push_back(std::to_string(end.get()));
    }
    command.push_back(std::to_string(kMostWritten.count));
    const StepResult step = (*kept)->Run(command, options);
    const bool well = step.run.code == ResultCode::kOk && step.run.exit_code == 0;
    answer["said"] = well ? "" : Cut(step.err, Bytes{kMostSaid});
    answer["end"] = EndText(step.run);
  } catch (const std::exception& failure) {
    answer["failure"] = failure.what();
  }
  return answer.dump(-1, ' ', false, json::error_handler_t::replace);
}

}  // namespace tally

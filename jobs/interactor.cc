#include "jobs/interactor.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <utility>

#include "base/error.h"
#include "jobs/feedback.h"
#include "jobs/files.h"
#include "supervisor/run/process_executor.h"
#include "supervisor/sandbox/private_mounts.h"

namespace tally {
namespace {

using nlohmann::json;

// How long it may take, by the real time that the solution may. That is without what the solution waits for a processor, or for stops of
// Tally's at its calls: meanwhile its interactor waits for it.
Nanoseconds LongerThan(Nanoseconds wall) { return 3 * wall + Milliseconds(2'000); }

ExecOptions OptionsFor(Nanoseconds wall, Isolation isolation) {
  ExecOptions exec = ToolOptions(isolation);
  exec.limits.wall_time = LongerThan(wall);
  exec.limits.idle_time.reset();  // to wait is its nature
  return exec;
}

// A checker that says nothing is wrong about the output; an interactor that does not come to its end has failed.
CheckerVerdict VerdictOf(CheckerProtocol protocol, const CheckerRun& run) {
  const bool by_output = protocol == CheckerProtocol::kSio && run.end == CheckerRun::End::kExited;
  if (by_output && run.code != 0) return CheckerVerdict::CheckerFailed(fmt::format("it ended with exit status {}", run.code));
  if (by_output && run.output.empty()) return CheckerVerdict::CheckerFailed("it said nothing on its stdout");
  return ReadVerdict(protocol, run);
}

}  // namespace

Interactor::Interactor(const Tool& tool, const InteractorProgram& program, Isolation isolation, Nanoseconds wall)
    : tool_(tool),
      protocol_(program.protocol),
      writes_nothing_(program.writes_nothing),
      solution_opens_fifos_(program.solution_opens_fifos()),
      processes_(program.processes),
      isolation_(isolation),
      wall_(wall),
      fifos_(protocol_ == CheckerProtocol::kCms ? std::optional<Fifos>(std::in_place, directory_.path(), processes_) : std::nullopt),
      companion_(
          "the interactor", [this](const json& request, std::vector<Fd>& descriptors) { return RunOne(request, descriptors); },
          solution_opens_fifos_ ? Companion::Between([this] { fifos_->ReleaseAll(); }) : nullptr) {
  if (!fifos_) return;
  LetProgramsPass(directory_, isolation_);
  if (!solution_opens_fifos_) relay_.emplace();
}

std::vector<PlacedFile> Interactor::FilesFor(unsigned i) const { return solution_opens_fifos_ ? fifos_->Placed(i) : std::vector<PlacedFile>(); }

std::vector<std::string> Interactor::ArgumentsFor(unsigned i) const {
  std::vector<std::string> arguments;
  if (solution_opens_fifos_) arguments = {Fifos::ToSolution(i), Fifos::FromSolution(i)};
  if (protocol_ == CheckerProtocol::kSio || processes_ > 1) arguments.push_back(std::to_string(i));
  return arguments;
}

std::vector<PlacedFile> Interactor::OwnFiles(const std::string& input, const std::string& answer) const {
  if (fifos_) return fifos_->PlacedForAll();
  if (!HasOwnStreams()) return {};
  return {{ReachableFile(input, directory_, "in", isolation_), "/box/in"}, {ReachableFile(answer, directory_, "hint", isolation_), "/box/hint"}};
}

std::vector<std::string> Interactor::OwnArguments(const std::vector<Fd>& descriptors) const {
  std::vector<std::string> arguments;
  if (protocol_ == CheckerProtocol::kTestlib) arguments = {"/box/in", "/box/tout", "/box/hint"};
  if (writes_nothing_) arguments = {"/box/in", "/box/hint"};
  if (protocol_ == CheckerProtocol::kKattis) arguments = {"/box/in", "/box/hint", kFeedbackArgument};
  if (protocol_ == CheckerProtocol::kSio) arguments = {std::to_string(processes_)};
  for (unsigned i = 0; i < processes_ && fifos_; ++i) arguments.insert(arguments.end(), {Fifos::FromSolution(i), Fifos::ToSolution(i)});
  if (protocol_ != CheckerProtocol::kSio) return arguments;
  for (const Fd& fd : descriptors) arguments.push_back(std::to_string(fd.get()));
  return arguments;
}

std::string Interactor::RunOne(const json& request, const std::vector<Fd>& descriptors) {
  json answer;
  try {
    const std::string input = request.at("input");
    std::vector<PlacedFile> placed = OwnFiles(input, request.at("answer"));
    const bool kattis = protocol_ == CheckerProtocol::kKattis;
    const TemporaryDirectory directory;
    std::string feedback = request.at("feedback");
    if (kattis) {
      if (feedback.empty()) feedback = MakeFeedbackFolder(directory, isolation_);
      else GiveFeedbackFolder(feedback, isolation_);
      placed.push_back({feedback, "/box/feedback", true});
    }
    if (protocol_ == CheckerProtocol::kTestlib) {
      ::unlink(written().c_str());
      sys::Open(written(), O_WRONLY | O_CREAT | O_EXCL, 0644);
      if (ProgramsChangeUser(isolation_)) ProcessExecutor().sandboxes().user().Own(written());
      placed.push_back({written(), "/box/tout", true});
    }
    Program program("interactor", tool_.program(), tool_.info(), OptionsFor(wall_, isolation_), placed);
    program.AddArguments(OwnArguments(descriptors));
    program.AddArguments(request.at("arguments").get<std::vector<std::string>>());

    const std::string error = directory_.File("stderr"), said_by_it = directory_.File("stdout");
    const Fd err = NewFile(error), out = NewFile(said_by_it), in = sys::Open(input, O_RDONLY);
    RunResult result;
    if (HasOwnStreams()) {
      result = program.Run(descriptors.at(0).get(), descriptors.at(1).get(), err.get());
    } else {
      std::vector<int> kept;
      for (const Fd& fd : descriptors) kept.push_back(fd.get());
      if (!fifos_) program.KeepOpen(kept);  // with fifos there is but what shows the relay our end
      result = program.Run(in.get(), out.get(), err.get());
    }
    answer["ended"] = result.ended.count();

    const std::string said = ReadFeedback(error).value_or(""), output = ReadFeedback(said_by_it).value_or("");
    const std::string message = kattis ? ReadFeedback(feedback + "/judgemessage.txt").value_or("") : said;
    const std::optional<std::string> score = kattis ? ReadPoints(feedback + "/score.txt") : std::nullopt;
    const std::optional<std::string> multiplier = kattis ? ReadPoints(feedback + "/score_multiplier.txt") : std::nullopt;
    CheckerRun run{.end = HowItEnded(result), .code = result.exit_code.value_or(result.signal.value_or(0)), .stopped_by = result.sentence, .output = output, .message = message};
    if (score) run.score = *score;
    if (multiplier) run.multiplier = *multiplier;
    const CheckerVerdict verdict = VerdictOf(protocol_, run);
    // Runtimes make an exception of the signal, say so, and end with a status that means nothing in the protocol.
    constexpr std::string_view kPythons = "BrokenPipe", kOthers = "Broken pipe";
    const bool said_so = said.find(kPythons) != std::string::npos || said.find(kOthers) != std::string::npos;
    answer["died_of_pipe"] = result.signal == SIGPIPE || (said_so && verdict.outcome != CheckerVerdict::Outcome::kAccepted);
    answer["out_of_time"] = result.code == ResultCode::kTle;
    answer["outcome"] = static_cast<int>(verdict.outcome);
    answer["percentage"] = {verdict.percentage.numerator, verdict.percentage.denominator};
    answer["comment"] = verdict.comment;
  } catch (const std::exception& failure) {
    answer["failure"] = failure.what();
  }
  return answer.dump(-1, ' ', false, json::error_handler_t::replace);
}

void Interactor::KeepTranscripts() {
  if (!solution_opens_fifos_ && !relay_) relay_.emplace();
}

void Interactor::TalkInLines() {
  in_lines_ = !solution_opens_fifos_;
  KeepTranscripts();
}

std::vector<Interactor::Ends> Interactor::Start(const PackageTest& test, const std::string& transcript, const std::string& feedback) {
  std::vector<Ends> ends;
  std::vector<Fd> own;
  Relay::Talk talk{.lines = {}, .in_lines = in_lines_, .title = "test " + test.name, .path = transcript};
  for (unsigned i = 0; i < processes_; ++i) {
    Ends& its = ends.emplace_back();
    if (solution_opens_fifos_) {
      unheard_.Hold(sys::Open(fifos_->HostToSolution(i), O_RDONLY | O_NONBLOCK));
      continue;
    }
    sys::Pipe to_solution = sys::MakePipe(), from_solution = sys::MakePipe();
    its = {std::move(to_solution.read_end), std::move(from_solution.write_end)};
    if (!relay_) {
      unheard_.Hold(sys::Duplicate(its.input.get()));
      own.push_back(std::move(from_solution.read_end));
      own.push_back(std::move(to_solution.write_end));
      continue;
    }
    if (fifos_) {
      talk.lines.push_back({std::move(from_solution.read_end), std::move(to_solution.write_end), {}, {}, fifos_->HostToSolution(i), fifos_->HostFromSolution(i)});
      continue;
    }
    sys::Pipe to_interactor = sys::MakePipe(), from_interactor = sys::MakePipe();
    talk.lines.push_back({std::move(from_solution.read_end), std::move(to_solution.write_end), std::move(from_interactor.read_end), std::move(to_interactor.write_end)});
    own.push_back(std::move(to_interactor.read_end));
    own.push_back(std::move(from_interactor.write_end));
  }
  if (relay_ && fifos_) {
    sys::Pipe life = sys::MakePipe();
    talk.interactor_ends = std::move(life.read_end);
    own.push_back(std::move(life.write_end));
  }
  if (relay_) relay_->Start(talk);
  std::vector<int> descriptors;
  for (const Fd& fd : own) descriptors.push_back(fd.get());
  const json request{{"input", test.input}, {"answer", test.answer}, {"arguments", test.checker_arguments}, {"feedback", feedback}};
  companion_.Send(request, descriptors);
  return ends;
}

void Interactor::Release(unsigned i) const {
  if (solution_opens_fifos_) fifos_->Release(i);
}

Interactor::End Interactor::Wait() {
  const bool in_lines = relay_ && relay_->Wait() && in_lines_;
  Unheard unheard = std::exchange(unheard_, {});
  const json answer = json::parse(companion_.Wait([&] {
    unheard.MakeRoom();
    if (solution_opens_fifos_) fifos_->ReleaseAll();
  }));
  if (answer.contains("failure")) throw SystemError("interactor: " + answer["failure"].get<std::string>(), 0);
  End end{.verdict = {}, .died_of_pipe = answer.at("died_of_pipe"), .out_of_time = answer.at("out_of_time"), .ended = Nanoseconds(answer.at("ended").get<std::int64_t>()), .in_lines = in_lines};
  end.verdict.outcome = static_cast<CheckerVerdict::Outcome>(answer.at("outcome").get<int>());
  end.verdict.percentage = {answer.at("percentage")[0], answer.at("percentage")[1]};
  end.verdict.comment = answer.at("comment");
  return end;
}

}  // namespace tally

// The interactive-exec jobs: the solution, or several processes of it, talk to an interactor that the job brings.
#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "base/error.h"
#include "jobs/checking.h"
#include "jobs/exec_options.h"
#include "jobs/files.h"
#include "jobs/interactor.h"
#include "jobs/job.h"
#include "jobs/judge_observer.h"
#include "jobs/peer.h"
#include "jobs/program.h"
#include "jobs/test_run.h"
#include "jobs/tool.h"
#include "jobs/zipped_input.h"

namespace tally {
namespace {

constexpr std::uint64_t kMostProcesses = 64;
constexpr Nanoseconds kAsLongAsItTakes = std::chrono::hours(1);

// SIO's is the protocol that has several.
InteractorProgram ReadInteractor(const Environ& environ) {
  InteractorProgram interactor;
  const auto processes = BoundedCount(environ, "num_processes", "processes", kMostProcesses);
  if (processes == 0u) throw UserError("num_processes: 0 leaves nobody to talk to; the default is 1");
  interactor.processes = static_cast<unsigned>(processes.value_or(1));
  const std::string protocol = environ.TextOr("interactor_protocol", "sio");
  if (protocol == "sio") {
    interactor.protocol = CheckerProtocol::kSio;
  } else if (protocol == "testlib") {
    interactor.protocol = CheckerProtocol::kTestlib;
  } else if (protocol == "kattis") {
    interactor.protocol = CheckerProtocol::kKattis;
  } else {
    throw UserError(fmt::format("interactor_protocol: \"{}\" is unknown; expected one of: sio, testlib, kattis", protocol));
  }
  if (interactor.processes > 1 && interactor.protocol != CheckerProtocol::kSio) throw UserError("num_processes: several processes need interactor_protocol sio");
  return interactor;
}

PackageTest ReadTest(const Environ& environ, const JobFiles& files, const TemporaryDirectory& directory) {
  PackageTest test;
  test.name = "in_file";
  test.input = "/dev/null";
  if (const auto name = environ.OptionalText("in_file")) test.input = UnpackedInput("in_file", files.Fetch("in_file", *name), directory.File("in"), environ.rules().bounds.unpacked);
  test.answer = kNoAnswer;
  if (const auto name = environ.OptionalText("hint_file")) test.answer = files.Fetch("hint_file", *name);
  return test;
}

// From the interactor, a number with a few places.
Percentage AsFraction(double value) {
  constexpr std::int64_t kPlaces = 1'000'000;
  if (value == std::floor(value)) return {static_cast<std::int64_t>(value), 1};
  return {std::llround(value * kPlaces), kPlaces};
}

void TakeResults(const std::string& text, Environ* environ) {
  nlohmann::json results = Environ::Parse(text, "the run").object();
  EraseTimes(&results);
  for (const auto& [key, value] : results.items()) environ->object()[key] = value;
  if (results.contains("result_percentage")) WritePercentage(AsFraction(results["result_percentage"].get<double>()), environ);
}

}  // namespace

void RunInteractiveJob(Environ* environ) {
  const ExecKind kind = *InteractiveKindOf(environ->Text("job_type"));
  const ExecOptions options = ReadExecOptions(kind, *environ);
  const InteractorProgram with = ReadInteractor(*environ);
  const JobFiles files(*environ);
  const ExecInfo info = ExecInfo::Read(*environ);
  const std::string exe = files.Fetch("exe_file", environ->Text("exe_file"));
  const TemporaryDirectory directory;
  const PackageTest test = ReadTest(*environ, files, directory);
  // The interactor is the package's and no more trusted than a checker; it is confined where the solution is not.
  const Isolation isolation = options.isolation == Isolation::kNone ? Isolation::kFull : options.isolation;
  const Tool tool("interactor_file", files.Fetch("interactor_file", environ->Text("interactor_file")), {}, isolation);

  WorkerFiles worker;
  worker.output = directory.File("out");
  worker.error = directory.File("err");
  worker.interactor = std::make_unique<Interactor>(tool, with, isolation, options.limits.wall_time.value_or(kAsLongAsItTakes));
  const bool in_lines = kind == ExecKind::kVcpuExec;
  if (in_lines) worker.interactor->TalkInLines();
  std::vector<std::unique_ptr<Program>> programs;
  for (unsigned i = 0; i < with.processes; ++i) {
    Program& program = *programs.emplace_back(std::make_unique<Program>("exe_file", exe, info, options));
    program.AddArguments(worker.interactor->ArgumentsFor(i));
    if (in_lines) program.InputComesInLines();
  }
  for (unsigned i = 1; i < with.processes; ++i) {
    const Program* const program = programs[i].get();
    worker.peers.push_back(std::make_unique<Peer>(i, *worker.interactor, [program](const std::string&) -> const Program& { return *program; }, directory.File(fmt::format("err-{}", i))));
  }
  TakeResults(RunTest(*programs[0], kind, CheckOptions{.isolation = isolation}, test, worker, {}, ObservedWorker(nullptr, 0)), environ);
}

}  // namespace tally

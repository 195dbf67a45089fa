// `tally run [limits] -- PROGRAM ARGS`: one program, its output as it comes, and a readable summary.
#include <fmt/format.h>
#include <unistd.h>

#include <csignal>
#include <memory>
#include <string>
#include <vector>

#include "base/error.h"
#include "base/json_output.h"
#include "cli/commands.h"
#include "cli/prepared_run.h"
#include "cli/schedules.h"
#include "jobs/environ.h"
#include "jobs/exec_options.h"

namespace tally {
namespace {

struct RunArguments {
  ProgramArguments program;
  std::string counter = "auto", syscalls = "auto";
  std::string cpu_model = "x86-64-v3";
  std::uint64_t seed = 0;
  std::string schedule_seed = "0";
  std::vector<std::string> virtual_off;
  std::string json;
  bool quiet = false, exit_code = false;
};

std::string Json(const RunResult& result) {
  Environ environ;
  WriteRunResult(ExecKind::kExec, result, &environ);
  return environ.Dump();
}

// What a shell would have said of the program, had it started it itself; 124 where we stopped it, as timeout(1) has it.
int StatusOf(const RunResult& result) {
  constexpr int kStopped = 124, kSignalled = 128;
  if (result.code != ResultCode::kOk && result.code != ResultCode::kRe) return kStopped;
  if (result.exit_code) return *result.exit_code;
  return kSignalled + result.signal.value_or(SIGKILL);
}

int RunOnce(const RunArguments& a) {
  const JsonOutput json(a.json);
  RunRequest request;
  request.counter = ParseCounter("--counter", a.counter);
  request.syscalls = ParseSyscallCounting("--syscalls", a.syscalls);
  request.virtual_cpu.model = ParseCpuModel("--cpu", a.cpu_model);
  request.virtual_cpu.seed = a.seed;
  const ScheduleSeeds seeds = ParseScheduleSeeds("--schedule-seed", a.schedule_seed);
  request.virtual_cpu.schedule_seed = seeds.first;
  if (seeds.last != 0 && request.counter == Counter::kAuto) request.counter = Counter::kTranslator;
  if (seeds.last != 0 && request.counter != Counter::kTranslator) throw UserError("--schedule-seed: only --counter translator lets threads and processes take turns");
  request.virtual_cpu.rules = ParseRulesOff("--virtual-off", a.virtual_off);
  PreparedRun run(a.program, request);
  if (seeds.IsRange()) {
    if (a.exit_code) throw UserError("--exit-code: many runs have no status of one program");
    ExploreSchedules(&run, seeds, json);
    return kExitJobRan;
  }
  // With --json stdout is the report's, so the program's output needs a place of its own.
  if (json.to_stdout()) run.WriteTo(STDERR_FILENO);
  const RunResult result = run.Run();
  if (json.wanted()) json.Write(Json(result));
  if (!json.to_stdout() && (!a.quiet || result.code != ResultCode::kOk)) PrintRunSummary(result);
  return a.exit_code ? StatusOf(result) : kExitJobRan;
}

constexpr const char* kFooter =
    "Examples:\n"
    "  tally run -- ./solution < test.in\n"
    "  tally run --time 1s --memory 64M -- ./solution < test.in > test.out\n"
    "  tally run --counter translator -- ./program  count its instructions, exactly\n"
    "  tally run --processes 4 --schedule-seed 1..200 -- ./threads < test.in  does what it prints depend on whose turn it is?\n"
    "  tally run --processes 8 --sandbox interpreter-sandbox --file sol.py -- python3 sol.py\n"
    "Without --time and --memory nothing is limited, but the sandbox holds.";

}  // namespace

void AddRunCommand(CommandLine* line) {
  Command command = line->Add("run", "Run one program in a sandbox and say what it did and used");
  auto a = std::make_shared<RunArguments>();
  command.Footer(kFooter);
  command.Option("command", a->program.command, "The program and its arguments, behind --").Required();
  AddProgramOptions(&command, &a->program);
  command.Option("--counter", a->counter, "Who counts instructions").OneOf("auto|perf|translator|step|none");
  command.Option("--cpu", a->cpu_model, "The processor a program sees whose --counter is named")
      .OneOf("x86-64-v3|x86-64-v2|x86-64-v4");
  command.Option("--seed", a->seed, "Decides its random numbers (default 0)");
  command.Option("--schedule-seed", a->schedule_seed, "Decides the turns of its threads and processes (default 0); 1..1000: one run each, and a table of what came of them");
  command.Option("--virtual-off", a->virtual_off,
                      "What is to be this machine's (see docs/virtual-cpu.md)")
      .OneOf("addresses|cpu|random|schedule|system|time");
  command.Option("--syscalls", a->syscalls, "How to count system calls").OneOf("auto|tracepoint|trace|off");
  command.JsonOption(a->json, "The result");
  command.Flag("--exit-code", a->exit_code, "End with the program's own exit status: 128 and its number for a signal, 124 where it was stopped at a limit");
  command.Flag("-q,--quiet", a->quiet, "No summary when the verdict is OK");
  command.Does([a] { return RunOnce(*a); });
}

}  // namespace tally

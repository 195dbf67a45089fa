// `tally run [limits] -- PROGRAM ARGS`: one program, its output as it comes, and a readable summary.
#include <fmt/format.h>
#include <unistd.h>

#include <memory>
#include <string>
#include <vector>

#include "base/error.h"
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
  bool json = false, quiet = false;
};

void PrintJson(const RunResult& result) {
  Environ environ;
  WriteRunResult(ExecKind::kExec, result, &environ);
  fmt::print("{}", environ.Dump());
}

int RunOnce(const RunArguments& a) {
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
    ExploreSchedules(&run, seeds, a.json);
    return kExitJobRan;
  }
  // With --json stdout is the report's, so the program's output needs a place of its own.
  if (a.json) run.WriteTo(STDERR_FILENO);
  const RunResult result = run.Run();
  if (a.json) {
    PrintJson(result);
  } else if (!a.quiet || result.code != ResultCode::kOk) {
    PrintRunSummary(result);
  }
  return kExitJobRan;
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
      .OneOf("x86-64-v3|x86-64-v2");
  command.Option("--seed", a->seed, "Decides its random numbers (default 0)");
  command.Option("--schedule-seed", a->schedule_seed, "Decides the turns of its threads and processes (default 0); 1..1000: one run each, and a table of what came of them");
  command.Option("--virtual-off", a->virtual_off,
                      "What is to be this machine's (see docs/virtual-cpu.md)")
      .OneOf("addresses|cpu|random|schedule|system|time");
  command.Option("--syscalls", a->syscalls, "How to count system calls").OneOf("auto|tracepoint|trace|off");
  command.Flag("--json", a->json, "The result as JSON on stdout; the program's output goes to stderr then");
  command.Flag("-q,--quiet", a->quiet, "No summary when the verdict is OK");
  command.Does([a] { return RunOnce(*a); });
}

}  // namespace tally

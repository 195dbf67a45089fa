#include "cli/prepared_run.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>

#include "base/columns.h"
#include "base/environment.h"
#include "base/error.h"
#include "base/sys.h"
#include "cli/option_values.h"
#include "cli/program_place.h"
#include "cli/terminal.h"
#include "jobs/exec_options.h"
#include "jobs/program.h"
#include "sandboxes/sandbox_store.h"
#include "supervisor/machine/virtual_files.h"
#include "supervisor/run/make_engine.h"
#include "supervisor/run/process_executor.h"
#include "supervisor/translator/persist/translation_folder.h"

namespace tally {
namespace {

Limits ReadLimits(const ProgramArguments& a) {
  Limits limits;
  if (const auto time = Given("--time", a.time, ParseTimeLimit)) {
    limits = DefaultLimits(ExecKind::kExec, *time);
    if (::isatty(STDIN_FILENO) == 1 && !a.stdin_file) limits.idle_time.reset();  // it may wait for a person
  }
  if (const auto given = Given("--cpu-time", a.cpu_time, ParseDuration)) limits.cpu_time = given;
  if (const auto given = Given("--wall", a.wall, ParseDuration)) limits.wall_time = given;
  if (const auto given = Given("--idle", a.idle, ParseDuration)) limits.idle_time = given;
  limits.memory = Given("--memory", a.memory, ParseMemoryLimit);
  limits.stack = Given("--stack", a.stack, ParseMemoryLimit);
  limits.output = Given("--output-limit", a.output_limit, ParseBytes);
  limits.instructions = Given("--instructions", a.instructions, ParseInstructions);
  if (a.processes == 0) throw UserError("--processes: 0 leaves no process to run; the default is 1");
  limits.processes = a.processes;
  return limits;
}

int OrInherited(const Fd& fd, int inherited) { return fd.valid() ? fd.get() : inherited; }

Fd OpenStream(const char* option, const std::optional<std::string>& path, int flags) {
  if (!path) return Fd();
  try {
    return sys::Open(*path, flags, 0666);
  } catch (const SystemError& error) {
    throw UserError(fmt::format("{}: {}: {}", option, *path, ErrnoText(error.error())));
  }
}

void CheckEnvironment(const std::vector<std::string>& entries) {
  for (const std::string& entry : entries) {
    if (entry.find('=') == std::string::npos || entry.front() == '=') {
      throw UserError(fmt::format("--env: \"{}\": expected KEY=VALUE", entry));
    }
  }
}

// The program first, if it has to be, then the files beside it.
std::vector<PlacedFile> PlaceFiles(const ProgramPlace& program, const std::vector<std::string>& files) {
  std::vector<PlacedFile> placed;
  if (program.is_placed) placed.push_back({std::filesystem::absolute(program.file), program.inside, false, true});
  for (const std::string& file : files) {
    if (!std::filesystem::exists(file)) throw UserError(fmt::format("--file: {}: no such file", file));
    const std::string absolute = std::filesystem::absolute(file);
    for (const PlacedFile& other : placed) {
      if (other.inside == InBox(absolute)) {
        throw UserError(fmt::format("--file: {} would hide {}: both are {} in the sandbox", file, other.host_path,
                                    other.inside));
      }
    }
    placed.push_back({absolute, InBox(absolute), false, true});
  }
  return placed;
}

template <typename T, typename Format>
std::string Figure(const Measured<T>& figure, Format format) {
  return figure.has_value() ? format(figure.value()) : "not measured: " + figure.reason();
}

// "x86-64-v3; virtual: addresses cpu random schedule system time; seed 0; the count is deterministic"
std::string VirtualCpuText(const RunResult& r) {
  const VirtualCpuOptions& used = r.virtual_cpu;
  std::string text = "virtual: " + used.rules.Names();
  if (used.rules.Has(VirtualRule::kCpu)) text = fmt::format("{}; {}", Name(used.model), text);
  if (used.rules.Has(VirtualRule::kRandom)) text += fmt::format("; seed {}", used.seed);
  if (used.rules.Has(VirtualRule::kSchedule) && used.schedule_seed != 0) text += fmt::format("; schedule seed {}", used.schedule_seed);
  return text + (r.count_varies.empty() ? "; the count is deterministic" : "; the count may vary: " + r.count_varies);
}

}  // namespace

void AddProgramOptions(Command* command, ProgramArguments* a) {
  command->PositionalsAtEnd();
  command->Option("-t,--time", a->time,
                      "User CPU time (1s, 500ms); also sets all CPU time to 1.25 times it, real time to twice it plus 1 s, idle time to 2 s");
  command->Option("--cpu-time", a->cpu_time, "User and system CPU time together");
  command->Option("--wall", a->wall, "Real time");
  command->Option("--idle", a->idle, "Real time in which no CPU time passes and the program does not wait for a processor");
  command->Option("-m,--memory", a->memory, "Memory (64M)");
  command->Option("--stack", a->stack, "Stack; bounded by the memory limit unless given");
  command->Option("--output-limit", a->output_limit, "Bytes on stdout, on stderr, and in any one file");
  command->Option("-n,--instructions", a->instructions, "Instructions (5000000, 5m, 2g); where no hardware counts them, the translator does");
  command->Option("-p,--processes", a->processes, "Processes and threads at one time (default 1)");
  command->Option("--memory-by", a->memory_by, "How memory is limited and measured").OneOf("auto|cgroup|address-space|resident");
  command->Option("--isolation", a->isolation, "reduced is without namespaces, for hosts that forbid them; auto: full where it can be had")
      .OneOf("full|reduced|auto");
  command->Flag("--unsafe", a->unsafe, "No sandbox at all, only limits: for programs you trust");
  command->Option("--sandbox", a->sandbox, "Sandbox description (default exec-sandbox)").OneOf("SANDBOX");
  command->Option("--file", a->files, "A file the program finds in its folder /box (repeatable)");
  command->Option("--env", a->environment, "KEY=VALUE for the program (repeatable)");
  command->Option("--stdin", a->stdin_file, "File for stdin");
  command->Option("--stdout", a->stdout_file, "File for stdout");
  command->Option("--stderr", a->stderr_file, "File for stderr");
}

PreparedRun::PreparedRun(const ProgramArguments& a, RunRequest request)
    : request_(std::move(request)) {
  const Isolation isolation = a.unsafe ? Isolation::kNone : ParseIsolation("--isolation", a.isolation);
  CheckEnvironment(a.environment);
  request_.limits = ReadLimits(a);
  request_.counter = ChosenCounter(request_.counter, request_.limits);
  request_.memory_by = ParseMemoryBy("--memory-by", a.memory_by);
  request_.translation_folder = TranslationFolder();

  RootSpec root = SandboxStore().Get(a.sandbox);
  ShowVirtualFiles(request_.counter, request_.virtual_cpu, &root);
  const ProgramPlace program = FindProgram(a.command.front(), root, isolation == Isolation::kFull);
  program_ = program.file;
  sandbox_.emplace(ProcessExecutor().sandboxes(), root, PlaceFiles(program, a.files), isolation);

  request_.program = sandbox_->PathInside(program.inside);
  request_.argv = a.command;
  request_.env = MergedEnvironment(root.env, a.environment);
  if (isolation != Isolation::kFull) request_.work_dir = std::filesystem::current_path();
  in_ = OpenStream("--stdin", a.stdin_file, O_RDONLY);
  out_ = OpenStream("--stdout", a.stdout_file, O_WRONLY | O_CREAT | O_TRUNC | O_APPEND);
  error_ = OpenStream("--stderr", a.stderr_file, O_WRONLY | O_CREAT | O_TRUNC | O_APPEND);
  request_.stdin_fd = OrInherited(in_, STDIN_FILENO);
  request_.stdout_fd = OrInherited(out_, STDOUT_FILENO);
  request_.stderr_fd = OrInherited(error_, STDERR_FILENO);
}

void PreparedRun::WriteTo(int stdout_fd) { request_.stdout_fd = OrInherited(out_, stdout_fd); }

void PreparedRun::Stream(int stdin_fd, int stdout_fd, int stderr_fd) {
  request_.stdin_fd = stdin_fd;
  WriteTo(stdout_fd);
  request_.stderr_fd = OrInherited(error_, stderr_fd);
}

RunResult PreparedRun::Run() const {
  try {
    return ProcessExecutor().Run(request_, *sandbox_);
  } catch (const CannotExecute& refusal) {
    ExplainRefusal("program", program_, refusal);
  }
}

void PrintRunSummary(const RunResult& r) {
  constexpr std::size_t kIndent = 16;
  const bool colour = WantsColour(STDERR_FILENO);
  const std::size_t terminal = TerminalColumns(STDERR_FILENO);
  const auto line = [&](const char* name, const std::string& text) {
    const std::string whole = Wrapped(fmt::format("  {:<13} {}", name, text), terminal, terminal > 2 * kIndent ? kIndent : 2);
    const std::size_t end = std::min(kIndent, whole.size());
    fmt::print(stderr, "{}{}\n", Dim(whole.substr(0, end), colour), whole.substr(end));
  };
  const std::string_view code = Name(r.code);
  fmt::print(stderr, "{}{}\n", PaintCode(r.code, colour), Wrapped(fmt::format("{}  {}", code, r.sentence), terminal, 2).substr(code.size()));
  const bool was_stopped = r.stop_time >= Milliseconds(1);
  // Their sum is exact, and what each has of it the clock's ticks say (docs/results.md).
  line("time", fmt::format("{} CPU ({} user, {} system), {} real{}", FormatDuration(r.user_time + r.sys_time), FormatDuration(r.user_time), FormatDuration(r.sys_time), FormatDuration(r.wall_time),
                           was_stopped ? fmt::format(" ({} of it in stops of Tally's)", FormatDuration(r.stop_time)) : ""));
  line("memory", Figure(r.memory, [&](Bytes b) { return fmt::format("{} ({})", FormatBytes(b), r.memory_metric); }));
  line("instructions", Figure(r.instructions, [&](Instructions n) {
         return fmt::format("{} ({}), {} of virtual time", FormatCount(n.count), r.counter, FormatDuration(ExactVirtualTime(n)));
       }));
  line("system calls",
       Figure(r.syscalls, [&](std::uint64_t n) { return fmt::format("{} ({})", FormatCount(n), r.syscall_counter); }));
  line("output", Figure(r.output, FormatBytes));
  line("isolation", r.isolation);
  if (r.virtual_cpu.rules != VirtualRules::None()) line("virtual CPU", VirtualCpuText(r));
}

}  // namespace tally

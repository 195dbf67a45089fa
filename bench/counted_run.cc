#include "bench/counted_run.h"

#include <fmt/format.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <functional>

#include "base/error.h"
#include "base/fd.h"
#include "base/sys.h"
#include "jobs/exec_options.h"
#include "sandboxes/sandbox_store.h"
#include "supervisor/run/process_executor.h"

namespace tally {
namespace {

double CpuOf(int who) {
  rusage usage{};
  ::getrusage(who, &usage);
  return Seconds(usage);
}

// In the child. Whether the program counts among our children depends on who reaped it first; its own figure is in the result.
Cost RunHere(const BenchProgram& program, Counter counter, const std::string& translations) {
  const Nanoseconds start = sys::MonotonicNow();
  const double before = CpuOf(RUSAGE_SELF);
  std::vector<PlacedFile> files;
  if (!program.path.empty()) files.push_back({program.path, "/box/program", false, true});
  for (const std::string& file : program.files) files.push_back({file, "/box/" + std::filesystem::path(file).filename().string(), false, false});
  const Sandbox sandbox(ProcessExecutor().sandboxes(), SandboxStore().Get(program.sandbox), files);
  const Fd output(::memfd_create("output", MFD_CLOEXEC));
  RunRequest request;
  request.program = program.path.empty() ? program.command[0] : sandbox.PathInside("/box/program");
  request.argv = program.command;
  request.env = sandbox.spec().env;
  request.stdout_fd = output.get();
  request.limits.processes = program.processes;
  request.counter = counter;
  request.translation_folder = translations;
  request.syscalls = SyscallCounting::kOff;
  const RunResult result = ProcessExecutor().Run(request, sandbox);
  if (result.code != ResultCode::kOk) throw SystemError(program.command[0] + ": " + result.sentence, 0);
  Cost cost;
  const double children = std::chrono::duration<double>(result.user_time + result.sys_time).count();
  cost.cpu = CpuOf(RUSAGE_SELF) - before + std::max(children, CpuOf(RUSAGE_CHILDREN));
  cost.wall = std::chrono::duration<double>(sys::MonotonicNow() - start).count();
  if (result.instructions.has_value()) cost.instructions = result.instructions.value().count;
  ::lseek(output.get(), 0, SEEK_SET);
  cost.output = std::hash<std::string>()(sys::ReadAll(output.get(), "output"));
  return cost;
}

}  // namespace

double Seconds(const rusage& usage) {
  const auto seconds = [](const timeval& t) { return static_cast<double>(t.tv_sec) + 1e-6 * static_cast<double>(t.tv_usec); };
  return seconds(usage.ru_utime) + seconds(usage.ru_stime);
}

Cost Measure(const BenchProgram& program, Counter counter, const std::string& translations) {
  const sys::Pipe pipe = sys::MakePipe();
  std::fflush(stdout);
  const pid_t pid = ::fork();
  if (pid == 0) {
    try {
      const Cost cost = RunHere(program, counter, translations);
      ProcessExecutor().RetireAll();
      ::_exit(::write(pipe.write_end.get(), &cost, sizeof cost) == sizeof cost ? 0 : 2);
    } catch (const std::exception& error) {
      fmt::print(stderr, "count: {}\n", error.what());
      ::_exit(2);
    }
  }
  int status = 0;
  ::waitpid(pid, &status, 0);
  Cost cost;
  if (status != 0 || ::read(pipe.read_end.get(), &cost, sizeof cost) != sizeof cost) {
    throw SystemError("a run under " + program.command[0], 0);
  }
  return cost;
}

double Median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values[values.size() / 2];
}

Compared Compare(const BenchProgram& program, Counter counter, int rounds, const std::string& translations) {
  std::vector<double> native, ratios;
  Compared compared;
  for (int round = 0; round < rounds; ++round) {
    const Cost without = Measure(program, Counter::kNone);
    const Cost with = Measure(program, counter, translations);
    if (with.output != without.output) throw SystemError(program.command[0] + ": another output when counted", 0);
    native.push_back(without.cpu);
    ratios.push_back(with.cpu / without.cpu);
    compared.varies = compared.varies || (round != 0 && with.instructions != compared.instructions);
    compared.instructions = with.instructions;
  }
  compared.native = Median(native);
  compared.ratio = Median(ratios);
  compared.least = *std::min_element(ratios.begin(), ratios.end());
  compared.most = *std::max_element(ratios.begin(), ratios.end());
  return compared;
}

void PrintHead() { fmt::print("{:<22} {:>9} {:>7} {:>13} {:>17}\n", "", "native s", "ratio", "between", "instructions"); }

void Print(const std::string& name, const Compared& compared) {
  fmt::print("{:<22} {:>9.3f} {:>7.2f} {:>13} {:>17}{}\n", name, compared.native, compared.ratio, fmt::format("{:.2f}-{:.2f}", compared.least, compared.most),
             compared.instructions, compared.varies ? " varies" : "");
  std::fflush(stdout);
}

void Ratios::Add(double ratio) {
  logarithms += std::log(ratio);
  worst = std::max(worst, ratio);
  ++n;
}

double Ratios::geomean() const { return std::exp(logarithms / n); }

TemporaryFolder::TemporaryFolder() {
  if (::mkdtemp(path_.data()) == nullptr) throw SystemError("mkdtemp", errno);
}

}  // namespace tally

// What a run costs beyond the program itself: the wall time of a static program that exits 0, by fork and
// execve, by `tally run` (cold: a new process each time), by a warm batch in this process, by bwrap where it
// is installed, and by the calls of the kernel alone that a cold run makes (bare_sandbox.c). All ways take turns in one
// run, so that load hits them alike; figures are ratios of medians to fork+exec, with the 10th and 90th percentile of the
// ratio beside. Some once more after a rest, as tests of some length leave one between starts: what the kernel postpones
// is then to be waited for.
//
// Also the overshoot of a CPU limit: how much user time a busy loop got beyond its limit; and what a system call costs that a
// stop counts, as in single runs.
#include <fmt/format.h>

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "base/error.h"
#include "bench/turns.h"
#include "sandboxes/sandbox_store.h"
#include "supervisor/resources/cgroup_parent.h"
#include "supervisor/run/process_executor.h"
#include "supervisor/sandbox/private_mounts.h"

namespace tally {
namespace {

constexpr int kOvershootRounds = 10;
constexpr Milliseconds kCpuLimit{200};

RunRequest RequestFor(const Sandbox& sandbox) {
  RunRequest request;
  request.program = sandbox.PathInside("/box/program");
  request.argv = {"program"};
  request.limits.memory = Bytes::MiB(64);
  request.limits.user_time = std::chrono::seconds(1);
  request.limits.wall_time = std::chrono::seconds(3);
  request.limits.idle_time = std::chrono::seconds(2);
  request.limits.output = Bytes::MiB(50);
  return request;
}

void MeasureOvershoot(const SandboxStore& store, const std::string& busy_loop) {
  const Sandbox sandbox(ProcessExecutor().sandboxes(), store.Get("exec-sandbox"), {{busy_loop, "/box/program", false, true}});
  RunRequest request = RequestFor(sandbox);
  request.limits.user_time = kCpuLimit;
  std::vector<double> overshoot;
  for (int i = 0; i < kOvershootRounds; ++i) {
    const RunResult result = ProcessExecutor().Run(request, sandbox);
    if (result.code != ResultCode::kTle) throw SystemError("the busy loop was not stopped: " + result.sentence, 0);
    overshoot.push_back(std::chrono::duration<double, std::milli>(result.user_time - kCpuLimit).count());
  }
  const double worst = Percentile(overshoot, 1.0);
  fmt::print("\nCPU limit of {} ms, overshoot in ms: median {:.2f}, worst {:.2f} of {}; goal <= 10: {}\n",
             kCpuLimit.count(), Percentile(overshoot, 0.5), worst, kOvershootRounds, worst <= 10 ? "met" : "MISSED");
}

double MicrosecondsOfCall(const Sandbox& sandbox, SyscallCounting counting) {
  constexpr double kCalls = 20'000;  // what the run costs besides is less than a call in a hundred
  RunRequest request = RequestFor(sandbox);
  request.argv = {"program", "20000"};
  request.syscalls = counting;
  const RunResult result = ProcessExecutor().Run(request, sandbox);
  if (result.code != ResultCode::kOk) throw SystemError("system calls: " + result.sentence, 0);
  return std::chrono::duration<double, std::micro>(result.wall_time).count() / kCalls;
}

void MeasureStops(const SandboxStore& store, const std::string& many_calls) {
  const Sandbox sandbox(ProcessExecutor().sandboxes(), store.Get("exec-sandbox"), {{many_calls, "/box/program", false, true}});
  std::vector<double> natively;
  std::vector<double> by_stops;
  for (int i = 0; i < kOvershootRounds; ++i) {
    natively.push_back(MicrosecondsOfCall(sandbox, SyscallCounting::kOff));
    by_stops.push_back(MicrosecondsOfCall(sandbox, SyscallCounting::kTrace));
  }
  fmt::print("system call: {:.2f} us, counted by a stop {:.1f} (p10 {:.1f}, p90 {:.1f})\n", Percentile(natively, 0.5),
             Percentile(by_stops, 0.5), Percentile(by_stops, 0.1), Percentile(by_stops, 0.9));
}

// As root, and with a memory cgroup where that is one of version 1.
void AddBareSandbox(const std::string& executable, const std::string& program, std::vector<Way>* ways) {
  if (!CanChangeUser()) {
    fmt::print("the kernel's calls alone are measured as root only\n");
    return;
  }
  std::string why;
  const std::optional<CgroupParent> room = FindCgroupParent("memory", &why);
  const bool has_cgroup = room && room->version == 1;
  if (!has_cgroup) fmt::print("the kernel's calls alone are without those for a memory cgroup: {}\n", room ? "version 2" : why);
  std::vector<std::string> command{executable, program};
  if (has_cgroup) command.push_back(room->directory);
  ways->push_back({"the kernel's calls alone, cold", 0, [command] { MustSucceed(command); }, {}, {}});
}

int Main() {
  const std::string bin = std::filesystem::read_symlink("/proc/self/exe").parent_path();
  const std::string programs = bin + "/../tests/programs/";
  const Copies copies(bin);
  const std::string exit_zero = programs + "exit_zero";
  const std::string executable = copies.Of(bin + "/tally");
  const SandboxStore store;
  ProcessExecutor().PrepareForManyRuns();
  const Sandbox sandbox(ProcessExecutor().sandboxes(), store.Get("exec-sandbox"), {{exit_zero, "/box/program", false, true}});
  const RunRequest request = RequestFor(sandbox);

  std::vector<Way> ways;
  ways.push_back({"fork+exec", 0, [&] { MustSucceed({exit_zero}); }, {}, {}});
  ways.push_back({"tally run, cold", 4.0,
                  [&] {
                    MustSucceed({executable, "run", "--time", "1s", "--memory", "64M", "--quiet", "--", exit_zero});
                  },
                  {}, {}});
  ways.push_back({"tally, warm batch", 1.6,
                  [&] {
                    if (ProcessExecutor().Run(request, sandbox).code != ResultCode::kOk) throw SystemError("warm run", 0);
                  },
                  {}, {}});
  AddBwrap(exit_zero, &ways);
  AddBareSandbox(copies.Of(bin + "/bare_sandbox"), exit_zero, &ways);
  TakeTurns(&ways);
  Report(ways);
  MeasureOvershoot(store, programs + "busy_loop");
  MeasureStops(store, programs + "syscalls_n");
  return 0;
}

}  // namespace
}  // namespace tally

int main() {
  try {
    return tally::Main();
  } catch (const std::exception& error) {
    fmt::print(stderr, "run_overhead: {}\n", error.what());
    return 2;
  }
}

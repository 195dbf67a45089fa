// `tally check-host`: what this machine can do for Tally, and what to change where it cannot.
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "base/columns.h"
#include "base/error.h"
#include "base/json_output.h"
#include "base/kernel_version.h"
#include "base/sys.h"
#include "cli/commands.h"
#include "cli/terminal.h"
#include "compilers/compiler_store.h"
#include "compilers/toolchain.h"
#include "sandboxes/sandbox_store.h"
#include "supervisor/engines/perf_counter.h"
#include "supervisor/machine/cpuid_faulting.h"
#include "supervisor/machine/processor_flags.h"
#include "supervisor/resources/memory_meter.h"
#include "supervisor/resources/syscall_counter.h"
#include "supervisor/run/process_executor.h"
#include "supervisor/sandbox/landlock.h"
#include "supervisor/sandbox/private_mounts.h"

namespace tally {
namespace {

enum class State { kGood, kNote, kBad };

struct Finding {
  std::string topic;
  State state;
  std::string text;
};

std::string FirstLine(const std::string& path, const std::string& fallback) {
  const std::string text = sys::TryReadFile(path).value_or(fallback);
  return text.substr(0, text.find('\n'));
}

// In a process of its own: it moves into other namespaces.
template <typename Function>
std::optional<std::string> FailureInChild(Function function) {
  sys::Pipe pipe = sys::MakePipe();
  const pid_t pid = ::fork();
  if (pid == 0) {
    std::string text;
    try {
      function();
    } catch (const std::exception& error) {
      text = error.what();
    }
    sys::WriteAll(pipe.write_end.get(), text, "pipe");
    ::_exit(0);
  }
  pipe.write_end.Reset();
  const std::string text = sys::ReadAll(pipe.read_end.get(), "pipe");
  ::waitpid(pid, nullptr, 0);
  if (text.empty()) return std::nullopt;
  return text;
}

Finding Kernel() {
  const std::string version = "Linux " + ToText(ThisKernel());
  if (ThisKernel() >= kOldestKernel) return {"kernel", State::kGood, version};
  return {"kernel", State::kBad, fmt::format("{}: full isolation needs Linux {} or newer (mount_setattr)", version, ToText(kOldestKernel))};
}

Finding Proc() {
  if (const auto failure = FailureInChild([] { RequireOwnProc(); })) return {"proc", State::kBad, *failure};
  return {"proc", State::kGood, "shows this PID namespace's processes"};
}

Finding Isolation() {
  if (ThisKernel() < kOldestKernel) return {"isolation", State::kBad, fmt::format("none: full isolation needs Linux {}", ToText(kOldestKernel))};
  const auto failure = FailureInChild([] { MountTmpfsForRoot(); });
  if (failure) return {"isolation", State::kBad, *failure};
  return {"isolation", State::kGood,
          CanChangeUser() ? "full: namespaces as root, programs run as another user"
                          : "full: namespaces through a user namespace, no root needed"};
}

Finding Landlock() {
  const int abi = LandlockAbi();
  if (abi == 0) return {"Landlock", State::kNote, "not in this kernel; only --isolation=reduced needs it"};
  return {"Landlock", State::kGood, fmt::format("ABI {}, for --isolation=reduced", abi)};
}

Finding Ptrace() {
  const std::string scope = FirstLine("/proc/sys/kernel/yama/ptrace_scope", "0");
  if (scope == "3") {
    return {"ptrace", State::kBad, "kernel.yama.ptrace_scope is 3: nothing can be traced; a reboot with 1 or less helps"};
  }
  if (scope == "2" && ::geteuid() != 0) {
    return {"ptrace", State::kBad, "kernel.yama.ptrace_scope is 2: run `sysctl kernel.yama.ptrace_scope=1` as root"};
  }
  return {"ptrace", State::kGood, "allowed"};
}

Finding Memory() {
  std::string why;
  if (const auto meter = ProcessExecutor().cgroups().MakeMeter(Limits{}, &why)) {
    return {"memory", State::kGood, "cgroup: " + meter->metric()};
  }
  return {"memory", State::kNote,
          fmt::format("address space (RLIMIT_AS), because there is no memory cgroup to be had: {}", why)};
}

Finding HardwareCounter() {
  const auto why = PerfCounter::WhyUnavailable();
  if (why) return {"PMU", State::kNote, *why};
  if (CpuidCanFault()) return {"PMU", State::kGood, "hardware counts instructions:u"};
  return {"PMU", State::kNote,
          "hardware counts instructions:u, but cpuid cannot be made to fault: with counter=perf programs see this processor"};
}

Finding Processor() {
  const std::string& missing = NotExecutedHere(CpuModel::kV3);
  if (missing.empty()) {
    const bool has_v4 = NotExecutedHere(CpuModel::kV4).empty();
    return {"processor", State::kGood, fmt::format("executes what the virtual CPU offers (x86-64-v3; {} x86-64-v4, AVX-512)", has_v4 ? "by option" : "not")};
  }
  if (!NotExecutedHere(CpuModel::kV2).empty()) {
    return {"processor", State::kBad, "older than x86-64-v2: instructions are counted with the virtual rule cpu off only"};
  }
  return {"processor", State::kNote, fmt::format("no {}: programs whose instructions are counted need cpu_model x86-64-v2", missing)};
}

Finding Tracepoints() {
  std::optional<std::string> why = FailureInChild([] {
    if (const auto& reason = TracepointCounter::Prepare(PrivateDirectory)) throw SystemError(*reason, 0);
  });
  if (!why) return {"system calls", State::kGood, "counted by tracepoint in batches, by stops in single runs"};
  return {"system calls", State::kNote, "counted by stops (4 to 10 us per call, more with several tasks), because " + *why};
}

Finding Swap() {
  const std::string swaps = sys::TryReadFile("/proc/swaps").value_or("");
  if (swaps.find('\n') + 1 < swaps.size()) {
    return {"swap", State::kNote, "on: memory limits bite late and times vary; `swapoff -a` as root"};
  }
  return {"swap", State::kGood, "off"};
}

Finding HyperThreads() {
  if (FirstLine("/sys/devices/system/cpu/smt/active", "0") == "1") {
    return {"SMT", State::kNote, "on: two runs on one core slow each other; `echo off > /sys/devices/system/cpu/smt/control`"};
  }
  return {"SMT", State::kGood, "off"};
}

Finding Governor() {
  const std::string governor = FirstLine("/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor", "");
  if (governor.empty()) return {"governor", State::kNote, "not visible (a virtual machine, usually): clock speeds may vary"};
  if (governor == "performance") return {"governor", State::kGood, governor};
  return {"governor", State::kNote, governor + ": times vary with the clock; `cpupower frequency-set -g performance`"};
}

Finding HugePages() {
  const std::string text = FirstLine("/sys/kernel/mm/transparent_hugepage/enabled", "");
  if (text.find("[always]") != std::string::npos) {
    return {"huge pages", State::kNote, "always: memory figures grow in steps of 2 MiB; `echo madvise > "
                                        "/sys/kernel/mm/transparent_hugepage/enabled`"};
  }
  return {"huge pages", State::kGood, text.empty() ? "none" : "not forced"};
}

std::vector<Finding> Sandboxes() {
  std::vector<Finding> out;
  const SandboxStore store;
  for (const char* name : {"exec-sandbox", "vcpu_exec-sandbox", "checker-sandbox", "compiler-default"}) {
    try {
      static_cast<void>(store.Describe(name));
      out.push_back({name, State::kGood, "described"});
    } catch (const UserError& error) {
      out.push_back({name, State::kBad, error.what()});
    }
  }
  return out;
}

std::vector<Finding> Compilers() {
  std::vector<Finding> out;
  const CompilerStore store;
  for (const CompilerSpec& spec : store.All()) {
    const Toolchain toolchain = Probe(spec);
    out.push_back({spec.name, toolchain.present ? State::kGood : State::kNote, toolchain.sentence});
  }
  return out;
}

void Print(const char* title, const std::vector<Finding>& findings, bool colour) {
  constexpr std::size_t kIndent = 26;
  const std::size_t terminal = TerminalColumns(STDOUT_FILENO);
  fmt::print("{}\n", Bold(title, colour));
  for (const Finding& finding : findings) {
    const char* mark = finding.state == State::kGood ? "ok  " : finding.state == State::kNote ? "note" : "BAD ";
    const char* style = finding.state == State::kGood ? "32" : finding.state == State::kNote ? "33" : "31";
    const std::string text = Wrapped(fmt::format("  {} {:<18} {}", mark, finding.topic, finding.text), terminal, terminal > 2 * kIndent ? kIndent : 7);
    const std::size_t end = 2 + std::string_view(mark).size();
    fmt::print("  {}{}\n", Paint(mark, style, colour), text.substr(end));
  }
}

nlohmann::json Json(const std::vector<Finding>& findings) {
  nlohmann::json list = nlohmann::json::array();
  for (const Finding& finding : findings) {
    const char* const state = finding.state == State::kGood ? "ok" : finding.state == State::kNote ? "note" : "bad";
    list.push_back({{"topic", finding.topic}, {"state", state}, {"text", finding.text}});
  }
  return list;
}

int CheckHost(const std::string& target) {
  const JsonOutput json(target);
  const bool colour = WantsColour(STDOUT_FILENO);
  const std::vector<Finding> host{Kernel(), Proc(),        Isolation(),   Ptrace(), Landlock(),     Memory(),   HardwareCounter(), Processor(),
                                  Tracepoints(), Swap(),   HyperThreads(), Governor(), HugePages()};
  // Line by line as it is found: probing all compilers takes a while.
  if (!json.to_stdout()) Print("This machine", host, colour);
  const std::vector<Finding> sandboxes = Sandboxes();
  if (!json.to_stdout()) Print("Sandboxes", sandboxes, colour);
  const std::vector<Finding> compilers = Compilers();
  if (!json.to_stdout()) Print("Compilers", compilers, colour);
  json.Write(nlohmann::json{{"machine", Json(host)}, {"sandboxes", Json(sandboxes)}, {"compilers", Json(compilers)}}.dump(2, ' ', false, nlohmann::json::error_handler_t::replace) + "\n");
  for (const auto* list : {&host, &sandboxes}) {
    for (const Finding& finding : *list) {
      if (finding.state == State::kBad) return kExitSystemError;
    }
  }
  return kExitJobRan;
}

}  // namespace

void AddCheckHostCommand(CommandLine* line) {
  Command command = line->Add("check-host", "Say what this machine can do, and what to change");
  command.Footer("ok: as it should be. note: works, could be better. BAD: programs cannot be judged; exit status 2. Examples:\n"
                 "  tally check-host\n"
                 "  tally check-host --json | jq -r '.machine[] | select(.state == \"bad\") | .text'");
  auto json = std::make_shared<std::string>();
  command.JsonOption(*json, "What is found");
  command.Does([json] { return CheckHost(*json); });
}

}  // namespace tally

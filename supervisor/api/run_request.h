// One run: which program, in which sandbox, with which streams and limits. Descriptors are borrowed: the
// caller keeps them open until Run returns. An absent limit is no limit.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/units.h"
#include "supervisor/api/translation_options.h"
#include "supervisor/api/virtual_cpu_options.h"

namespace tally {

class BlockObserver;
class CallObserver;

struct Limits {
  std::optional<Nanoseconds> user_time;  // user CPU time of the program and its children
  std::optional<Nanoseconds> sys_time;   // as the kernel divides CPU time, by samples that a program can steer (docs/results.md)
  std::optional<Nanoseconds> cpu_time;   // user + system
  std::optional<Nanoseconds> wall_time;
  std::optional<Nanoseconds> idle_time;  // wall time in which it waits, but not for a processor (limit_watch.h)
  std::optional<Bytes> memory;
  std::optional<Bytes> stack;   // absent: bounded by the memory limit
  std::optional<Bytes> output;  // stdout; every other file gets the same size limit unless file_size is set
  std::optional<Bytes> file_size;
  std::optional<std::uint32_t> open_files;  // descriptors of a process; absent: enough for any program
  std::uint32_t processes = 1;  // processes and threads at one time
  bool threads_only = false;    // of those, one process: it may have threads and no child
  std::optional<Instructions> instructions;
};

enum class Isolation : std::uint8_t {
  kFull,     // namespaces, read-only root, seccomp, rlimits
  kReduced,  // no namespaces: seccomp, Landlock, rlimits; must be asked for
  kNone,     // rlimits only (unsafe-exec)
};

enum class Counter : std::uint8_t {
  kAuto,  // perf where the host has it, else none; with an instruction limit the translator
  kPerf,
  kTranslator,
  kStep,
  kNone,
};
// A program whose instructions are to be counted by one of these, by name, finds the virtual CPU. kAuto counts beside
// the judging by real time, which a program must be able to ask for without a stop.
constexpr bool HasVirtualCpu(Counter counter) {
  return counter == Counter::kPerf || counter == Counter::kTranslator || counter == Counter::kStep;
}

// What counter=perf counts. Most machines on which tests run have no hardware that counts instructions.
enum class PerfSource : std::uint8_t {
  kInstructions,
  kCpuTime,  // for tests: nanoseconds in the place of instructions, by the kernel's task clock
};

enum class MemoryBy : std::uint8_t {
  kAuto,          // cgroup where we may, else address space (one process) or resident (several)
  kCgroup,        // pages the kernel charges
  kAddressSpace,  // VmPeak, enforced by RLIMIT_AS
  kResident,      // VmHWM, enforced by sampling: for runtimes that reserve far more than they use
};

enum class SyscallCounting : std::uint8_t {
  kAuto,        // by tracepoint after PrepareForManyRuns where the host permits it, else by stops
  kTracepoint,  // no stops; opening the first one can take tens of milliseconds
  kTrace,       // a stop of 4 to 10 us for each call
  kOff,
};

struct RunRequest {
  std::string program;  // path as the program sees it (inside the sandbox)
  std::vector<std::string> argv;
  std::vector<std::string> env;
  std::string work_dir;  // inside the sandbox

  int stdin_fd = -1;  // -1: /dev/null
  bool writes_stdin = false;  // it is there to be written by the program, who is given the caller's own descriptor
  bool input_in_lines = false;  // it is a pipe, and the caller writes to it so that each read gets one line of it at most
  int stdout_fd = -1;
  int stderr_fd = -1;
  bool may_execute = false;  // other programs in its own place (execve(2)), though it may be one process alone; with more it always may
  std::vector<int> more_descriptors;  // above 2: the program has them too, by the same numbers

  Limits limits;
  Counter counter = Counter::kAuto;
  MemoryBy memory_by = MemoryBy::kAuto;
  SyscallCounting syscalls = SyscallCounting::kAuto;
  bool wants_switches = false;  // RunResult::resident and switches, for which a file of each process is read at its end
  bool address_randomization = true;  // off in vcpu-exec: counts depend on addresses
  VirtualCpuOptions virtual_cpu;      // where the counter has one (HasVirtualCpu)
  PerfSource perf_source = PerfSource::kInstructions;
  TranslationOptions translation;     // where it is the translator
  std::string translation_folder;     // where translations are kept from run to run; "": nowhere
  // Borrowed; where the counter is the translator. One of the two (block_observer.h, call_observer.h).
  BlockObserver* observer = nullptr;
  CallObserver* call_observer = nullptr;
};

}  // namespace tally

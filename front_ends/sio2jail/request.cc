#include "front_ends/sio2jail/request.h"

#include <unistd.h>

#include <string>

#include "supervisor/engines/perf_counter.h"
#include "supervisor/machine/virtual_files.h"
#include "supervisor/translator/persist/translation_folder.h"

namespace tally::sio2jail {
namespace {

// A fork bomb under the permissive policy ends here.
constexpr std::uint32_t kMostProcesses = 256;

Limits LimitsOf(const Options& options) {
  Limits limits;
  limits.user_time = options.user_time;
  limits.sys_time = options.system_time;
  limits.cpu_time = options.cpu_time;
  limits.wall_time = options.real_time;
  limits.memory = options.memory;
  limits.output = options.output;
  limits.instructions = options.instructions;
  if (options.policy == Policy::kPermissive) {
    limits.processes = kMostProcesses;
  } else if (options.threads > 0) {
    limits.processes = static_cast<std::uint32_t>(options.threads) + 1;
    limits.threads_only = true;
  }
  return limits;
}

// The hardware where it counts, else the translator, which counts the same everywhere. Clocks that are to tell another time need the
// virtual CPU, which the program cannot see past.
Counter CounterOf(const Options& options) {
  if (options.fake_time != FakeTime::kOff) return Counter::kTranslator;
  if (!options.perf) return Counter::kNone;
  return PerfCounter::WhyUnavailable() ? Counter::kTranslator : Counter::kPerf;
}

ToldTime ToldTimeOf(FakeTime fake) {
  switch (fake) {
    case FakeTime::kOff: return ToldTime::kCounted;
    case FakeTime::kRandom: return ToldTime::kRandom;
    case FakeTime::kZero: return ToldTime::kZero;
  }
  return ToldTime::kCounted;
}

SyscallPermissions PermissionsOf(const Options& options, SyscallPermissions permissions) {
  const bool is_permissive = options.policy == Policy::kPermissive && options.fake_time == FakeTime::kOff;
  if (is_permissive) permissions.processes = permissions.file_writes = permissions.i386 = true;
  // Whoever has threads is a language's runtime, most of the time, and asks for more than it needs. Sockets are not among it: one of this
  // machine's, in a folder that is shown, could be connected to.
  if (is_permissive || options.threads > 0) permissions.any_other_is_enosys = true;
  return permissions;
}

std::vector<std::string> OurEnvironment() {
  std::vector<std::string> entries;
  for (char** entry = ::environ; *entry != nullptr; ++entry) entries.emplace_back(*entry);
  return entries;
}

}  // namespace

RunRequest MakeRequest(const Options& options, View* view) {
  if (options.instructions && !options.perf) {
    throw InvalidConfiguration("Invalid configration: Instruction count limit can only be used if PERF is enabled");
  }
  RunRequest request;
  request.limits = LimitsOf(options);
  request.counter = CounterOf(options);
  // One process' peak of address space is what sio2jail's figure is, and what contests' limits were set by. Runtimes with threads
  // reserve much more than they use.
  request.memory_by = options.threads > 0 || options.policy == Policy::kPermissive ? MemoryBy::kAuto : MemoryBy::kAddressSpace;
  request.virtual_cpu.told_time = ToldTimeOf(options.fake_time);
  request.translation_folder = TranslationFolder();
  ShowVirtualFiles(request.counter, request.virtual_cpu, &view->root);
  view->root.permissions = PermissionsOf(options, view->root.permissions);
  request.program = view->program;
  request.argv = view->argv;
  request.env = OurEnvironment();
  request.work_dir = view->work_dir;
  request.stdin_fd = STDIN_FILENO;
  request.stdout_fd = STDOUT_FILENO;
  request.stderr_fd = options.pass_stderr ? STDERR_FILENO : -1;
  return request;
}

}  // namespace tally::sio2jail

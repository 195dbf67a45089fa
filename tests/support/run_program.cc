#include "tests/support/run_program.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <string_view>

#include "base/environment.h"
#include "base/fd.h"
#include "base/sys.h"
#include "sandboxes/sandbox_store.h"
#include "supervisor/machine/virtual_files.h"
#include "supervisor/run/process_executor.h"

namespace tally {
namespace {

Fd MemoryFile(const std::string& text) {
  Fd fd(::memfd_create("test", MFD_CLOEXEC));
  sys::WriteAll(fd.get(), text, "memfd");
  ::lseek(fd.get(), 0, SEEK_SET);
  return fd;
}

std::string ReadFromStart(int fd) {
  ::lseek(fd, 0, SEEK_SET);
  return sys::ReadAll(fd, "memfd");
}

// Empties a pipe into a file while a run goes on.
pid_t CopyInBackground(int from, int to) {
  const pid_t pid = ::fork();
  if (pid != 0) return pid;
  for (int fd = 3; fd < 256; ++fd) {  // our copy of the pipe's other end would keep it open for ever
    if (fd != from && fd != to) ::close(fd);
  }
  ::signal(SIGPIPE, SIG_IGN);
  sys::WriteAll(to, sys::ReadAll(from, "pipe"), "memfd");
  ::_exit(0);
}

// Why the translator cannot stand in for the native engine; nullptr where it can.
const char* WhyOnlyNative(const TestRun& test) {
  if (test.syscalls != SyscallCounting::kOff) return "it is about another way to count system calls";
  if (test.program.ends_with("_32")) return "32-bit programs are not translated";
  if (test.program == "int80_shared_memory") return "calls by int 0x80 are a violation there, with permission, too";
  if (test.program == "compat_mode_getpid") return "the far jump into 32-bit code is refused before the call is";
  return nullptr;
}

// The tests of the native engine are tests of the translator, too.
Counter CounterOf(const TestRun& test) {
  const char* const asked = std::getenv("TALLY_TEST_COUNTER");
  if (test.counter != Counter::kNone || asked == nullptr || std::string_view(asked) != "translator") return test.counter;
  const char* const why = WhyOnlyNative(test);
  if (why == nullptr) return Counter::kTranslator;
  std::printf("NATIVELY: %s: %s\n", test.program.c_str(), why);
  return Counter::kNone;
}

// Programs that burn until a clock says they have: a real one here, because the tests are about real CPU time.
bool BurnsByTheClock(const std::string& program) {
  return program == "sigchld_ignored_burn" || program == "orphans_burn_by_turns";
}

}  // namespace

std::string BuildFolder() {
  const char* folder = std::getenv("TALLY_TEST_BUILD");
  return folder != nullptr ? folder : TALLY_BUILD_DIR;
}

std::string SourceFolder() {
  const char* folder = std::getenv("TALLY_TEST_SOURCE");
  return folder != nullptr ? folder : TALLY_SOURCE_DIR;
}

std::string TestProgram(const std::string& name) {
  const std::string path = BuildFolder() + "/tests/programs/" + name;
  return ::access(path.c_str(), X_OK) == 0 ? path : "";
}

Limits TestRun::PatientLimits() {
  Limits limits;
  limits.user_time = Milliseconds(3000);
  limits.cpu_time = Milliseconds(5000);
  limits.wall_time = Milliseconds(15000);
  limits.idle_time = Milliseconds(2500);
  limits.memory = Bytes::MiB(64);
  limits.output = Bytes::MiB(1);
  return limits;
}

Limits TestRun::SmallLimits() {
  Limits limits = PatientLimits();
  for (auto* time : {&limits.user_time, &limits.cpu_time, &limits.wall_time, &limits.idle_time}) **time /= 10;
  return limits;
}

TestResult RunTestProgram(const TestRun& test) {
  const std::string path = TestProgram(test.program);
  if (path.empty()) throw std::runtime_error("no test program " + test.program);
  RootSpec spec = SandboxStore().Get(test.sandbox);
  spec.mounts.insert(spec.mounts.end(), test.extra_mounts.begin(), test.extra_mounts.end());
  if (test.permissions) spec.permissions = *test.permissions;
  ShowVirtualFiles(test.counter, test.virtual_cpu, &spec);
  return RunTestProgram(test, Sandbox(ProcessExecutor().sandboxes(), spec, {{path, "/box/program", false, true}}, test.isolation), "/box/program");
}

TestResult RunTestProgram(const TestRun& test, const Sandbox& sandbox, const std::string& inside) {
  RunRequest request;
  request.program = sandbox.PathInside(inside);
  request.argv = {request.program};
  request.argv.insert(request.argv.end(), test.arguments.begin(), test.arguments.end());
  request.env = MergedEnvironment(sandbox.spec().env, test.env);
  if (test.isolation != Isolation::kFull) request.work_dir = "/";
  request.limits = test.limits;
  request.counter = CounterOf(test);
  request.memory_by = test.memory_by;
  request.syscalls = test.syscalls;
  request.address_randomization = test.address_randomization;
  request.virtual_cpu = test.virtual_cpu;
  request.translation = test.translation;
  request.perf_source = test.perf_source;
  request.translation_folder = test.translation_folder;
  request.observer = test.observer;
  request.call_observer = test.call_observer;
  if (BurnsByTheClock(test.program)) request.virtual_cpu.rules.Remove(VirtualRule::kTime);

  const Fd input = MemoryFile(test.input);
  const sys::Pipe open_input = sys::MakePipe();
  const Fd output = MemoryFile("");
  const Fd error_output = MemoryFile("");
  sys::Pipe pipe = sys::MakePipe();
  sys::Pipe error_pipe = sys::MakePipe();
  ::fcntl(output.get(), F_SETFL, O_APPEND);
  ::fcntl(error_output.get(), F_SETFL, O_APPEND);
  request.stdin_fd = test.input_stays_open ? open_input.read_end.get() : input.get();
  request.stdout_fd = test.output_to_pipe ? pipe.write_end.get() : output.get();
  request.stderr_fd = test.errors_to_pipe ? error_pipe.write_end.get() : error_output.get();

  pid_t copier = -1;
  pid_t error_copier = -1;
  if (test.output_to_pipe) copier = CopyInBackground(pipe.read_end.get(), output.get());
  if (test.errors_to_pipe) error_copier = CopyInBackground(error_pipe.read_end.get(), error_output.get());
  TestResult result;
  result.run = ProcessExecutor().Run(request, sandbox);
  pipe.write_end.Reset();
  error_pipe.write_end.Reset();
  if (copier > 0) ::waitpid(copier, nullptr, 0);
  if (error_copier > 0) ::waitpid(error_copier, nullptr, 0);
  result.output = ReadFromStart(output.get());
  result.error_output = ReadFromStart(error_output.get());
  return result;
}

}  // namespace tally

// One program on one input has one count: whenever, wherever, beside whatever, and for whomever it runs.
#include <asm/prctl.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <functional>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "base/sys.h"
#include "supervisor/machine/cpuid_faulting.h"
#include "supervisor/run/process_executor.h"
#include "tests/support/catch.h"
#include "tests/support/open_to_others.h"
#include "tests/support/run_program.h"

namespace tally {
namespace {

constexpr int kRunsEach = 50;
constexpr uid_t kOtherUser = 65533;

// -1: it did not end well.
std::int64_t Count(const std::string& program) {
  TestRun run{.program = program, .input = "1 2 3 4 5\n"};
  run.counter = Counter::kTranslator;
  run.limits = Limits{};
  run.limits.wall_time = std::chrono::seconds(20);
  const TestResult result = RunTestProgram(run);
  if (result.code() != "OK" || !result.run.instructions.has_value()) return -1;
  return static_cast<std::int64_t>(result.run.instructions.value().count);
}

using Counts = std::set<std::int64_t>;

Counts CountOften(const std::string& program, int times = kRunsEach) {
  Counts counts;
  for (int i = 0; i < times; ++i) counts.insert(Count(program));
  return counts;
}

constexpr const char* kProgram = "TALLY_TEST_COUNTS_OF";

// Hidden: what CountElsewhere executes.
TEST_CASE("determinism: counts for another process", "[.][counts]") {
  const char* const program = std::getenv(kProgram);
  if (program == nullptr) return;
  for (const std::int64_t count : CountOften(program)) std::printf("COUNT %ld\n", count);
}

// In a process that `prepare` made another.
Counts CountElsewhere(const std::string& program, const std::function<void()>& prepare) {
  sys::Pipe pipe = sys::MakePipe();
  const pid_t pid = ::fork();
  if (pid == 0) {
    ::dup2(pipe.write_end.get(), STDOUT_FILENO);
    ::setenv(kProgram, program.c_str(), 1);
    prepare();
    ::execl("/proc/self/exe", "counts", "[counts]", nullptr);
    ::_exit(127);
  }
  pipe.write_end.Reset();
  const std::string text = sys::ReadAll(pipe.read_end.get(), "pipe");
  ::waitpid(pid, nullptr, 0);
  INFO(text);
  std::istringstream lines(text);
  Counts counts;
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with("COUNT ")) counts.insert(std::stoll(line.substr(6)));
  }
  CHECK_FALSE(counts.empty());
  return counts;
}

// The same without another execve.
Counts CountsOfFork(const std::string& program, const std::function<void()>& prepare) {
  sys::Pipe pipe = sys::MakePipe();
  const pid_t pid = ::fork();
  if (pid == 0) {
    prepare();
    const std::int64_t count = Count(program);
    ::_exit(::write(pipe.write_end.get(), &count, sizeof count) == sizeof count ? 0 : 1);
  }
  pipe.write_end.Reset();
  std::int64_t count = -1;
  const std::string bytes = sys::ReadAll(pipe.read_end.get(), "pipe");
  if (bytes.size() == sizeof count) std::memcpy(&count, bytes.data(), sizeof count);
  ::waitpid(pid, nullptr, 0);
  return {count};
}

// As many of them as there are processors.
class Load {
 public:
  Load() {
    const long processes = ::sysconf(_SC_NPROCESSORS_ONLN);
    for (long i = 0; i < processes; ++i) {
      const pid_t pid = ::fork();
      if (pid == 0) {
        ::prctl(PR_SET_PDEATHSIG, SIGKILL);
        for (;;) __asm__ volatile("");
      }
      processes_.push_back(pid);
    }
  }
  ~Load() {
    for (const pid_t pid : processes_) {
      ::kill(pid, SIGKILL);
      ::waitpid(pid, nullptr, 0);
    }
  }
  Load(const Load&) = delete;
  Load& operator=(const Load&) = delete;

 private:
  std::vector<pid_t> processes_;
};

void AnotherEnvironment() {
  ::setenv("GLIBC_TUNABLES", "glibc.cpu.hwcaps=-AVX2,-ERMS:glibc.malloc.tcache_count=0:glibc.malloc.perturb=7", 1);
  ::setenv("LD_BIND_NOW", "1", 1);
  ::setenv("LANG", "pl_PL.UTF-8", 1);
  for (int i = 0; i < 50; ++i) ::setenv(("FILLER_" + std::to_string(i)).c_str(), std::string(10 * i, 'x').c_str(), 1);
}

void CheckOneCount(const std::string& program) {
  const Counts expected = CountOften(program);
  CAPTURE(program, expected);
  REQUIRE(expected.size() == 1);
  CHECK(*expected.begin() > 1000);
  {
    INFO("beside other work");
    const Load load;
    CHECK(CountOften(program) == expected);
  }
  INFO("from another folder, with another environment");
  CHECK(CountElsewhere(program, [] {
          std::filesystem::current_path("/");
          AnotherEnvironment();
        }) == expected);
  if (::geteuid() == 0) {
    INFO("by another user");
    const OpenToOthers open({program});
    CHECK(CountElsewhere(program, [] {
            if (::setgid(kOtherUser) != 0 || ::setuid(kOtherUser) != 0) ::_exit(3);
          }) == expected);
  } else {
    CHECK(CountOften(program) == expected);
  }
}

TEST_CASE("determinism: 200 runs of a static program count the same", "[translator]") { CheckOneCount("sum_numbers"); }

TEST_CASE("determinism: 200 runs of a position-independent program count the same", "[translator]") {
  CheckOneCount("translator/callbacks_static_pie");
}

TEST_CASE("determinism: 200 runs of a dynamic program count the same", "[translator]") {
  CheckOneCount("translator/callbacks_dynamic");
}

// The judge's own process with cpuid taken away, as a parent that masks features would; an execve gives it back, so all
// happens in a fork. And the judge told to use no features, which is for its own libc alone.
TEST_CASE("determinism: a processor whose features are masked counts the same", "[translator]") {
  for (const char* program : {"translator/callbacks_dynamic", "translator/print_doubles"}) {
    const Counts expected = CountOften(program, 2);
    CAPTURE(program);
    REQUIRE(expected.size() == 1);
    CHECK(CountElsewhere(program, [] {
            ::setenv("GLIBC_TUNABLES", "glibc.cpu.hwcaps=-AVX512F,-AVX2,-AVX,-FMA,-BMI2,-ERMS,-FSRM", 1);
          }) == expected);
    CHECK(CountsOfFork(program, [] { ::syscall(SYS_arch_prctl, ARCH_SET_CPUID, 0UL); }) == expected);
  }
  if (!CpuidCanFault()) std::printf("cpuid was not taken away: this processor, or its hypervisor, cannot fault at it\n");
}

}  // namespace
}  // namespace tally

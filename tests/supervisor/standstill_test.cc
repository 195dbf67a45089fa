// A machine that stands still, or gives the program no processor, never decides a verdict
// (supervisor/run/limit_watch.h).
#include <sched.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <filesystem>
#include <string>
#include <thread>
#include <vector>

#include "base/sys.h"
#include "supervisor/api/call_observer.h"
#include "supervisor/resources/cgroup_parent.h"
#include "supervisor/resources/proc_status.h"
#include "tests/support/catch.h"
#include "tests/support/run_program.h"
#include "tests/support/skip.h"

namespace tally {
namespace {

using std::chrono::milliseconds;

// The result code of a run whose supervisor stands still from the one moment to the other.
std::string CodeWithStandstill(const TestRun& run, milliseconds from, milliseconds to) {
  sys::Pipe pipe = sys::MakePipe();
  const pid_t supervisor = ::fork();
  if (supervisor == 0) {
    const TestResult result = RunTestProgram(run);
    sys::WriteAll(pipe.write_end.get(), result.code() + " " + result.run.sentence, "the result");
    ::_exit(0);
  }
  pipe.write_end.Reset();
  std::this_thread::sleep_for(from);
  ::kill(supervisor, SIGSTOP);
  std::this_thread::sleep_for(to - from);
  ::kill(supervisor, SIGCONT);
  ::waitpid(supervisor, nullptr, 0);
  return sys::ReadAll(pipe.read_end.get(), "the result", 1000);
}

TEST_CASE("standstill: it is neither idle time nor real time for the limits on them", "[deadlines]") {
  TestRun run{.program = "sleeps_briefly", .arguments = {"800"}};
  run.limits.wall_time = milliseconds(500);
  run.limits.idle_time = milliseconds(450);
  CHECK(CodeWithStandstill(run, milliseconds(100), milliseconds(700)) == "OK ok");
}

TEST_CASE("standstill: an end that was seen late came before the limit", "[deadlines]") {
  TestRun run{.program = "sleeps_briefly", .arguments = {"200"}};
  run.limits.wall_time = milliseconds(300);
  CHECK(CodeWithStandstill(run, milliseconds(100), milliseconds(600)) == "OK ok");
}

TEST_CASE("standstill: it doubles a limit at most, so that every program comes to an end", "[deadlines]") {
  TestRun run{.program = "sleep_in_slices"};
  run.limits.wall_time = milliseconds(100);
  CHECK(CodeWithStandstill(run, milliseconds(50), milliseconds(400)) ==
        "TLE time limit exceeded: more than 100 ms of real time");
}

TEST_CASE("runnable: a task that computes is, one that waits or is gone is not", "[deadlines]") {
  CHECK(IsRunnable(::getpid()));
  const pid_t child = ::fork();
  if (child == 0) {
    for (;;) ::pause();
  }
  while (IsRunnable(child)) std::this_thread::yield();
  ::kill(child, SIGKILL);
  ::waitpid(child, nullptr, 0);
  CHECK_FALSE(IsRunnable(child));
}

// A cgroup whose tasks may compute for 1 ms of every 400.
class FewProcessors {
 public:
  explicit FewProcessors(const CgroupParent& room)
      : cgroup_(room.directory + "/tally-few-processors-" + std::to_string(::getpid())) {
    std::filesystem::create_directory(cgroup_);
    if (room.version == 2) {
      set_ = sys::TryWriteFile(cgroup_ + "/cpu.max", "1000 400000");
    } else {
      set_ = sys::TryWriteFile(cgroup_ + "/cpu.cfs_period_us", "400000") &&
             sys::TryWriteFile(cgroup_ + "/cpu.cfs_quota_us", "1000");
    }
  }
  ~FewProcessors() { RemoveCgroups(cgroup_); }
  FewProcessors(const FewProcessors&) = delete;
  FewProcessors& operator=(const FewProcessors&) = delete;

  [[nodiscard]] bool set() const { return set_; }
  [[nodiscard]] bool Add(pid_t task) const {
    return sys::TryWriteFile(cgroup_ + "/cgroup.procs", std::to_string(task));
  }

 private:
  std::string cgroup_;
  bool set_ = false;
};

// Puts a program there when it begins.
class Starver : public CallObserver {
 public:
  explicit Starver(const FewProcessors* cgroup) : cgroup_(*cgroup) {}
  [[nodiscard]] bool done() const { return done_; }

  void Began(pid_t first, Ticks) override { done_ = cgroup_.Add(first); }
  void TaskBegan(pid_t, pid_t, bool, bool, Ticks) override {}
  void TaskEnded(pid_t, const ObservedCall*, Ticks) override {}
  void Named(pid_t, std::uint64_t, std::string_view) override {}
  void Called(pid_t, std::span<const ObservedCall>) override {}
  void Stopped(pid_t, Ticks, Ticks) override {}
  void Clock(Ticks, Ticks, std::uint64_t) override {}

 private:
  const FewProcessors& cgroup_;
  bool done_ = false;
};

// The result of a program that may use one processor only, which three others want, too.
TestResult RunBesideOthers(const TestRun& run) {
  cpu_set_t before;
  cpu_set_t one;
  ::sched_getaffinity(0, sizeof before, &before);
  CPU_ZERO(&one);
  CPU_SET(::sched_getcpu(), &one);
  std::vector<pid_t> others;
  for (int i = 0; i < 3; ++i) {
    const pid_t other = ::fork();
    if (other == 0) {
      ::sched_setaffinity(0, sizeof one, &one);
      ::alarm(20);
      for (;;) {
      }
    }
    others.push_back(other);
  }
  ::sched_setaffinity(0, sizeof one, &one);
  const TestResult result = RunTestProgram(run);
  ::sched_setaffinity(0, sizeof before, &before);
  for (const pid_t other : others) {
    ::kill(other, SIGKILL);
    ::waitpid(other, nullptr, 0);
  }
  return result;
}

TEST_CASE("real time: a program that waits for a processor is not ended for it", "[deadlines]") {
  TestRun run{.program = "burn_cpu", .arguments = {"300"}};
  run.limits.wall_time = milliseconds(500);
  const TestResult result = RunBesideOthers(run);
  CAPTURE(result.run.sentence, result.run.wall_time.count());
  CHECK(result.code() == "OK");
}

TEST_CASE("real time: a program whose child waits for a processor is not ended for it", "[deadlines]") {
  TestRun run{.program = "fork_and_burn", .arguments = {"1", "300"}};
  run.limits.wall_time = milliseconds(500);
  run.limits.processes = 2;
  const TestResult result = RunBesideOthers(run);
  CAPTURE(result.run.sentence, result.run.wall_time.count());
  CHECK(result.code() == "OK");
}

TEST_CASE("stops: counting system calls by them costs no verdict", "[deadlines]") {
  TestRun run{.program = "syscalls_n", .arguments = {"50000"}, .syscalls = SyscallCounting::kTrace};
  run.limits.user_time = milliseconds(300);
  run.limits.cpu_time = milliseconds(100);
  run.limits.wall_time = milliseconds(200);
  const TestResult result = RunTestProgram(run);
  CAPTURE(result.run.sentence, result.run.sys_time.count(), result.run.wall_time.count());
  CHECK(result.code() == "OK");
  if (result.run.syscall_counter == "trace") CHECK(result.run.syscalls.value() == 50002);
}

TEST_CASE("idle limit: a program that waits for nothing but a processor is not idle", "[deadlines]") {
  std::string why;
  const auto room = FindCgroupParent("cpu", &why);
  if (!room) TALLY_SKIP("no cgroup with the controller cpu: " + why);
  const FewProcessors cgroup(*room);
  if (!cgroup.set()) TALLY_SKIP("this host's cgroups set no limit on processors");
  Starver starver(&cgroup);
  TestRun run{.program = "burn_then_sleep",
              .arguments = {"5000"},
              .counter = Counter::kTranslator,
              .call_observer = &starver};
  run.limits.idle_time = milliseconds(100);
  run.limits.wall_time = milliseconds(900);  // a task that its cgroup throttles is not said to wait (schedstat)
  const TestResult result = RunTestProgram(run);
  CHECK(starver.done());
  CHECK(result.run.sentence == "time limit exceeded: more than 900 ms of real time");
}

}  // namespace
}  // namespace tally

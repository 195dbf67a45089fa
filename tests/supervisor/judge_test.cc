// Judge is pure: limits and observations in, a verdict out. Programs that make each happen: verdicts_test.cc.
#include "supervisor/run/judge.h"

#include <sched.h>

#include <csignal>

#include "tests/support/catch.h"

namespace tally {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

Limits AllLimits() {
  Limits limits;
  limits.user_time = seconds(1);
  limits.cpu_time = seconds(3);
  limits.wall_time = seconds(4);
  limits.idle_time = seconds(2);
  limits.memory = Bytes::MiB(64);
  limits.output = Bytes::KiB(1);
  limits.instructions = Instructions{1000};
  return limits;
}

Observations CleanExit() {
  Observations seen;
  seen.exit_code = 0;
  seen.memory = Bytes::MiB(64);
  seen.output = Bytes::KiB(1);
  seen.instructions = Instructions{1000};
  seen.cpu.user = seconds(1);
  seen.wall = seconds(4);
  return seen;
}

TEST_CASE("judge: every figure exactly at its limit is OK", "[judge]") {
  CHECK(Judge(AllLimits(), CleanExit()).code == ResultCode::kOk);
}

TEST_CASE("judge: one unit over a limit is that limit's code, even after a clean exit", "[judge]") {
  Observations seen = CleanExit();
  SECTION("memory") {
    seen.memory = Bytes{Bytes::MiB(64).count + 1};
    CHECK(Judge(AllLimits(), seen).code == ResultCode::kMle);
  }
  SECTION("output") {
    seen.output = Bytes{1025};
    CHECK(Judge(AllLimits(), seen).code == ResultCode::kOle);
  }
  SECTION("instructions") {
    seen.instructions = Instructions{1001};
    const Verdict verdict = Judge(AllLimits(), seen);
    CHECK(verdict.code == ResultCode::kTle);
    CHECK(verdict.sentence == "time limit exceeded: more than 1,000 instructions");
  }
  SECTION("user time") {
    seen.cpu.user += Nanoseconds(1);
    CHECK(Judge(AllLimits(), seen).sentence == "time limit exceeded: more than 1.00 s of user CPU time");
  }
  SECTION("all CPU time") {
    seen.cpu.system = seconds(2) + Nanoseconds(1);
    CHECK(Judge(AllLimits(), seen).sentence ==
          "time limit exceeded: more than 3.00 s of CPU time, system calls included");
  }
  SECTION("real time") {
    seen.wall += Nanoseconds(1);
    CHECK(Judge(AllLimits(), seen).sentence == "time limit exceeded: more than 4.00 s of real time");
  }
}

TEST_CASE("judge: what our own stops have cost is taken off real and CPU time, not off user time", "[judge]") {
  Observations seen = CleanExit();
  seen.not_its_own.stops_real = seen.not_its_own.stops_cpu = milliseconds(10);
  seen.wall += milliseconds(10);
  seen.cpu.system = seconds(2) + milliseconds(10);
  CHECK(Judge(AllLimits(), seen).code == ResultCode::kOk);
  seen.cpu.user += Nanoseconds(1);
  CHECK(Judge(AllLimits(), seen).code == ResultCode::kTle);
}

TEST_CASE("judge: a standstill of the machine is taken off real time, not off CPU time", "[judge]") {
  Observations seen = CleanExit();
  seen.not_its_own.standstill = milliseconds(10);
  seen.wall += milliseconds(10);
  CHECK(Judge(AllLimits(), seen).code == ResultCode::kOk);
  seen.cpu.system = seconds(2) + Nanoseconds(1);
  CHECK(Judge(AllLimits(), seen).code == ResultCode::kTle);
}

TEST_CASE("judge: our own stops are nine times a limit at most, so that what makes nothing but system calls comes to an end", "[judge]") {
  Observations seen = CleanExit();
  seen.not_its_own.stops_real = seconds(100);
  seen.wall = 10 * seconds(4);
  CHECK(Judge(AllLimits(), seen).code == ResultCode::kOk);
  seen.wall += Nanoseconds(1);
  CHECK(Judge(AllLimits(), seen).sentence == "time limit exceeded: more than 4.00 s of real time");
}

TEST_CASE("judge: stops and waiting for a processor together are nine times a limit at most", "[judge]") {
  Observations seen = CleanExit();
  seen.not_its_own.stops_real = seen.not_its_own.waited = seconds(30);
  seen.wall = seconds(40);
  CHECK(Judge(AllLimits(), seen).code == ResultCode::kOk);
  seen.wall += Nanoseconds(1);
  CHECK(Judge(AllLimits(), seen).code == ResultCode::kTle);
}

TEST_CASE("judge: time in which a program waited for a processor is taken off real time, up to nine times the limit", "[judge]") {
  Observations seen = CleanExit();
  seen.not_its_own.waited = seconds(20);
  seen.wall = seconds(4) + seconds(20);
  CHECK(Judge(AllLimits(), seen).code == ResultCode::kOk);
  seen.wall += Nanoseconds(1);
  CHECK(Judge(AllLimits(), seen).code == ResultCode::kTle);
  seen.not_its_own.waited = seconds(1000);
  seen.wall = seconds(40);
  CHECK(Judge(AllLimits(), seen).code == ResultCode::kOk);
  seen.wall += Nanoseconds(1);
  CHECK(Judge(AllLimits(), seen).sentence == "time limit exceeded: more than 4.00 s of real time");
}

TEST_CASE("judge: a figure that was not measured never exceeds a limit", "[judge]") {
  Observations seen = CleanExit();
  seen.memory = Measured<Bytes>::Absent("no counter");
  seen.output = Measured<Bytes>::Absent("stdout is /dev/null");
  seen.instructions = Measured<Instructions>::Absent("no counter");
  CHECK(Judge(AllLimits(), seen).code == ResultCode::kOk);
}

TEST_CASE("judge: the order is violation, output, memory, time, runtime error", "[judge]") {
  Observations seen = CleanExit();
  seen.exit_code.reset();
  seen.signal = 9;
  CHECK(Judge(AllLimits(), seen).code == ResultCode::kRe);
  seen.ended_for = LimitKind::kWallTime;
  CHECK(Judge(AllLimits(), seen).code == ResultCode::kTle);
  seen.out_of_memory_kill = true;
  CHECK(Judge(AllLimits(), seen).code == ResultCode::kMle);
  seen.file_size_exceeded = true;
  CHECK(Judge(AllLimits(), seen).code == ResultCode::kOle);
  seen.forbidden_call = ForbiddenCall{"socket", 41, {2, 1}};
  const Verdict verdict = Judge(AllLimits(), seen);
  CHECK(verdict.code == ResultCode::kRv);
  CHECK(verdict.sentence == "intercepted forbidden syscall socket(2, 1, 0, 0, 0, 0)");
}

TEST_CASE("judge: a second process or thread, where one is allowed, is told as the limit and how it is called, and not as a call in figures", "[judge]") {
  const auto sentence = [](const char* name, std::uint64_t flags, std::uint32_t processes = 1) {
    Observations seen = CleanExit();
    seen.forbidden_call = ForbiddenCall{name, 56, {flags}};
    Limits limits = AllLimits();
    limits.processes = processes;
    const Verdict verdict = Judge(limits, seen);
    CHECK(verdict.code == ResultCode::kRv);
    CHECK_FALSE(verdict.limit);
    return verdict.sentence;
  };
  CHECK(sentence("clone", CLONE_VM | CLONE_THREAD | CLONE_SIGHAND) == "process limit exceeded: a second thread (clone), where one is allowed (processes: 1)");
  CHECK(sentence("clone", SIGCHLD) == "process limit exceeded: a second process (clone), where one is allowed (processes: 1)");
  CHECK(sentence("vfork", 0) == "process limit exceeded: a second process (vfork), where one is allowed (processes: 1)");
  CHECK(sentence("clone", CLONE_NEWUSER | SIGCHLD).starts_with("intercepted forbidden syscall clone("));
  CHECK(sentence("clone", SIGCHLD, 4).starts_with("intercepted forbidden syscall clone("));
  Observations seen = CleanExit();
  seen.ended_for = LimitKind::kProcesses;
  Limits limits = AllLimits();
  limits.processes = 1;
  CHECK(Judge(limits, seen).sentence == "process limit exceeded: a second process or thread, where one is allowed (processes: 1)");
  limits.processes = 4;
  CHECK(Judge(limits, seen).sentence == "process limit exceeded: more than 4 processes and threads (processes: 4)");
}

TEST_CASE("judge: which limit was passed, or which call was forbidden, is a value beside the sentence", "[judge]") {
  Observations seen = CleanExit();
  CHECK_FALSE(Judge(AllLimits(), seen).limit);
  Limits limits = AllLimits();
  limits.sys_time = seconds(1);
  seen.cpu.system = seconds(1) + Nanoseconds(1);
  CHECK(Judge(limits, seen).limit == LimitKind::kSystemTime);
  CHECK(Judge(limits, seen).sentence == "time limit exceeded: more than 1.00 s of system CPU time");
  for (const LimitKind kind : {LimitKind::kUserTime, LimitKind::kWallTime, LimitKind::kIdleTime, LimitKind::kInstructions, LimitKind::kMemory,
                               LimitKind::kOutput, LimitKind::kProcesses, LimitKind::kSecondProcess, LimitKind::kDeadlock}) {
    Observations ended = CleanExit();
    ended.ended_for = kind;
    CHECK(Judge(AllLimits(), ended).limit == kind);
  }
  Observations died = CleanExit();
  died.exit_code = 1;
  CHECK_FALSE(Judge(AllLimits(), died).limit);
  died.stack_exhausted = true;
  CHECK(Judge(AllLimits(), died).limit == LimitKind::kStack);
}

TEST_CASE("judge: dying of a refused allocation is MLE, surviving one is OK", "[judge]") {
  Observations seen = CleanExit();
  seen.allocation_refused = true;
  CHECK(Judge(AllLimits(), seen).code == ResultCode::kOk);
  seen.exit_code = 1;
  CHECK(Judge(AllLimits(), seen).code == ResultCode::kMle);
  seen.exit_code.reset();
  seen.signal = 6;
  CHECK(Judge(AllLimits(), seen).code == ResultCode::kMle);
}

TEST_CASE("judge: a runtime error names the exit code or the signal", "[judge]") {
  Observations seen = CleanExit();
  seen.exit_code = 3;
  CHECK(Judge(AllLimits(), seen).sentence == "runtime error 3");
  seen.exit_code.reset();
  seen.signal = 11;
  CHECK(Judge(AllLimits(), seen).sentence == "process exited due to signal 11 (SIGSEGV)");
}

TEST_CASE("judge: without limits only the program's own end decides", "[judge]") {
  Observations seen = CleanExit();
  seen.cpu.user = seconds(1000);
  CHECK(Judge(Limits{}, seen).code == ResultCode::kOk);
}

}  // namespace
}  // namespace tally

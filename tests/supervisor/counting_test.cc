// Counts, to the unit: what the programs' own sources say, whichever counter counts.
#include "supervisor/engines/perf_counter.h"

#include <linux/perf_event.h>
#include <sched.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <string>
#include <vector>

#include "base/error.h"
#include "base/fd.h"
#include "base/processors.h"
#include "supervisor/resources/syscall_counter.h"
#include "supervisor/run/process_executor.h"
#include "supervisor/sandbox/private_mounts.h"
#include "tests/support/catch.h"
#include "tests/support/run_program.h"
#include "tests/support/skip.h"

namespace tally {
namespace {

TestRun Stepped(const std::string& program, std::vector<std::string> arguments = {}) {
  TestRun run{.program = program, .arguments = std::move(arguments)};
  run.counter = Counter::kStep;
  run.limits.user_time.reset();
  run.limits.cpu_time.reset();
  run.limits.idle_time.reset();
  run.limits.wall_time = std::chrono::seconds(60);
  run.address_randomization = false;
  return run;
}

std::uint64_t Count(const TestRun& run) {
  const TestResult result = RunTestProgram(run);
  CAPTURE(run.program, result.run.sentence, result.output);
  REQUIRE(result.run.instructions.has_value());
  return result.run.instructions.value().count;
}

TEST_CASE("step: three instructions are three, the last of them the exit", "[counting]") {
  CHECK(Count(Stepped("exit_zero_nolibc")) == 3);
}

TEST_CASE("step: a loop counts as many instructions as its source says", "[counting]") {
  CHECK(Count(Stepped("known_loop")) == 2012);
  CHECK(Count(Stepped("known_loop", {"1"})) == 13 + 6 * 1 + 2 * 1);
  CHECK(Count(Stepped("known_loop", {"10000"})) == 13 + 6 * 5 + 2 * 10000);
}

TEST_CASE("step: a rep string instruction is one, however long", "[counting]") {
  CHECK(Count(Stepped("known_rep")) == 69);
}

TEST_CASE("step: two runs of a libc program count the same", "[counting]") {
  const std::uint64_t first = Count(Stepped("sum_numbers"));
  CHECK(first > 1000);
  CHECK(Count(Stepped("sum_numbers")) == first);
}

TEST_CASE("step: signals, handlers and traps of the program's own are as without stepping", "[counting]") {
  CHECK(RunTestProgram(Stepped("signals_ok")).code() == "OK");
  for (const char* argument : {"", "int3"}) {
    CAPTURE(argument);
    TestRun run = Stepped("trap_flag");
    if (*argument != '\0') run.arguments = {argument};
    const TestResult result = RunTestProgram(run);
    CAPTURE(result.run.sentence);
    CHECK(result.code() == "RE");
    CHECK(result.run.signal == 5);
  }
  CHECK(RunTestProgram(Stepped("segfault_null")).run.signal == 11);
}

TEST_CASE("step: threads and children are counted too", "[counting]") {
  TestRun run = Stepped("fork_ok");
  run.limits.processes = 8;
  // Several times: a call that a signal interrupts is made again, and stepping over it must not look like a trap
  // of the program's own.
  for (int i = 0; i < 5; ++i) CHECK(RunTestProgram(run).code() == "OK");
}

TEST_CASE("step: threads that stop on and on hold back neither an older one nor the news of a child's end", "[counting]") {
  TestRun run = Stepped("stops_on_and_on");
  run.syscalls = SyscallCounting::kTrace;
  run.limits.processes = 5;
  const TestResult result = RunTestProgram(run);
  CAPTURE(result.run.sentence);
  CHECK(result.code() == "OK");
  CHECK(result.ended());
  REQUIRE(result.run.instructions.has_value());
  CHECK(result.run.instructions.value().count < 60'000);  // a few thousand each: all had their turns
}

TEST_CASE("instruction limit: at the count is OK, one less is TLE", "[counting]") {
  TestRun run = Stepped("known_loop");
  run.limits.instructions = Instructions{2012};
  CHECK(RunTestProgram(run).code() == "OK");
  run.limits.instructions = Instructions{2011};
  const TestResult result = RunTestProgram(run);
  CHECK(result.code() == "TLE");
  CHECK(result.run.sentence == "time limit exceeded: more than 2,011 instructions");
}

TEST_CASE("instruction limit: an endless loop ends soon after it", "[counting]") {
  TestRun run = Stepped("busy_loop");
  run.limits.instructions = Instructions{20'000};
  const TestResult result = RunTestProgram(run);
  CHECK(result.code() == "TLE");
  CHECK(result.run.instructions.value().count < 40'000);
}

TEST_CASE("perf: counts what single-stepping counts, but for a few per interrupt", "[counting]") {
  if (const auto why = PerfCounter::WhyUnavailable()) TALLY_SKIP(*why);
  TestRun run{.program = "known_loop", .arguments = {"1000000"}};
  run.counter = Counter::kPerf;
  const std::uint64_t exact = 13 + 6 * 7 + 2 * 1'000'000;
  const std::uint64_t counted = Count(run);
  CHECK(counted >= exact);
  CHECK(counted <= exact + 2'000);
}

TEST_CASE("perf: without a PMU the figure is absent with a reason, never 0", "[counting]") {
  if (!PerfCounter::WhyUnavailable()) TALLY_SKIP("this machine has a PMU; the counts are tested instead");
  TestRun run{.program = "hello"};
  run.counter = Counter::kAuto;
  const TestResult result = RunTestProgram(run);
  CHECK_FALSE(result.run.instructions.has_value());
  CHECK(result.run.instructions.reason().find("counter") != std::string::npos);
  run.counter = Counter::kPerf;
  CHECK_THROWS(RunTestProgram(run));
}

void CheckSyscallCounts(SyscallCounting how, const std::string& name) {
  for (const std::uint64_t n : {0, 1, 1000}) {
    TestRun run{.program = "syscalls_n", .arguments = {std::to_string(n)}};
    run.syscalls = how;
    const TestResult result = RunTestProgram(run);
    CAPTURE(n, result.run.sentence);
    REQUIRE(result.run.syscalls.has_value());
    CHECK(result.run.syscalls.value() == n + 2);
    CHECK(result.run.syscall_counter == name);
  }
}

TEST_CASE("system calls: exact by stops", "[counting]") { CheckSyscallCounts(SyscallCounting::kTrace, "trace"); }

// Counting keeps it and us on one processor meanwhile (supervisor/tracing/one_processor.h).
TEST_CASE("system calls: a program whose calls are counted by stops may use all processors, and so may we", "[counting]") {
  cpu_set_t before;
  cpu_set_t after;
  REQUIRE(::sched_getaffinity(0, sizeof before, &before) == 0);
  for (const bool to_pipe : {false, true}) {
    TestRun run{.program = "print_limits", .output_to_pipe = to_pipe};
    run.syscalls = SyscallCounting::kTrace;
    const TestResult result = RunTestProgram(run);
    CAPTURE(to_pipe, result.run.sentence, result.output);
    CHECK(result.output.find("cpus " + std::to_string(CPU_COUNT(&before)) + "\n") != std::string::npos);
    CHECK(result.ended());
    REQUIRE(::sched_getaffinity(0, sizeof after, &after) == 0);
    CHECK(CPU_EQUAL(&before, &after));
  }
}

TEST_CASE("system calls: however a program ends whose calls are counted by stops, we may use all processors", "[counting]") {
  cpu_set_t before;
  cpu_set_t after;
  REQUIRE(::sched_getaffinity(0, sizeof before, &before) == 0);
  for (const char* program : {"open_socket", "segfault_null", "stop_self", "busy_loop", "raise_signal", "execve_shell"}) {
    for (const bool to_pipe : {false, true}) {
      TestRun run{.program = program, .output_to_pipe = to_pipe, .limits = TestRun::SmallLimits()};
      run.syscalls = SyscallCounting::kTrace;
      CAPTURE(program, to_pipe, RunTestProgram(run).code());
      REQUIRE(::sched_getaffinity(0, sizeof after, &after) == 0);
      CHECK(CPU_EQUAL(&before, &after));
    }
  }
}

TEST_CASE("system calls: exact by tracepoint", "[counting]") {
  if (const auto& why = TracepointCounter::Prepare(PrivateDirectory)) TALLY_SKIP(*why);
  CheckSyscallCounts(SyscallCounting::kTracepoint, "tracepoint");
}

TEST_CASE("system calls: both ways agree on a libc program", "[counting]") {
  if (const auto& why = TracepointCounter::Prepare(PrivateDirectory)) TALLY_SKIP(*why);
  for (const char* program : {"hello", "hello_cxx", "sum_numbers"}) {
    TestRun run{.program = program};
    run.address_randomization = false;
    run.syscalls = SyscallCounting::kTrace;
    const std::uint64_t by_stops = RunTestProgram(run).run.syscalls.value();
    run.syscalls = SyscallCounting::kTracepoint;
    CAPTURE(program);
    CHECK(RunTestProgram(run).run.syscalls.value() == by_stops);
  }
}

TEST_CASE("system calls: not counted is absent with a reason", "[counting]") {
  const TestResult result = RunTestProgram({.program = "hello"});
  CHECK_FALSE(result.run.syscalls.has_value());
  CHECK_FALSE(result.run.syscalls.reason().empty());
}

TEST_CASE("CPU time: what children burn counts, reaped, ignored or orphaned", "[counting]") {
  struct Row {
    const char* program;
    std::vector<std::string> arguments;
  };
  for (const Row& row : {Row{"sigchld_ignored_burn", {"2"}}, Row{"orphans_burn_by_turns", {"2"}}}) {
    TestRun run{.program = row.program, .arguments = row.arguments};
    run.limits.processes = 8;
    run.limits.user_time.reset();
    run.limits.cpu_time = std::chrono::seconds(5);
    run.limits.wall_time = std::chrono::seconds(10);
    run.limits.idle_time.reset();
    const TestResult result = RunTestProgram(run);
    CAPTURE(row.program, result.run.sentence, result.output);
    CHECK(result.code() == "OK");
    CHECK(result.run.user_time + result.run.sys_time >= Milliseconds(450));
  }
}

TEST_CASE("CPU limit: a busy loop overshoots it by at most 10 ms", "[counting]") {
  TestRun run{.program = "busy_loop"};
  run.limits.user_time = Milliseconds(100);
  // The median: once in a while the host holds us up, and not the program.
  std::vector<Nanoseconds> over;
  for (int i = 0; i < 5; ++i) {
    const TestResult result = RunTestProgram(run);
    CHECK(result.code() == "TLE");
    over.push_back(result.run.user_time - Milliseconds(100));
  }
  std::sort(over.begin(), over.end());
  CHECK(over[over.size() / 2] <= Milliseconds(10));
}

// Its time is system time, by the kernel's ticks, and what stops of ours at its calls cost is not its own.
TEST_CASE("CPU limit: a program that computes between the ticks burns little more, and what our stops cost is told", "[counting]") {
  for (const SyscallCounting counting : {SyscallCounting::kOff, SyscallCounting::kTrace}) {
    TestRun run{.program = "hostile/between_the_ticks", .arguments = {"2"}};
    run.syscalls = counting;
    run.limits.user_time = Milliseconds(300);
    run.limits.cpu_time = Milliseconds(400);
    const TestResult result = RunTestProgram(run);
    const Nanoseconds burnt = result.run.user_time + result.run.sys_time;
    CAPTURE(result.run.sentence, burnt.count(), result.run.stop_time.count());
    CHECK(result.code() == "TLE");
    CHECK(burnt - result.run.stop_time <= Milliseconds(430));
    CHECK((result.run.stop_time.count() != 0) == (counting == SyscallCounting::kTrace));
  }
}

// As many as the processor cannot count at one time, on each processor; -1: it cannot be done here.
std::vector<Fd> ShareTheCounters() {
  constexpr int kMost = 16;
  std::vector<Fd> events;
  for (const int processor : OwnProcessors()) {
    for (int i = 0; i < kMost; ++i) {
      perf_event_attr attributes{};
      attributes.size = sizeof attributes;
      attributes.type = PERF_TYPE_HARDWARE;
      attributes.config = i % 2 == 0 ? PERF_COUNT_HW_INSTRUCTIONS : PERF_COUNT_HW_BRANCH_INSTRUCTIONS;
      Fd event(static_cast<int>(::syscall(SYS_perf_event_open, &attributes, -1, processor, -1, PERF_FLAG_FD_CLOEXEC)));
      if (!event.valid()) return {};
      events.push_back(std::move(event));
    }
  }
  return events;
}

TEST_CASE("perf: a limit on instructions of which there is no figure is a failure of ours, and no OK", "[perf]") {
  const std::vector<Fd> events = ShareTheCounters();
  if (events.empty()) TALLY_SKIP("this machine has no hardware counters that could be shared, or they are not this user's");
  TestRun run{.program = "known_loop", .arguments = {"300000000"}};
  run.counter = Counter::kPerf;
  run.virtual_cpu.rules = VirtualRules::None();
  run.limits.instructions = Instructions{1'000'000'000'000};
  try {
    const TestResult result = RunTestProgram(run);
    CHECK(result.run.instructions.has_value());  // they were not shared while it ran
  } catch (const SystemError& error) {
    CHECK(std::string(error.what()).find("keep the limit on instructions") != std::string::npos);
  }
}

TEST_CASE("perf: counters of several kinds of cores are a figure when together they counted all the time", "[perf]") {
  const PerfFigure all[] = {{1000, 500, 500}};
  const PerfFigure shared[] = {{1000, 500, 400}};
  CHECK(SumOfFigures(all).value().count == 1000);
  CHECK_FALSE(SumOfFigures(shared).has_value());
  const PerfFigure both[] = {{1000, 50'000'000, 20'000'000}, {400, 50'000'000, 30'000'000}};
  const PerfFigure both_shared[] = {{1000, 50'000'000, 20'000'000}, {400, 50'000'000, 20'000'000}};
  CHECK(SumOfFigures(both).value().count == 1400);
  CHECK_FALSE(SumOfFigures(both_shared).has_value());
}

}  // namespace
}  // namespace tally

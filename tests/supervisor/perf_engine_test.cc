// counter=perf: the virtual machine around a program that the processor executes and counts. Most machines that run
// these tests have no hardware that counts instructions: the kernel's task clock then stands in for it, nanoseconds for
// instructions, and everything but the figure itself is the same.
#include "supervisor/machine/cpuid_faulting.h"

#include <cstdio>
#include <string>
#include <vector>

#include "supervisor/engines/perf_counter.h"
#include "supervisor/run/process_executor.h"
#include "tests/support/catch.h"
#include "tests/support/output_lines.h"
#include "tests/support/run_program.h"
#include "tests/support/skip.h"
#include "tests/support/this_machine.h"

namespace tally {
namespace {

TestRun Clocked(const std::string& program, std::vector<std::string> arguments = {}) {
  TestRun run{.program = program, .arguments = std::move(arguments)};
  run.counter = Counter::kPerf;
  run.perf_source = PerfSource::kCpuTime;
  run.limits.user_time.reset();
  run.limits.cpu_time.reset();
  run.limits.idle_time = std::chrono::seconds(5);
  run.limits.wall_time = std::chrono::seconds(60);
  return run;
}

VirtualRules RulesHere() {
  VirtualRules rules = VirtualRules::All();
  rules.Remove(VirtualRule::kSchedule);  // tasks run as the kernel lets them
  if (!CpuidCanFault()) rules.Remove(VirtualRule::kCpu);
  return rules;
}

TEST_CASE("perf engine: the result says what counted, which rules held, and that the count varies", "[perf]") {
  const TestResult result = RunTestProgram(Clocked("hello"));
  CAPTURE(result.run.sentence);
  CHECK(result.code() == "OK");
  CHECK(result.run.counter == "perf");
  CHECK(result.run.instructions.has_value());
  CHECK(result.run.virtual_cpu.rules.Names() == RulesHere().Names());
  CHECK(result.run.count_varies == "the hardware counted");
}

TEST_CASE("perf engine: clocks and time stamps are made of the count, and sleep takes no time", "[perf]") {
  const TestResult result = RunTestProgram(Clocked("virtual_clocks", {"4"}));
  CAPTURE(result.run.sentence, result.output, result.error_output);
  CHECK(result.ended());
  CHECK(ValueOf(result.output, "clock 0").starts_with("1704067200.0"));
  CHECK(ValueOf(result.output, "clock 1").starts_with("0.0"));
  CHECK(ValueOf(result.output, "clock 2").starts_with("0.0"));
  CHECK(ValueOf(result.output, "time") == "1704067200");
  CHECK(ValueOf(result.output, "clock 0", 2).starts_with("1704067212.0"));
  CHECK(ValueOf(result.output, "clock 2", 2).starts_with("0.0"));
  CHECK(ValueOf(result.output, "clock 1", 3).starts_with("16.0"));
  CHECK(ValueOf(result.output, "clock_gettime to code") == "refused (EFAULT)");
  const std::uint64_t before = std::stoull(ValueOf(result.output, "rdtsc"));
  const std::uint64_t after = std::stoull(ValueOf(result.output, "rdtsc", 1));
  CHECK(before < after);
  if (TimeStampsCanFault()) {
    CHECK(after < result.run.instructions.value().count);
    CHECK(std::stoull(ValueOf(result.output, "rdtsc", 3)) > 32'000'000'000);
  } else {
    std::printf("SKIPPED: time stamps under counter=perf: rdtsc cannot be made to fault here\n");
  }
  CHECK(result.run.wall_time > std::chrono::seconds(16));
}

TEST_CASE("perf engine: time stamps are answered in handlers and in children", "[perf]") {
  TestRun run = Clocked("time_stamps");
  run.limits.processes = 2;
  const TestResult result = RunTestProgram(run);
  CAPTURE(result.run.sentence, result.output);
  CHECK(result.code() == "OK");
  CHECK(result.ended());
  CHECK(result.output.find("not later") == std::string::npos);
}

// But for what only the processor says, where this one cannot be made to fault.
TEST_CASE("perf engine: the machine that a program finds is that of the translator", "[perf]") {
  for (const char* program : {"virtual_machine", "virtual_machine_dynamic"}) {
    const TestResult got = RunTestProgram(Clocked(program));
    TestRun translated = Clocked(program);
    translated.counter = Counter::kTranslator;
    const TestResult expected = RunTestProgram(translated);
    CAPTURE(program, got.run.sentence, got.error_output);
    CHECK(got.ended());
    const std::vector<std::string> lines = Lines(got.output);
    const std::vector<std::string> wanted = Lines(expected.output);
    REQUIRE(lines.size() == wanted.size());
    for (std::size_t i = 0; i < lines.size(); ++i) {
      const bool of_processor = lines[i].starts_with("auxiliary 16:") || lines[i].starts_with("auxiliary 26:") ||
                                lines[i].starts_with("arch_prctl(");
      // Time has passed in nanoseconds.
      if ((of_processor && !CpuidCanFault()) || lines[i].starts_with("sysinfo:")) continue;
      CHECK(lines[i] == wanted[i]);
    }
  }
}

TEST_CASE("perf engine: cpuid gives the virtual processor, in programs that execute others too", "[perf]") {
  if (!CpuidCanFault()) TALLY_SKIP("this processor, or its hypervisor, cannot fault at cpuid");
  for (const char* program : {"translator/asks_cpuid", "translator/executes_itself"}) {
    TestRun run = Clocked(program);
    run.limits.processes = 2;
    TestRun translated = run;
    translated.counter = Counter::kTranslator;
    const TestResult got = RunTestProgram(run);
    CAPTURE(program, got.run.sentence);
    CHECK(got.output == RunTestProgram(translated).output);
  }
}

TEST_CASE("perf engine: faults of the program's own stay its own", "[perf]") {
  CHECK(RunTestProgram(Clocked("segfault_null")).run.signal == 11);
  CHECK(RunTestProgram(Clocked("privileged_instruction")).run.signal == 11);
  const TestResult signals = RunTestProgram(Clocked("signals_ok"));
  CAPTURE(signals.run.sentence, signals.output);
  CHECK(signals.code() == "OK");
  CHECK(signals.ended());
}

TEST_CASE("perf engine: a rule that is off gives this machine's answers", "[perf]") {
  TestRun run = Clocked("virtual_clocks");
  run.virtual_cpu.rules.Remove(VirtualRule::kTime);
  const TestResult result = RunTestProgram(run);
  CHECK(result.ended());
  CHECK(ValueOf(result.output, "time") > "1704067203");
  CHECK_FALSE(result.run.virtual_cpu.rules.Has(VirtualRule::kTime));
}

TEST_CASE("perf engine: a limit ends an endless program soon, and a program that asks for the time for ever", "[perf]") {
  TestRun run = Clocked("busy_loop");
  run.limits.instructions = Instructions{50'000'000};  // 50 ms
  const TestResult result = RunTestProgram(run);
  CAPTURE(result.run.sentence);
  CHECK(result.code() == "TLE");
  CHECK(result.run.instructions.value().count < 150'000'000);
  run.program = "asks_time_forever";
  CHECK(RunTestProgram(run).run.sentence == "time limit exceeded: more than 50,000,000 instructions");
}

// The two counters side by side. Printed, because the difference is this machine's (docs/virtual-cpu.md).
TEST_CASE("perf engine: the hardware counts what the translator counts, but for a few per interrupt", "[perf]") {
  if (const auto why = PerfCounter::WhyUnavailable()) TALLY_SKIP(*why);
  if (!CpuidCanFault()) TALLY_SKIP("this processor, or its hypervisor, cannot fault at cpuid: programs would choose other code");
  const auto count = [](Counter counter, const std::string& program) {
    TestRun run = Clocked(program);
    run.counter = counter;
    run.perf_source = PerfSource::kInstructions;
    run.limits.processes = 2;
    run.input = "1 2 3 4 5\n";
    const TestResult result = RunTestProgram(run);
    CAPTURE(program, result.run.sentence);
    CHECK(result.code() == "OK");
    REQUIRE(result.run.instructions.has_value());
    return static_cast<double>(result.run.instructions.value().count);
  };
  std::printf("%-40s %15s %15s %10s\n", "program", "translator", "perf", "difference");
  for (const char* program :
       {"exit_zero_nolibc", "hello", "hello_cxx", "hello_dynamic", "hello_cxx_dynamic", "sum_numbers", "known_rep",
        "known_loop", "syscalls_n", "many_small_writes", "virtual_clocks", "virtual_machine", "uses_mmap", "signals_ok",
        "translator/callbacks_dynamic", "translator/exceptions_dynamic", "translator/virtual_calls", "translator/x87"}) {
    const double exact = count(Counter::kTranslator, program);
    const double counted = count(Counter::kPerf, program);
    std::printf("%-40s %15.0f %15.0f %+10.0f\n", program, exact, counted, counted - exact);
    CHECK(counted >= exact - 100);
    CHECK(counted <= exact * 1.01 + 20'000);
  }
}

}  // namespace
}  // namespace tally

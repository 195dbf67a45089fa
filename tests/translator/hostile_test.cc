// Programs that know how they are translated and counted, and want to get out, to change the count, or to find it. Each
// ends in a rule violation with a sentence, or is counted as ever (docs/isolation.md).
#include <chrono>
#include <csignal>
#include <cstdio>
#include <fstream>
#include <iterator>
#include <span>
#include <sstream>
#include <string>
#include <vector>

#include "supervisor/api/call_observer.h"
#include "supervisor/run/process_executor.h"
#include "supervisor/translator/cache/control_area.h"
#include "supervisor/translator/guest/task_log.h"
#include "tests/support/catch.h"
#include "tests/support/run_program.h"
#include "tests/support/this_machine.h"

namespace tally {
namespace {

TestResult Translated(const std::string& program, std::vector<std::string> arguments = {}) {
  TestRun run{.program = program, .arguments = std::move(arguments)};
  run.counter = Counter::kTranslator;
  run.limits.user_time.reset();
  run.limits.cpu_time.reset();
  run.limits.idle_time.reset();
  run.limits.wall_time = std::chrono::seconds(20);
  return RunTestProgram(run);
}

void CheckViolation(const std::string& program, const std::string& argument, const std::string& sentence) {
  const TestResult result = Translated(program, {argument});
  CAPTURE(program, argument, result.run.sentence, result.output);
  CHECK(result.code() == "RV");
  CHECK(result.run.sentence.find(sentence) != std::string::npos);
  CHECK_FALSE(result.ended());
}

// The program's mappings, as they are in truth when it opens its first file.
class MapsAtOpen : public CallObserver {
 public:
  void Began(pid_t /*first*/, Ticks /*when*/) override {}
  void TaskBegan(pid_t /*task*/, pid_t /*parent*/, bool /*is_thread*/, bool /*shares*/, Ticks /*when*/) override {}
  void TaskEnded(pid_t /*task*/, const ObservedCall* /*unfinished*/, Ticks /*when*/) override {}
  void Named(pid_t task, std::uint64_t /*number*/, std::string_view /*name*/) override {
    std::ifstream file("/proc/" + std::to_string(task) + "/maps");
    maps.assign(std::istreambuf_iterator<char>(file), {});
  }
  void Called(pid_t /*task*/, std::span<const ObservedCall> /*calls*/) override {}
  void Stopped(pid_t /*task*/, Ticks /*begin*/, Ticks /*end*/) override {}
  void Clock(Ticks /*begin*/, Ticks /*end*/, std::uint64_t /*nanoseconds*/) override {}

  std::string maps;
};

TEST_CASE("hostile: going into the code cache is a rule violation, whichever way", "[translator]") {
  for (const char* how : {"jump", "call", "return", "handler", "context", "runs_off"}) {
    CheckViolation("into_code_cache", how, "jump to 0x70000000: there the translator keeps its code");
  }
}

TEST_CASE("hostile: system calls about the translator's memory are rule violations", "[translator]") {
  for (const char* how : {"munmap_code", "munmap_around", "mprotect_code", "pkey_mprotect_code", "mmap_code", "mmap_room",
                          "mremap_code", "mremap_onto", "madvise_remove", "madvise_free", "madvise_near", "madvise_below",
                          "madvise_fork", "mincore", "msync", "mlock", "munlock", "prctl_name"}) {
    CheckViolation("names_engine_memory", how, "there the translator keeps what the program may not change or see");
  }
}

TEST_CASE("hostile: writing beside code again and again takes as long each time", "[translator]") {
  const auto seconds = [](const char* rounds) {
    const auto begin = std::chrono::steady_clock::now();
    const TestResult result = Translated("translator/code_across", {rounds});
    CAPTURE(result.run.sentence);
    CHECK(result.code() == "OK");
    CHECK(result.output == std::string(rounds) + "\nEND\n");
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  };
  const double few = seconds("2000"), many = seconds("8000");
  CAPTURE(few, many);
  CHECK(many < 9 * few);
}

TEST_CASE("hostile: what lies where in the address space tells nothing about the counters", "[translator]") {
  const TestResult occupied = Translated("names_engine_memory", {"fixed_noreplace"});
  CAPTURE(occupied.run.sentence, occupied.output);
  CHECK(occupied.code() == "OK");
  CHECK(occupied.output.find("refused (EEXIST)") != std::string::npos);

  TestRun run{.program = "measures_free_space"};
  run.counter = Counter::kTranslator;
  run.memory_by = MemoryBy::kResident;  // the address space is the program's to fill
  const TestResult first = RunTestProgram(run);
  CAPTURE(first.run.sentence, first.output);
  CHECK(first.code() == "OK");
  for (int i = 0; i < 5; ++i) CHECK(RunTestProgram(run).output == first.output);
}

// Whoever tries addresses finds the larger things first.
TEST_CASE("hostile: the room of the counters holds one page and nothing else", "[translator]") {
  MapsAtOpen observer;
  TestRun run{.program = "read_etc_passwd"};
  run.counter = Counter::kTranslator;
  std::uint64_t reachable = 0;
  run.call_observer = &observer;
  RunTestProgram(run);
  std::istringstream maps(observer.maps);
  REQUIRE_FALSE(observer.maps.empty());
  for (std::string line; std::getline(maps, line);) {
    unsigned long begin = 0;
    unsigned long end = 0;
    char rights[5] = "";
    if (std::sscanf(line.c_str(), "%lx-%lx %4s", &begin, &end, rights) != 3) continue;
    const bool in_room = begin >= control::kRoom && begin < control::kRoom + control::kRoomSize;
    if (in_room && std::string(rights) != "---p") reachable += end - begin;
  }
  // Such an observer has its log there, too.
  CHECK(reachable == control::kPageBytes + TaskLog::kBytes);
}

TEST_CASE("hostile: in a sandbox with /proc, the program finds its mappings as single steps show them, and nothing of ours", "[translator]") {
  const TestRun runs[] = {{.program = "print_maps"}, {.program = "print_maps", .arguments = {"thread"}}, {.program = "looks_into_proc"}};
  for (TestRun run : runs) {
    run.sandbox = "interpreter-sandbox";
    run.virtual_cpu.rules.Remove(VirtualRule::kSystem);  // with it files have numbers of their own there
    run.limits.processes = 2;
    run.address_randomization = false;
    run.counter = Counter::kStep;
    run.limits.user_time.reset();
    run.limits.cpu_time.reset();
    run.limits.wall_time = std::chrono::seconds(30);
    const TestResult expected = RunTestProgram(run);
    run.counter = Counter::kTranslator;
    const TestResult result = RunTestProgram(run);
    CAPTURE(run.program, run.arguments.size(), result.run.sentence);
    REQUIRE(result.code() == "OK");
    if (run.program == "print_maps") {
      CHECK(result.output == expected.output);
    } else {
      CHECK(result.output.find("opened") == std::string::npos);
      CHECK(expected.output.find("opened") != std::string::npos);
    }
  }
}

TEST_CASE("hostile: other code than translated code is a rule violation", "[translator]") {
  for (const std::string how : {"context", "far", "vdso", "tags"}) {
    if (how == "far" && !RunsI386()) continue;  // the processor refuses it, too: the kernel has no such segment
    CheckViolation("changes_mode", how, "counter=translator does not");
  }
}

TEST_CASE("hostile: a program has a gs of its own, and the translator's base is not to be seen in it", "[translator]") {
  const TestResult result = Translated("changes_mode", {"gs"});
  CAPTURE(result.run.sentence);
  CHECK(result.code() == "OK");
  CHECK(result.output == "END\n");
}

TEST_CASE("hostile: the translator's descriptors are closed before the program begins", "[translator]") {
  const TestResult result = Translated("print_fds");
  CAPTURE(result.output);
  CHECK(result.code() == "OK");
  CHECK(result.output == RunTestProgram({.program = "print_fds"}).output);
}

TEST_CASE("hostile: a program that leaves the translator no descriptor breaks a rule, and is no failure of ours", "[translator]") {
  TestRun run{.program = "forks_without_descriptors"};
  run.counter = Counter::kTranslator;
  run.limits.processes = 2;
  const TestResult result = RunTestProgram(run);
  CHECK(result.code() == "RV");
  CHECK(result.run.sentence.find("needs a free descriptor") != std::string::npos);
}

TEST_CASE("hostile: a program that lies where the code cache would breaks a rule, and is no failure of ours", "[translator]") {
  const TestResult result = Translated("at_the_code_cache");
  CHECK(result.code() == "RV");
  CHECK(result.run.sentence.find("has no room in the address space") != std::string::npos);
}

// Under the reference it cannot run: that steps by the same signal.
TEST_CASE("traps: what a program has set for SIGTRAP, and that it blocked it, stays as natively", "[translator]") {
  const TestResult native = RunTestProgram({.program = "trap_action"});
  const TestResult result = Translated("trap_action");
  CAPTURE(result.run.sentence, result.output);
  CHECK(native.code() == "OK");
  CHECK(result.code() == "OK");
  CHECK(result.output == native.output);
  for (const char* how : {"ignored", "blocked"}) {
    const TestResult ended = Translated("trap_action", {how});
    CAPTURE(how, ended.run.sentence);
    CHECK(ended.code() == "RE");
    CHECK(ended.run.signal == SIGTRAP);
  }
}

TEST_CASE("faults: what a program has set for SIGSEGV, and that it blocked it, stays as natively where it writes into its code", "[translator]") {
  TestRun run{.program = "fault_action"};
  run.permissions = SyscallPermissions{.processes = true};
  run.limits.processes = 2;
  const TestResult native = RunTestProgram(run);
  run.counter = Counter::kTranslator;
  const TestResult result = RunTestProgram(run);
  CAPTURE(result.run.sentence, result.output);
  CHECK(native.code() == "OK");
  CHECK(result.code() == "OK");
  CHECK(result.output == native.output);
  for (const char* how : {"ignored", "blocked"}) {
    const TestResult ended = Translated("fault_action", {how});
    CAPTURE(how, ended.run.sentence);
    CHECK(ended.code() == "RE");
    CHECK(ended.run.signal == SIGSEGV);
  }
}

TEST_CASE("hostile: a storm of signals loses none, and nothing that came with them", "[translator]") {
  for (int i = 0; i < 3; ++i) {
    const TestResult result = Translated("signal_storm");
    CAPTURE(result.run.sentence, result.output);
    CHECK(result.code() == "OK");
    CHECK(result.output == "wrong 0\nEND\n");
  }
}

}  // namespace
}  // namespace tally

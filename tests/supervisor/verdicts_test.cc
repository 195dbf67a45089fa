// Every result code of a run, each reached in many ways: one program of tests/programs per row. WA, CE and SE
// are not said by a run: tests/jobs has theirs, and, in every_code_test.cc, each signal. The same rows run as
// root and as an ordinary user (scripts/run-tests).
#include <algorithm>
#include <functional>
#include <string>
#include <vector>

#include "tests/support/catch.h"
#include "tests/support/memory_cgroup.h"
#include "tests/support/run_program.h"
#include "tests/support/skip.h"

namespace tally {
namespace {

using Change = std::function<void(TestRun&)>;

struct Row {
  const char* code;
  const char* program;
  std::vector<std::string> arguments;
  const char* sentence = "";  // a part of it
  Change change = {};
};

Change Processes(std::uint32_t n) {
  return [n](TestRun& run) { run.limits.processes = n; };
}
Change Memory(std::uint64_t mib) {
  return [mib](TestRun& run) { run.limits.memory = Bytes::MiB(mib); };
}
Change By(MemoryBy by) {
  return [by](TestRun& run) { run.memory_by = by; };
}
Change Both(const Change& a, const Change& b) {
  return [a, b](TestRun& run) {
    a(run);
    b(run);
  };
}
void OnlyWallTime(TestRun& run) { run.limits.idle_time.reset(); }
void ToPipe(TestRun& run) { run.output_to_pipe = true; }
void StaysOpen(TestRun& run) { run.input_stays_open = true; }
void StackOf8MiB(TestRun& run) { run.limits.stack = Bytes::MiB(8); }

void Check(const Row& row) {
  CAPTURE(row.program, row.arguments);
  TestRun run{.program = row.program, .arguments = row.arguments, .limits = TestRun::LimitsToEndWith(row.code)};
  if (row.change) row.change(run);
  const TestResult result = RunTestProgram(run);
  CAPTURE(result.run.sentence, result.output.substr(0, 300), result.error_output.substr(0, 300));
  CHECK(result.code() == row.code);
  CHECK(result.run.sentence.find(row.sentence) != std::string::npos);
  // Nothing silently stopped passes for a good end.
  if (result.code() == "OK" && std::string(row.program) != "exit_zero" &&
      std::string(row.program) != "exit_zero_nolibc" && run.limits.output > Bytes::KiB(4)) {
    CHECK(result.ended());
  }
}

void CheckAll(const std::vector<Row>& rows) {
  for (const Row& row : rows) Check(row);
}

TEST_CASE("OK: what ordinary programs do", "[verdicts]") {
  CheckAll({
      {"OK", "exit_zero", {}},
      {"OK", "exit_zero_nolibc", {}},
      {"OK", "hello", {}},
      {"OK", "hello_cxx", {}},
      {"OK", "echo_stdin", {}},
      {"OK", "many_small_writes", {"2000"}},
      {"OK", "signals_ok", {}},
      {"OK", "uses_mmap", {}},
      {"OK", "jit_code", {}},
      {"OK", "known_loop", {}},
      {"OK", "sleeps_briefly", {"100"}},
      {"OK", "burn_cpu", {"100"}},
      {"OK", "malloc_touch", {"32"}},
      {"OK", "stack_recursion", {"32"}},
      {"OK", "closes_streams", {}},
      {"OK", "stdout_exact", {"1048576"}},
      {"OK", "stdout_exact", {"1048576"}, "", ToPipe},
      {"OK", "threads_ok", {}, "", Processes(5)},
      {"OK", "fork_ok", {}, "", Processes(4)},
      {"OK", "crash_in_child", {}, "", Processes(2)},
      {"OK", "exit_from_thread", {}, "", Processes(2)},
      {"OK", "exit_code", {"0"}},
      {"OK", "vsyscall_call", {}},
  });
}

TEST_CASE("TLE: CPU time, kernel time, real time and idle time each have their limit and their sentence",
          "[verdicts]") {
  CheckAll({
      {"TLE", "busy_loop", {}, "user CPU time"},
      {"TLE", "ignore_all_signals_loop", {}, "user CPU time"},
      {"TLE", "burn_kernel_time", {}, "CPU time, system calls included",
       [](TestRun& run) { run.limits.wall_time = Milliseconds(5000); }},
      {"TLE", "sched_yield_loop", {}, "time limit exceeded"},
      {"TLE", "sleep_forever", {}, "idle"},
      {"TLE", "sleep_long", {}, "idle"},
      {"TLE", "sleep_long", {}, "real time", OnlyWallTime},
      {"TLE", "sleep_in_slices", {}, "real time"},
      {"TLE", "blocked_read", {}, "idle"},
      {"TLE", "blocked_read", {"stdin"}, "idle", StaysOpen},
      {"TLE", "idle_select", {}, "idle"},
      {"TLE", "idle_select", {"poll"}, "idle"},
      {"TLE", "deadlock", {}, "idle"},
      {"TLE", "stop_self", {}, "idle"},
      {"TLE", "burn_then_sleep", {"100"}, "idle"},
      {"TLE", "closes_streams", {"sleep"}, "idle"},
      {"TLE", "busy_threads", {"2"}, "user CPU time", Processes(3)},
      {"TLE", "fork_and_burn", {"2"}, "user CPU time", Processes(4)},
      // Starting processes is mostly waiting on a busy machine; it is their CPU time that is to be told.
      {"TLE", "many_short_children", {}, "CPU time",
       [](TestRun& run) {
         run.limits.processes = 4;
         run.limits.wall_time = Milliseconds(10'000);
       }},
      {"TLE", "segv_handler_returns", {}, "time limit exceeded"},
      {"TLE", "vfork_child_hangs", {}, "idle", Processes(2)},
  });
}

TEST_CASE("MLE: by malloc, mmap, mremap, brk, the stack and static arrays", "[verdicts]") {
  const std::vector<Row> rows = {
      {"MLE", "malloc_touch", {}},
      {"MLE", "malloc_unchecked", {}},
      {"MLE", "malloc_many_small", {}},
      {"MLE", "new_bad_alloc", {}},
      {"MLE", "mmap_touch", {}},
      {"MLE", "grow_by_mremap", {}},
      {"MLE", "brk_grow", {}},
      {"MLE", "stack_recursion", {}},
      {"MLE", "static_array_touched", {}},
      {"MLE", "shm_memory", {}},
      {"MLE", "thread_stacks", {}, "", Processes(17)},
  };
  SECTION("by address space") {
    for (Row row : rows) {
      row.change = row.change ? Both(row.change, By(MemoryBy::kAddressSpace)) : By(MemoryBy::kAddressSpace);
      Check(row);
    }
    Check({"MLE", "static_array_untouched", {}, "", By(MemoryBy::kAddressSpace)});
    Check({"MLE", "mmap_huge_then_abort", {}, "an allocation was refused", By(MemoryBy::kAddressSpace)});
  }
  SECTION("by resident set") {
    for (Row row : rows) {
      row.change = row.change ? Both(row.change, By(MemoryBy::kResident)) : By(MemoryBy::kResident);
      Check(row);
    }
    Check({"OK", "static_array_untouched", {}, "", By(MemoryBy::kResident)});
    Check({"MLE", "many_processes_memory", {"4", "32"}, "", Both(Processes(5), By(MemoryBy::kResident))});
    Check({"MLE", "memory_by_page_tables", {"40"}, "", By(MemoryBy::kResident)});
    Check({"MLE", "tmpfs_fill", {"128"}, "", Both(Memory(32), By(MemoryBy::kResident))});
  }
  SECTION("by cgroup") {
    if (!CgroupsWork()) TALLY_SKIP("this user has no memory cgroup; address space and resident set are tested");
    for (Row row : rows) {
      row.change = row.change ? Both(row.change, By(MemoryBy::kCgroup)) : By(MemoryBy::kCgroup);
      Check(row);
    }
    Check({"OK", "static_array_untouched", {}, "", By(MemoryBy::kCgroup)});
    Check({"MLE", "many_processes_memory", {"4", "32"}, "", Both(Processes(5), By(MemoryBy::kCgroup))});
    Check({"MLE", "memory_by_pipes", {"24"}, "", Both(Memory(12), By(MemoryBy::kCgroup))});
    Check({"MLE", "memory_by_page_tables", {"40"}, "", By(MemoryBy::kCgroup)});
    Check({"OK", "mmap_untouched", {}, "", By(MemoryBy::kCgroup)});
    Check({"MLE", "exec_shrinks", {}, "", Both(Processes(2), By(MemoryBy::kCgroup))});
    Check({"MLE", "tmpfs_fill", {"128"}, "", Both(Memory(32), By(MemoryBy::kCgroup))});
  }
}

TEST_CASE("MLE: a full stack under a stack limit of its own", "[verdicts]") {
  Check({"MLE", "stack_recursion", {"32"}, "stack limit exceeded", StackOf8MiB});
  Check({"OK", "stack_recursion", {"4"}, "", StackOf8MiB});
}

TEST_CASE("memory limit: a refused allocation that the program survives is not MLE", "[verdicts]") {
  Check({"OK", "malloc_refused_survives", {}, "", By(MemoryBy::kAddressSpace)});
}

TEST_CASE("OLE: into a file, into a pipe, by every call that writes", "[verdicts]") {
  CheckAll({
      {"OLE", "stdout_flood", {}},
      {"OLE", "stdout_flood", {}, "", ToPipe},
      {"OLE", "stdout_flood_ignoring_sigxfsz", {}},
      {"OLE", "stdout_flood_ignoring_sigxfsz", {}, "", ToPipe},
      {"OLE", "stdout_by_writev", {}},
      {"OLE", "stdout_by_splice", {}, "", ToPipe},
      {"OLE", "stdout_by_sendfile", {}, "", ToPipe},
      {"OLE", "stdout_one_write", {"1048577"}},
      {"OLE", "stdout_one_write", {"1048577"}, "", ToPipe},
      {"OLE", "stdout_exact", {"1048577"}},
      {"OLE", "stdout_exact", {"1048577"}, "", ToPipe},
      {"OLE", "stdout_by_children", {"4", "512"}, "", Processes(6)},
      {"OLE", "file_flood", {}},
      {"OLE", "stdout_sparse", {"256", "truncate"}},
      {"OLE", "stdout_rewritten", {}, "", ToPipe},
  });
}

TEST_CASE("OLE: stderr has the same limit, into a file and into a pipe", "[verdicts]") {
  for (const bool pipe : {false, true}) {
    TestRun run{.program = "stderr_flood", .arguments = {"2"}};
    run.errors_to_pipe = pipe;
    const TestResult over = RunTestProgram(run);
    CAPTURE(pipe, over.run.sentence);
    CHECK(over.code() == "OLE");
    CHECK(over.error_output.size() <= run.limits.output->count + 1);
    run.arguments = {"1"};
    const TestResult at_limit = RunTestProgram(run);
    CAPTURE(at_limit.run.sentence);
    CHECK(at_limit.code() == "OK");
    CHECK(at_limit.error_output.size() == run.limits.output->count);
  }
}

TEST_CASE("output limit: the output is cut at the limit, into a file and into a pipe", "[verdicts]") {
  for (const bool pipe : {false, true}) {
    TestRun run{.program = "stdout_flood"};
    run.output_to_pipe = pipe;
    const TestResult result = RunTestProgram(run);
    CHECK(result.output.size() == run.limits.output->count);
  }
}

TEST_CASE("RE: exit codes", "[verdicts]") {
  for (const char* code : {"1", "2", "127", "128", "137", "139", "255"}) {
    CAPTURE(code);
    Check({"RE", "exit_code", {code}, "runtime error"});
    const TestResult result = RunTestProgram({.program = "exit_code", .arguments = {code}});
    CHECK(result.run.exit_code == std::stoi(code));
    CHECK_FALSE(result.run.signal.has_value());
  }
}

TEST_CASE("RE: faults, aborts and a closed pipe", "[verdicts]") {
  CheckAll({
      {"RE", "segfault_null", {}, "signal 11"},
      {"RE", "divide_by_zero", {}, "signal 8"},
      {"RE", "abort", {}, "signal 6"},
      {"RE", "assert_fails", {}, "signal 6"},
      {"RE", "stack_smash", {}, "signal 6"},
      {"RE", "uncaught_exception", {}, "signal 6"},
      {"RE", "illegal_instruction", {}, "signal 4"},
      {"RE", "bus_error", {}, "signal 7"},
      {"RE", "alignment_check", {}, "signal 7"},
      {"RE", "execute_data", {}, "signal 11"},
      {"RE", "trap_flag", {}, "signal 5"},
      {"RE", "trap_flag", {"int3"}, "signal 5"},
      {"RE", "write_closed_pipe", {}, "signal 13"},
      {"RE",
       "raise_signal",
       {"25"},
       "signal 25"},  // what an output limit is told by, but not from the kernel
      {"RE", "kill_self_by_kill", {"9"}, "signal 9"},
      {"RE", "kill_self_by_kill", {"15", "tkill"}, "signal 15"},
      {"RE", "privileged_instruction", {}, "signal 11"},
      {"RE", "read_write_only_page", {}, "signal 11"},
      {"RE", "segfault_near_stack", {}, "signal 11", StackOf8MiB},
      {"RE", "crash_in_thread", {}, "signal 11", Processes(2)},
  });
}

}  // namespace
}  // namespace tally

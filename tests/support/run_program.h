// Runs one of tests/programs under the supervisor, as the exec job would. Every option has a default, so a test names only
// what it is about.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "supervisor/api/root_spec.h"
#include "supervisor/api/run_request.h"
#include "supervisor/api/run_result.h"
#include "supervisor/sandbox/sandbox.h"

namespace tally {

struct TestRun {
  std::string program;                 // of tests/programs
  std::vector<std::string> arguments;
  std::string input;                   // on stdin
  bool input_stays_open = false;       // stdin is a pipe that nobody writes to or closes
  bool output_to_pipe = false;         // stdout is a pipe, not a file
  bool errors_to_pipe = false;         // so is stderr
  Limits limits = PatientLimits();
  // kNone: TALLY_TEST_COUNTER=translator in the environment makes it kTranslator, where that can execute the test.
  Counter counter = Counter::kNone;
  MemoryBy memory_by = MemoryBy::kAuto;
  SyscallCounting syscalls = SyscallCounting::kOff;
  Isolation isolation = Isolation::kFull;
  std::string sandbox = "exec-sandbox";
  std::optional<SyscallPermissions> permissions;  // in place of the sandbox's
  std::vector<Mount> extra_mounts;
  std::vector<std::string> env;
  bool address_randomization = true;
  VirtualCpuOptions virtual_cpu;
  TranslationOptions translation;
  PerfSource perf_source = PerfSource::kInstructions;
  std::string translation_folder;  // "": every program is translated anew
  BlockObserver* observer = nullptr;
  CallObserver* call_observer = nullptr;

  // 3 s of user time, 5 of all, 15 of real time, 2.5 idle, 64 MiB, 1 MiB of output, one process: for a program that
  // ends by itself, or by another limit, also on a machine that is slow for a moment.
  static Limits PatientLimits();
  // The same with a tenth of the times: for one that ends by such a limit, so that no test waits.
  static Limits SmallLimits();
  // The latter for "TLE".
  static Limits LimitsToEndWith(std::string_view code) { return code == "TLE" ? SmallLimits() : PatientLimits(); }
};

struct TestResult {
  RunResult run;
  std::string output;        // stdout
  std::string error_output;  // stderr

  [[nodiscard]] std::string code() const { return std::string(Name(run.code)); }
  // Did the program come to its own end? Every program of ours says so (tests/programs/README.md).
  [[nodiscard]] bool ended() const { return output.size() >= 4 && output.ends_with("END\n"); }
};

TestResult RunTestProgram(const TestRun& run);
// The same in a sandbox of the test's own, where the program lies at `inside`; run.program, run.sandbox,
// run.extra_mounts and run.isolation have no say then.
TestResult RunTestProgram(const TestRun& run, const Sandbox& sandbox, const std::string& inside);

// The path of a test program on this machine; "" when it could not be built here (32-bit tools are missing).
std::string TestProgram(const std::string& name);
// The build and source folders, also when the tests were copied for another user (scripts/as-ordinary-user).
std::string BuildFolder();
std::string SourceFolder();

}  // namespace tally

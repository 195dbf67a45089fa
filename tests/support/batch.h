// One sandbox with all test programs in /box, run again and again: what a warm batch keeps can be looked at in between.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "sandboxes/sandbox_store.h"
#include "supervisor/run/process_executor.h"
#include "tests/support/run_program.h"

namespace tally {

class Batch {
 public:
  explicit Batch(const std::string& name = "exec-sandbox")
      : sandbox_(ProcessExecutor().sandboxes(), SandboxStore().Get(name), {{BuildFolder() + "/tests/programs", "/box"}}) {}

  TestResult Run(const std::string& program, const std::vector<std::string>& arguments = {}, std::uint32_t processes = 1) {
    TestRun run{.program = program, .arguments = arguments};
    run.limits.processes = processes;
    return Run(run);
  }
  TestResult Run(const TestRun& run) { return RunTestProgram(run, sandbox_, "/box/" + run.program); }

  // Would the next run enter the last one's mounts?
  bool KeepsMounts() { return sandbox_.reused_mounts().AreAsMade(); }
  // The init that waits for the next run; 0: none does.
  pid_t ReusedInit() { return sandbox_.reused_init().pid(); }
  // This host does not let init choose a pid.
  [[nodiscard]] bool given_up() const { return sandbox_.reused_init().given_up(); }
  // As many runs as it takes to have one.
  pid_t WarmUp(const std::string& program) {
    for (int i = 0; i < 3; ++i) Run(program);
    return ReusedInit();
  }
  [[nodiscard]] const Sandbox& sandbox() const { return sandbox_; }

 private:
  Sandbox sandbox_;
};

}  // namespace tally

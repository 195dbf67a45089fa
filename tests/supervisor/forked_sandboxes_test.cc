// Sandboxes that forks of one process make at the same time (supervisor/sandbox/private_mounts.h): judging workers make one for each custom
// checker's run.
#include <sys/wait.h>
#include <unistd.h>

#include <vector>

#include "supervisor/run/process_executor.h"
#include "tests/support/catch.h"
#include "tests/support/run_program.h"

namespace tally {
namespace {

constexpr int kForks = 4, kRuns = 25;

TEST_CASE("forked sandboxes: none lies over another's, and each program is the one that was placed", "[sandbox]") {
  const std::string here = RunTestProgram({.program = "print_ids"}).output;  // so that the forks have what we have
  std::vector<pid_t> forks;
  for (int i = 0; i < kForks; ++i) {
    forks.push_back(::fork());
    if (forks.back() != 0) continue;
    int wrong = 0;
    try {
      for (int run = 0; run < kRuns; ++run) {
        if (RunTestProgram({.program = "print_ids"}).output != here) ++wrong;
      }
    } catch (...) {
      wrong = kRuns;
    }
    ProcessExecutor().RetireAll();
    ::_exit(wrong);
  }
  for (const pid_t fork : forks) {
    int status = -1;
    ::waitpid(fork, &status, 0);
    CHECK(status == 0);
  }
}

}  // namespace
}  // namespace tally

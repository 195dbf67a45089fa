// Signals that ask for the end, where we wait for something else than a run (jobs/interrupts.h).
#include "jobs/interrupts.h"

#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/support/catch.h"

namespace tally {
namespace {

TEST_CASE("interrupts: one that our caller had ignored, as nohup does, is none", "[interrupts]") {
  const pid_t process = ::fork();
  if (process == 0) {
    ::signal(SIGHUP, SIG_IGN);
    const Interrupts interrupts;
    ::raise(SIGHUP);
    const bool was_left = interrupts.Take() == 0;
    ::raise(SIGTERM);
    ::_exit(was_left && interrupts.Take() == SIGTERM ? 0 : 1);
  }
  int status = -1;
  ::waitpid(process, &status, 0);
  CHECK(status == 0);
}

}  // namespace
}  // namespace tally

// The shortcut of a warm batch (supervisor/sandbox/reused_mounts.h) must be invisible: a run enters the last run's mounts only
// if nobody could tell them from new ones.
#include <sys/wait.h>
#include <unistd.h>

#include "supervisor/sandbox/private_mounts.h"
#include "tests/support/batch.h"
#include "tests/support/catch.h"

namespace tally {
namespace {

TEST_CASE("reused mounts: from the second run on, runs that leave /tmp alone share their mounts", "[kept]") {
  Batch batch;
  CHECK(batch.Run("hello").code() == "OK");
  CHECK_FALSE(batch.KeepsMounts());
  for (int i = 0; i < 3; ++i) {
    CHECK(batch.Run("hello").code() == "OK");
    CHECK(batch.KeepsMounts());
  }
  const TestResult wrong = batch.Run("segfault_null");
  CHECK(wrong.code() == "RE");
  CHECK(batch.KeepsMounts());
}

TEST_CASE("reused mounts: files in /tmp, even removed ones, end the sharing and are not seen by the next run", "[kept]") {
  Batch batch;
  for (const std::vector<std::string>& touch :
       {std::vector<std::string>{"file_flood", "1", "/tmp"}, {"writes_work_file", "/tmp/left"}}) {
    for (int i = 0; i < 3; ++i) batch.Run("hello");
    REQUIRE(batch.KeepsMounts());
    const TestResult toucher = batch.Run(touch[0], {touch.begin() + 1, touch.end()});
    CAPTURE(touch[0], toucher.run.sentence);
    CHECK_FALSE(batch.KeepsMounts());
    const TestResult after = batch.Run("list_dir", {"/tmp"});
    CHECK(after.ended());
    CHECK(after.output.find("/tmp/") == std::string::npos);
  }
}

TEST_CASE("reused mounts: a program that only read /tmp left a trace, the time of access, and ends the sharing", "[kept]") {
  Batch batch;
  for (int i = 0; i < 3; ++i) batch.Run("hello");
  REQUIRE(batch.KeepsMounts());
  batch.Run("list_dir", {"/tmp"});
  CHECK_FALSE(batch.KeepsMounts());
}

TEST_CASE("reused mounts: a /proc is kept with the init whose it is, and with no other", "[kept]") {
  Batch batch("interpreter-sandbox");
  const bool stays = batch.WarmUp("hello") > 0;
  CHECK(batch.KeepsMounts() == stays);
  if (!CanChangeUser()) CHECK_FALSE(stays);  // its init would need a capability for it
  ProcessExecutor().RetireAll();  // its process namespace is gone
  CHECK_FALSE(batch.ReusedInit() > 0);
  CHECK(batch.Run("hello").code() == "OK");
  CHECK(batch.KeepsMounts() == (batch.ReusedInit() > 0));
}

TEST_CASE("reused mounts: what a program finds in /proc is the same whichever init started it, and nothing there can be opened that could not", "[kept]") {
  for (const std::vector<std::string>& program :
       {std::vector<std::string>{"see_processes"}, {"proc_escape"}, {"self_portrait"}, {"print_files", "/proc/self/cgroup", "/proc/1/cmdline"}}) {
    for (const std::uint32_t processes : {1, 8}) {
      CAPTURE(program[0], processes);
      Batch batch("interpreter-sandbox");
      const TestResult first = batch.Run(program[0], {program.begin() + 1, program.end()}, processes);
      REQUIRE(first.ended());
      for (int i = 0; i < 4; ++i) CHECK(batch.Run(program[0], {program.begin() + 1, program.end()}, processes).output == first.output);
    }
  }
}

TEST_CASE("reused mounts: a forked worker makes its own", "[kept]") {
  Batch batch;
  for (int i = 0; i < 3; ++i) batch.Run("hello");
  REQUIRE(batch.KeepsMounts());
  const pid_t worker = ::fork();
  if (worker == 0) ::_exit(batch.KeepsMounts() ? 1 : 0);
  int status = -1;
  ::waitpid(worker, &status, 0);
  CHECK(status == 0);
  CHECK(batch.KeepsMounts());
}

}  // namespace
}  // namespace tally

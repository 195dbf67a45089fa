#include "base/command.h"

#include "base/sys.h"
#include "tests/support/catch.h"

namespace tally {
namespace {

constexpr Nanoseconds kLong = std::chrono::seconds(20);

TEST_CASE("command: what it says and how it ends", "[command]") {
  const CommandEnd good = RunCommand({"/bin/sh", "-c", "echo one; echo two >&2; echo"}, {}, kLong);
  CHECK(good.is_success);
  CHECK(good.said == "one\ntwo");
  const CommandEnd bad = RunCommand({"/bin/sh", "-c", "echo no; exit 3"}, {}, kLong);
  CHECK_FALSE(bad.is_success);
  CHECK(bad.said == "no");
  CHECK_FALSE(RunCommand({"/bin/sh", "-c", "kill -9 $$"}, {}, kLong).is_success);
}

TEST_CASE("command: its environment is ours and what it is given, which wins", "[command]") {
  ::setenv("TALLY_TEST_WORD", "ours", 1);
  CHECK(RunCommand({"/bin/sh", "-c", "echo $TALLY_TEST_WORD"}, {}, kLong).said == "ours");
  CHECK(RunCommand({"/bin/sh", "-c", "echo $TALLY_TEST_WORD"}, {"TALLY_TEST_WORD=given"}, kLong).said ==
        "given");
}

TEST_CASE("command: one that is not there, and one that does not end, are told", "[command]") {
  const CommandEnd absent = RunCommand({"/nonexistent/program"}, {}, kLong);
  CHECK_FALSE(absent.is_success);
  CHECK(absent.said == "start /nonexistent/program: No such file or directory");
  const Nanoseconds begin = sys::MonotonicNow();
  const CommandEnd endless = RunCommand({"/bin/sleep", "100"}, {}, std::chrono::milliseconds(50));
  CHECK_FALSE(endless.is_success);
  CHECK(endless.said == "/bin/sleep did not end in time");
  CHECK(sys::MonotonicNow() - begin < kLong);
}

}  // namespace
}  // namespace tally

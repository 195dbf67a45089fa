// The command line among other processes: readers that leave early, descriptors that are closed, terminals,
// signals.
#include <filesystem>

#include "base/lines.h"
#include "tests/support/catch.h"
#include "tests/support/cli_run.h"
#include "tests/support/run_program.h"
#include "tests/support/scratch_folder.h"

namespace tally {
namespace {

namespace fs = std::filesystem;

TEST_CASE("streams: a reader that leaves early ends the run at once, and the summary says why",
          "[cli][streams]") {
  const CliResult result = Shell("{ $TALLY run -- $PROGRAMS/stdout_flood; echo status $? >&2; } | head -c 1");
  CHECK(result.out.size() == 1);
  CHECK(Has(result.error, "RE  process exited due to signal 13 (SIGPIPE)\n"));
  CHECK(Has(result.error, "status 0\n"));
}

TEST_CASE(
    "streams: a reader that never starts does not hang a job, and its result is written whole or not at all",
    "[cli][streams]") {
  CHECK(Shell("$TALLY exec exe_file=$PROGRAMS/hello | head -c 1").out == "{");
  CHECK(Shell("$TALLY exec exe_file=$PROGRAMS/hello | true").status == 0);
  CHECK(Shell("$TALLY check-host | head -n 1").out == "This machine\n");
}

TEST_CASE("streams: a pipe as stdin is read to its end, or left when the program ends first",
          "[cli][streams]") {
  CHECK(Shell("echo through a pipe | $TALLY run -q -- $PROGRAMS/echo_stdin").out == "through a pipe\nEND\n");
  CHECK(Shell("yes | $TALLY run -q -- $PROGRAMS/hello").out == "hello\nEND\n");
}

TEST_CASE("streams: output through a pipe is bounded as a file is", "[cli][streams]") {
  const CliResult result = Shell("$TALLY run --output-limit 1000b -- $PROGRAMS/stdout_exact 5000 | wc -c");
  CHECK(Has(result.error, "OLE  output limit exceeded: more than 1,000 B"));
  CHECK(std::stoi(result.out) <= 1001);
}

TEST_CASE("streams: closed descriptors are survived, and no other file takes their place", "[cli][streams]") {
  const ScratchFolder folder;
  const CliOptions here{.directory = folder.path()};
  CHECK(Shell("$TALLY run -q -- $PROGRAMS/echo_stdin <&-").out == "END\n");
  CHECK(Shell("$TALLY exec exe_file=$PROGRAMS/echo_stdin <&-").code() == "OK");
  for (const char* closed : {">&-", "2>&-", "<&- >&- 2>&-"}) {
    CAPTURE(closed);
    fs::remove(folder.path() + "/out");
    const std::string job = "$TALLY exec exe_file=$PROGRAMS/hello out_file=out " + std::string(closed);
    CHECK(Shell(job, here).status == 0);
    CHECK(Shell("cat out", here).out == "hello\nEND\n");
  }
  CHECK(Shell("$TALLY run -- $PROGRAMS/hello >&-").status == 0);
  CHECK(Shell("$TALLY exec exe_file=/no/program >&- 2>&-").status == 1);
  CHECK(Shell("$TALLY check-host >&-").error.empty());
}

TEST_CASE("streams: a run in the background of a terminal does not stop", "[cli][streams]") {
  CHECK(Has(ShellOnTerminal("$TALLY run -q -- $PROGRAMS/hello").out, "hello\r\nEND\r\n"));
  CHECK(Has(ShellOnTerminal("$TALLY run -q -- $PROGRAMS/hello & wait").out, "hello\r\nEND\r\n"));
}

TEST_CASE("streams: colours are for terminals that want them", "[cli][streams]") {
  const std::string line = "$TALLY run -- $PROGRAMS/hello";
  const auto coloured = [&](const Words& environment) {
    return Has(ShellOnTerminal(line, {.environment = environment}).out, "\x1b[1;32mOK");
  };
  CHECK(coloured({"TERM=xterm", "NO_COLOR="}));
  CHECK_FALSE(coloured({"TERM=xterm", "NO_COLOR=1"}));
  CHECK_FALSE(coloured({"TERM=dumb", "NO_COLOR="}));
  CHECK_FALSE(Has(Shell(line, {.environment = {"TERM=xterm", "NO_COLOR="}}).error, "\x1b"));
}

TEST_CASE("streams: on a terminal a program with a time limit may wait for a person", "[cli][streams]") {
  // 0.3 s of idling: the idle limit that --time brings along does not hold there; given by hand it does
  CHECK(Has(ShellOnTerminal("$TALLY run --time 1s -- $PROGRAMS/sleeps_briefly 300").out, "END"));
  CHECK(Has(ShellOnTerminal("$TALLY run --time 1s --idle 100ms -- $PROGRAMS/sleeps_briefly 300").out,
            "idle for 100 ms"));
}

TEST_CASE("streams: a signal to the command ends the program and leaves nothing behind", "[cli][streams]") {
  for (const char* signal : {"TERM", "HUP"}) {
    CAPTURE(signal);
    const ScratchFolder folder;
    // What the run keeps on disk while it goes on, and what is left of it, cgroups included, when it is
    // ended.
    const CliResult result = Shell(
        "$TALLY exec exe_file=$PROGRAMS/sleep_forever exec_idle_time_limit=1500 > /dev/null & pid=$!\n"
        "for i in $(seq 100); do [ -z \"$(ls -A)\" ] || break; sleep 0.05; done; sleep 0.3; ls -A | wc -l\n"
        "kill -" +
            std::string(signal) +
            " $pid; wait $pid 2> /dev/null; ls -A | wc -l\n"
            "find /sys/fs/cgroup -depth -name \"tally-$pid-*\" -print -exec rmdir {} \\; 2> /dev/null | wc "
            "-l",
        {.directory = folder.path(), .environment = {"TMPDIR=" + folder.path()}});
    CHECK(result.out == "1\n0\n0\n");
  }
}

TEST_CASE("run: CPU time is told as a whole, and the summary is as wide as its terminal", "[cli][run]") {
  const CliResult result = Shell("$TALLY run --counter translator -- $PROGRAMS/hello");
  CHECK(Has(result.error, " ms CPU ("));
  CHECK(Has(result.error, " user, "));
  CHECK(Has(result.error, " (translator), "));
  CHECK(Has(result.error, " ms of virtual time\n"));
  const CliResult on_terminal = ShellOnTerminal("$TALLY run --counter translator -- $PROGRAMS/hello", {.environment = {"TERM=dumb"}, .columns = 40});
  const std::string& narrow = on_terminal.out;
  CAPTURE(narrow, on_terminal.status);
  for (std::string line : LinesOf(narrow)) {
    line.erase(line.find_last_not_of('\r') + 1);
    CHECK(line.size() <= 40);
  }
  CHECK(Has(narrow, "\r\n                "));
  CHECK_FALSE(Has(narrow, "\x1b"));
}

}  // namespace
}  // namespace tally

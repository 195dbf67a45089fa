// `tally judge` for people: what its table says, on terminals of any width and kind.
#include <algorithm>
#include <filesystem>

#include "base/lines.h"
#include "tests/support/catch.h"
#include "tests/support/sum_package.h"

namespace tally {
namespace {

namespace fs = std::filesystem;

TEST_CASE("judge: a progress bar is drawn on a terminal and wiped, elsewhere there is none", "[cli][judge]") {
  const SumPackage folder;
  const std::string line = "$TALLY judge sums sum";
  const CliOptions here{.directory = folder.path(), .environment = {"TERM=xterm", "NO_COLOR="}};
  const std::string shown = ShellOnTerminal(line, here).out;
  CHECK(Has(shown, "\r\x1b[Ksum ########................ 1/3 1"));
  CHECK(Has(shown, "\r\x1b[Ksum ######################## 3/3 3"));
  CHECK(Has(shown, "\r\x1b[K\r\n"));
  CHECK(Has(shown, "\x1b[1;31mWA\x1b[0m"));
  CHECK_FALSE(Has(Shell(line, here).error, "\r"));
  // stdout in a file: the bar is still for the person, the table has no colours
  const std::string bar = ShellOnTerminal(line + " > table", here).out;
  CHECK(Has(bar, "3/3 3"));
  CHECK_FALSE(Has(Shell("cat table", here).out, "\x1b"));
}

TEST_CASE("judge: NO_COLOR has its way on a terminal", "[cli][judge]") {
  const SumPackage folder;
  const CliOptions here{.directory = folder.path(), .environment = {"TERM=xterm", "NO_COLOR=1"}};
  CHECK_FALSE(Has(ShellOnTerminal("$TALLY judge sums sum", here).out, "\x1b[1"));
}

TEST_CASE("judge: the table's heading says how programs were kept in, of what memory is, and which time is shown", "[cli][judge]") {
  const SumPackage folder;
  const CliResult result = folder.Judge({"sum", "fails", "--report", "page.html"});
  CHECK(Has(result.out, "\nisolation: full ("));
  CHECK(Has(result.out, "); memory: "));
  CHECK(result.out.find("isolation: ") == result.out.rfind("isolation: "));
  CHECK(Has(Shell("cat page.html", {.directory = folder.path()}).out, "<p class=\"note\">isolation: full ("));
  CHECK(Has(folder.Judge({"--virtual", "sum"}).out, "; time: virtual, 2,000,000 instructions to a ms\n"));
}

TEST_CASE("judge: of a TLE the time is shown that was too long, and never one below its limit", "[cli][judge]") {
  const SumPackage folder;
  fs::copy(TestProgram("busy_loop"), folder.path() + "/busy");
  fs::copy(TestProgram("burn_kernel_time"), folder.path() + "/kernel");
  fs::copy(TestProgram("sleep_forever"), folder.path() + "/sleeps");
  const auto slowest = [&](const Words& words) {
    const std::string out = folder.Judge(words).out;
    const std::size_t at = out.rfind("slowest ");
    CAPTURE(out);
    REQUIRE(at != std::string::npos);
    std::string digits = out.substr(at + 8, out.find(" ms", at) - at - 8);
    digits.erase(std::remove(digits.begin(), digits.end(), ','), digits.end());
    return std::stod(digits);
  };
  CHECK(slowest({"--time", "200ms", "busy"}) >= 200);
  CHECK(slowest({"--time", "200ms", "--stop-on-fail", "kernel"}) >= 200);
  CHECK(slowest({"--time", "200ms", "--stop-on-fail", "sleeps"}) >= 200);
  CHECK(Has(folder.Judge({"--time", "200ms", "--stop-on-fail", "sleeps"}).out, " ms real "));
  CHECK(slowest({"--time", "20ms", "--virtual", "--stop-on-fail", "busy"}) >= 20);
}

TEST_CASE("judge: a narrow terminal loses columns, and each line is as long as it", "[cli][judge]") {
  const SumPackage folder;
  for (const unsigned short columns : {40, 60, 80, 120}) {
    const CliOptions here{.directory = folder.path(), .environment = {"TERM=dumb"}, .columns = columns};
    const std::string out = ShellOnTerminal("$TALLY judge --virtual sums sum fails", here).out;
    CAPTURE(columns, out);
    for (std::string line : LinesOf(out)) {
      line.erase(line.find_last_not_of('\r') + 1);
      CHECK(line.size() <= columns);
    }
    CHECK(Has(out, "CPU time") == (columns >= 80));
    CHECK(Has(out, "memory  ") == (columns > 40));
    CHECK(Has(out, "\n      WRONG: line 1: expected \"99\"") == (columns < 120));
  }
}

TEST_CASE("judge: on a dumb terminal there is no bar, and no code that it would show", "[cli][judge]") {
  const SumPackage folder;
  const std::string out = ShellOnTerminal("$TALLY judge sums sum", {.directory = folder.path(), .environment = {"TERM=dumb"}}).out;
  CHECK_FALSE(Has(out, "\x1b"));
  CHECK_FALSE(Has(out, "##"));
  CHECK(Has(out, "2/3 tests"));
}

TEST_CASE("judge: a folder that is called . has its own name, and one test is no tests", "[cli][judge]") {
  const ScratchFolder folder;
  folder.Write("double/in/1.in", "1 1");
  folder.Write("double/out/1.out", "2\nEND\n");
  fs::copy(TestProgram("sum_numbers"), folder.path() + "/sum");
  const CliResult result = Tally({"judge", ".", "../sum", "--report", "r.xml"}, {.directory = folder.path() + "/double"});
  CHECK(result.out.starts_with("double: 1 test, "));
  CHECK(Has(result.out, "\nsum       OK      1/1 test   slowest "));
  CHECK(Has(Shell("cat r.xml", {.directory = folder.path() + "/double"}).out, "<testsuites name=\"double\">"));
}

}  // namespace
}  // namespace tally

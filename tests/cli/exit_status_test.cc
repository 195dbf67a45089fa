// The table of exit statuses in docs/results.md, row by row: each has a command line here, and none is here that is not there.
#include <filesystem>

#include "base/lines.h"
#include "base/sys.h"
#include "tests/support/catch.h"
#include "tests/support/cli_run.h"
#include "tests/support/job_sources.h"
#include "tests/support/run_program.h"
#include "tests/support/scratch_folder.h"
#include "tests/support/skip.h"
#include "tests/support/sum_package.h"

namespace tally {
namespace {

struct Row {
  std::string status, of, line;
  int expected;
  const char* compiler = nullptr;  // which it needs
};

const std::vector<Row>& Rows() {
  static const std::vector<Row> rows = {
      {"0", "every command", "$TALLY judge sums sum fails && $TALLY run -- $PROGRAMS/abort && $TALLY compile source_file=bad.c out_file=bad", 0},
      {"1", "every command", "$TALLY run --tim 1s -- $PROGRAMS/hello", 1},
      {"1", "`exec` and the other jobs", "$TALLY exec exe_file=/nowhere", 1},
      {"1", "`judge`", "$TALLY judge sums sum nowhere.cpp", 1},
      {"1", "`evaluate`", "$TALLY evaluate --stack nosuch --solution bad.c", 1},
      {"2", "every command", "$TALLY check-host --json > /dev/full", 2},
      {"2", "`exec` and the other jobs", "TMPDIR=/nowhere $TALLY exec exe_file=$PROGRAMS/hello", 2},
      {"2", "`judge`", "$TALLY judge unjudged sum", 2},
      {"2", "`submit`", "EVA_DISPATCHER_RABBITMQ_PORT=1 $TALLY submit --host 127.0.0.1 --stack io --solution bad.c", 2},
      {"2", "`check-host`", "TALLY_SANDBOXES=broken $TALLY check-host", 2},
      {"3", "`judge --expect`", "$TALLY judge sums sum --expect OK", 3},
      {"3", "`profile --expect`", "$TALLY profile ends.c --sizes 10,11,12,20 --expect n", 3, "c17"},
      {"3", "`verify`", "$TALLY verify --no-counts unsound", 3},
      {"3", "`verify-counts`", "$TALLY verify-counts --record counts -- $PROGRAMS/hello && sed -i 's/\"exectime_used\": *[0-9]*/\"exectime_used\": 7/' counts && $TALLY verify-counts counts", 3},
      {"the program's", "`run --exit-code`", "$TALLY run --exit-code -- $PROGRAMS/exit_code 7", 7},
      {"124", "`run --exit-code`", "$TALLY run --exit-code --time 50ms -- $PROGRAMS/busy_loop", 124},
      {"128 + the signal's number", "every command", "timeout -s INT 1 $TALLY run -- $PROGRAMS/sleep_forever; test $? = 124 && exec timeout --preserve-status -s TERM 1 $TALLY run -- $PROGRAMS/sleep_forever", 128 + 15},
  };
  return rows;
}

// "| 2 | `judge` | a test could not ... |" of the table: its first two cells.
std::vector<std::pair<std::string, std::string>> Documented() {
  const std::string text = sys::ReadFile(SourceFolder() + "/docs/results.md");
  std::vector<std::pair<std::string, std::string>> out;
  for (const std::string& line : LinesOf(text.substr(text.find("## Exit status of every command")))) {
    if (!line.starts_with("| ") || line.starts_with("| status")) continue;
    const std::size_t first = line.find(" | "), second = line.find(" | ", first + 3);
    out.emplace_back(line.substr(2, first - 2), line.substr(first + 3, second - first - 3));
  }
  return out;
}

struct Packages : SumPackage {
  Packages() {
    Write("bad.c", "int main(void) { return undeclared; }\n");
    Write("ends.c", "#include <stdio.h>\nint main(void) { int n = 0; if (scanf(\"%d\", &n) != 1) return 1; return n > 15; }\n");
    Write("broken/exec-sandbox.yaml", "{ no description\n");
    Write("unjudged/1.in", "1 10");
    Write("unjudged/1.out", "11\nEND\n");
    Write("unjudged/tally.yml", "checker: chk\n");
    std::filesystem::copy(TestProgram("abort"), path() + "/unjudged/chk");
    for (const char* name : {"1", "2"}) {
      Write(std::string("unsound/") + name + ".in", "1 10");
      Write(std::string("unsound/") + name + ".out", "11\nEND\n");
    }
  }
};

TEST_CASE("exit status: the table in docs/results.md has these rows and no others", "[cli][status]") {
  std::vector<std::pair<std::string, std::string>> here;
  for (const Row& row : Rows()) here.emplace_back(row.status, row.of);
  CHECK(Documented() == here);
}

TEST_CASE("exit status: each row of the table is what its command says", "[cli][status]") {
  const Packages folder;
  const Words environment{"PATH=/usr/bin:/bin"};
  for (const Row& row : Rows()) {
    if (row.compiler != nullptr && WhyAbsent(row.compiler)) continue;
    const CliResult result = Shell(row.line, {.directory = folder.path(), .environment = environment});
    CAPTURE(row.status, row.of, row.line, result.out, result.error);
    CHECK(result.status == row.expected);
    if (row.expected == 1 || (row.expected == 2 && row.of != "`check-host`")) CHECK(IsOneSentence(result.error));
  }
}

TEST_CASE("exit status: our failure goes before a mistake, and both before an expectation", "[cli][status]") {
  const Packages folder;
  const CliOptions here{.directory = folder.path()};
  CHECK(Shell("$TALLY judge unjudged sum nowhere.cpp --expect WA", here).status == 2);
  CHECK(Shell("$TALLY judge sums sum nowhere.cpp --expect OK", here).status == 1);
}

}  // namespace
}  // namespace tally

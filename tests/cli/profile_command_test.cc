// `tally profile`: the table and the growth for people, the report for machines, the exit status for scripts.
#include <filesystem>

#include "base/sys.h"
#include "tests/support/catch.h"
#include "tests/support/cli_run.h"
#include "tests/support/run_program.h"
#include "tests/support/scoped_variable.h"
#include "tests/support/scratch_folder.h"
#include "tests/support/skip.h"

namespace tally {
namespace {

namespace fs = std::filesystem;

// C compiles quickly.
struct Sources : ScratchFolder {
  Sources() {
    Write("linear.c", Loop("++sum;"));
    Write("square.c", Loop("for (long j = 0; j < n; ++j) sum += (unsigned)(i * j);"));
    Write("broken.c", "int main(void) { return undeclared; }\n");
    Write("crash.c", Loop("if (n == 200) *(volatile int*)0 = 1;"));
    Write("message.json", Json{{"task_id", "loop"}, {"iteration", 1}, {"language", "c17"}, {"code", Loop("++sum;")},
                               {"input_scales", {10, 20, 40, 80}}}
                              .dump());
  }
  static std::string Loop(const std::string& body) {
    return "#include <stdio.h>\nint main(void) {\n  long n; volatile unsigned sum = 0;\n  if (scanf(\"%ld\", &n) != 1) return 1;\n"
           "  for (long i = 0; i < n; ++i) {\n    " + body + "\n  }\n  printf(\"%u\\n\", sum);\n  return 0;\n}\n";
  }
  [[nodiscard]] CliResult Profile(Words words) const {
    words.insert(words.begin(), "profile");
    return Tally(words, {.directory = path()});
  }
  [[nodiscard]] static bool Absent(const CliResult& result) { return Has(result.error, "is absent"); }
};
const Words kSizes{"--sizes", "100,200,400,800"};

Words With(Words words, const Words& more) {
  words.insert(words.end(), more.begin(), more.end());
  return words;
}

TEST_CASE("profile: a plain source gets a table, sparklines and the growth, and status 0", "[cli][profile]") {
  const Sources folder;
  const CliResult result = folder.Profile(With({"linear.c"}, kSizes));
  if (Sources::Absent(result)) TALLY_SKIP(result.error);
  CHECK(result.status == 0);
  CHECK(result.error.empty());
  CHECK(result.out.starts_with("linear.c (C17 (GCC)): 6 sizes, 2.00 s and 512 MiB each\n\n             n     CPU time"));
  CHECK(Has(result.out, "\n           800 "));
  CHECK(Has(result.out, "\n  growth    n, doubling n costs "));
  CHECK(Has(result.out, "   instructions "));
  CHECK_FALSE(Has(result.out, "\x1b"));
}

TEST_CASE("profile: growth within --expect is status 0, a worse one or none is 3", "[cli][profile]") {
  const Sources folder;
  const CliResult met = folder.Profile(With({"square.c", "--expect", "n^2 log n"}, kSizes));
  if (Sources::Absent(met)) TALLY_SKIP(met.error);
  CHECK(met.status == 0);
  CHECK(Has(met.out, "expected n^2 log n at most, found n^2: met\n"));
  const CliResult worse = folder.Profile(With({"square.c", "--expect", "O(n log n)"}, kSizes));
  CHECK(worse.status == 3);
  CHECK(worse.error.empty());
  CHECK(Has(worse.out, "expected n log n at most, found n^2: NOT MET\n"));
  const CliResult unknown = folder.Profile({"crash.c", "--expect", "n", "--sizes", "100,200,400,800", "--no-corner-cases"});
  CHECK(unknown.status == 3);
  CHECK(Has(unknown.out, "but the growth is not known: not enough sizes: 3 of 2 or more were counted"));
  CHECK(folder.Profile({"broken.c", "--expect", "n"}).status == 3);
}

TEST_CASE("profile: an insertion sort over four sizes keeps --expect n^2 with every seed, and is worse than n", "[cli][profile]") {
  const Sources folder;
  folder.Write("sort.c", "#include <stdio.h>\nint a[1000];\nint main(void) {\n  int n;\n  if (scanf(\"%d\", &n) != 1) return 1;\n"
                         "  for (int i = 0; i < n; ++i) {\n    int v, j = i;\n    if (scanf(\"%d\", &v) != 1) return 1;\n"
                         "    for (; j > 0 && a[j - 1] > v; --j) a[j] = a[j - 1];\n    a[j] = v;\n  }\n  printf(\"%d\\n\", a[0]);\n}\n");
  const Words words = With({"sort.c", "--generator", "array", "--no-corner-cases"}, kSizes);
  for (const char* seed : {"0", "1", "2", "3", "4", "5", "6", "7"}) {
    CAPTURE(seed);
    const CliResult result = folder.Profile(With(words, {"--seed", seed, "--expect", "n^2"}));
    if (Sources::Absent(result)) TALLY_SKIP(result.error);
    CHECK(result.status == 0);
    CHECK(Has(result.out, "(12 runs of 4 sizes, "));
    CHECK(Has(result.out, "%\n"));
  }
  CHECK(folder.Profile(With(words, {"--expect", "n"})).status == 3);
}

TEST_CASE("profile: a crash is in the table, at the end, and a warning in the log", "[cli][profile]") {
  const Sources folder;
  const CliResult result = folder.Profile(With({"crash.c"}, kSizes));
  if (Sources::Absent(result)) TALLY_SKIP(result.error);
  CHECK(result.status == 0);
  CHECK(Has(result.out, "           200     infinite     infinite                  -              -  SIGSEGV\n"));
  CHECK(Has(result.error, "tally: warning: n = 200: SIGSEGV: process exited due to signal 11 (SIGSEGV)\n"));
}

TEST_CASE("profile: stderr tells as much as --log-level or LOG_LEVEL ask for, and a level that is none is a mistake", "[cli][profile]") {
  const Sources folder;
  const CliResult info = folder.Profile(With({"linear.c", "--log-level", "info"}, kSizes));
  if (Sources::Absent(info)) TALLY_SKIP(info.error);
  CHECK(Has(info.error, "tally: info: n = 200: CPU time "));
  CHECK_FALSE(Has(info.error, "tally: debug: "));
  CHECK(Has(folder.Profile(With({"linear.c", "--log-level=DEBUG"}, kSizes)).error, "tally: debug: n = 200, run 1: OK"));
  CHECK(Has(folder.Profile(With({"crash.c"}, kSizes)).error, "tally: warning: "));
  CHECK(folder.Profile(With({"crash.c", "--log-level", "ERROR"}, kSizes)).error.empty());
  {
    const ScopedVariable variable("LOG_LEVEL", "INFO");
    CHECK(Has(folder.Profile(With({"linear.c"}, kSizes)).error, "tally: info: "));
  }
  {
    const ScopedVariable variable("LOG_LEVEL", "verbose");  // another program's word
    CHECK(folder.Profile(With({"linear.c"}, kSizes)).error.empty());
  }
  const CliResult wrong = folder.Profile({"linear.c", "--log-level", "loud"});
  CHECK(wrong.status == 1);
  CHECK(wrong.error == "tally: --log-level: \"loud\" is not one of DEBUG, INFO, WARNING, ERROR\n");
}

TEST_CASE("profile: a source that does not compile is CE with the compiler's words", "[cli][profile]") {
  const Sources folder;
  const CliResult result = folder.Profile({"broken.c"});
  if (Sources::Absent(result)) TALLY_SKIP(result.error);
  CHECK(result.status == 0);
  CHECK(Has(result.out, "  CE  compilation failed\n"));
  CHECK(Has(result.out, "undeclared"));
}

TEST_CASE("profile: a CodeMessage brings its own sizes, and the report is JSON where it is told to be", "[cli][profile]") {
  const Sources folder;
  const CliResult result = folder.Profile({"message.json", "--json=report.json"});
  if (Sources::Absent(result)) TALLY_SKIP(result.error);
  CHECK(result.status == 0);
  CHECK(Has(result.out, "\nreport: report.json\n"));
  const Json report = Json::parse(Shell("cat report.json", {.directory = folder.path()}).out, nullptr, false);
  REQUIRE(report.is_object());
  CHECK(report["task_id"] == "loop");
  CHECK(report["input_sizes"] == Json{0, 1, 10, 20, 40, 80});
  const Json printed = folder.Profile({"message.json", "--json"}).json();
  CHECK(printed["instructions"] == report["instructions"]);
  CHECK(printed["virtual_ms"] == report["virtual_ms"]);
}

TEST_CASE("profile: two sources side by side, on the same inputs", "[cli][profile]") {
  const Sources folder;
  const CliResult result = folder.Profile(With({"square.c", "--compare", "linear.c", "--json=both.json"}, kSizes));
  if (Sources::Absent(result)) TALLY_SKIP(result.error);
  CHECK(Has(result.out, "\n  1: square.c\n  2: linear.c\n"));
  CHECK(Has(result.out, "\n  growth 1  n^2, doubling n costs "));
  CHECK(Has(result.out, "\n  growth 2  n, doubling n costs "));
  const Json report = Json::parse(Shell("cat both.json", {.directory = folder.path()}).out, nullptr, false);
  CHECK(report["compared_with"]["growth"]["model"] == "n");
}

TEST_CASE("profile: --debug says which lines and functions the instructions went to", "[cli][profile]") {
  const Sources folder;
  const CliResult result = folder.Profile(With({"square.c", "--debug"}, kSizes));
  if (Sources::Absent(result)) TALLY_SKIP(result.error);
  CHECK(Has(result.out, "\n  hotspots at n = 800, "));
  CHECK(Has(result.out, "  main\n"));
  if (Has(result.out, "none by line")) TALLY_SKIP("no lines: the reader of debug information is not here");
  CHECK(Has(result.out, "  square.c:6\n"));
}

TEST_CASE("profile: a progress bar is drawn on a terminal and wiped, and sparklines are blocks in UTF-8",
          "[cli][profile]") {
  const Sources folder;
  const CliOptions here{.directory = folder.path(), .environment = {"TERM=xterm", "NO_COLOR=", "LC_ALL=C.UTF-8"}};
  const std::string shown = ShellOnTerminal("$TALLY profile linear.c --sizes 1000,2000,4000,8000", here).out;
  if (Has(shown, "is absent")) TALLY_SKIP(shown);
  CHECK(Has(shown, "\r\x1b[Klinear.c ........................ 0/13 compiling"));
  CHECK(Has(shown, "12/13 counting n = 8,000\r\x1b[K"));
  CHECK(Has(shown, "█"));
  CHECK(Has(shown, "\x1b[1mn, doubling n costs 2.0 times, exponent 1.00\x1b[0m"));
}

TEST_CASE("profile: an executable is run as it is", "[cli][profile]") {
  const CliResult result = Tally({"profile", TestProgram("hello"), "--sizes", "10"});
  CHECK(result.status == 0);
  CHECK(Has(result.out, "hello (executable): 3 sizes"));
  CHECK(Has(result.out, "growth    not enough sizes: 1 of 2 or more was counted, a fit needs 4"));
}

TEST_CASE("profile: mistakes are one sentence, told before anything runs", "[cli][profile]") {
  const Sources folder;
  folder.Write("bad.json", "{\"code\": 5}");
  const auto mistake = [&](const Words& words) {
    CAPTURE(words);
    const CliResult result = folder.Profile(words);
    CHECK(result.status == 1);
    CHECK(IsOneSentence(result.error));
    CHECK(result.out.empty());
    return result.error;
  };
  CHECK(mistake({"nothing.c"}) == "tally: nothing.c: no such file\n");
  CHECK(mistake({"bad.json"}) == "tally: bad.json: code: 5 is not a text\n");
  CHECK(mistake({"linear.c", "--compare", "nothing.c"}) == "tally: --compare: nothing.c: no such file\n");
  CHECK(mistake({"linear.c", "--hint", "nothing.c"}) == "tally: --hint: nothing.c: no such file\n");
  CHECK(Has(mistake({"linear.c", "--generator", "aray"}), "--generator: \"aray\" is unknown (did you mean \"array\"?)"));
  CHECK(mistake({"linear.c", "--generator", "gen.py"}) == "tally: --generator: gen.py: no such file\n");
  CHECK(Has(mistake({"linear.c", "--sizes", "ten"}), "--sizes: \"ten\" is no size"));
  CHECK(Has(mistake({"linear.c", "--n-max", "-5"}), "--n-max: \"-5\" is no size"));
  CHECK(Has(mistake({"linear.c", "--expect", "fast"}), "--expect: \"fast\" is no growth that is known"));
  CHECK(Has(mistake({"linear.c", "--expect", "n", "--sizes", "10,20,30"}),
            "--expect: growth is told from 4 sizes of 2 or more, and here are 3"));
  CHECK(mistake({"linear.c", "--seeds", "0"}) == "tally: --seeds: 0 is not 1 to 100\n");
  CHECK(mistake({"linear.c", "--seeds", "101"}) == "tally: --seeds: 101 is not 1 to 100\n");
  CHECK(Has(mistake({"linear.c", "--html", "no/such/page.html"}), "--html"));
  CHECK(Has(mistake({"linear.c", "--timeout", "0"}), "--timeout"));
  CHECK(Has(mistake({"linear.c", "--isolation", "thin"}), "--isolation: \"thin\" is unknown"));
  CHECK(Has(mistake({"linear.c", "--checker-protocol", "loud"}), "checker_protocol: \"loud\" is unknown"));
}

TEST_CASE("profile: --help shows examples", "[cli][profile]") {
  const CliResult help = Tally({"profile", "--help"});
  CHECK(help.status == 0);
  CHECK(Has(help.out, "Examples:\n  tally profile examples/profile/merge_sort.cpp"));
}

TEST_CASE("profile: the page has a timeline of the largest size and, with --metrics, the machine meanwhile", "[cli][profile]") {
  const Sources folder;
  folder.Write("metrics.yaml", "keep: samples.jsonl\nlog: agent.log\ninterval: 10ms\nlock: " + fs::path(folder.path()).filename().string() + "\n");
  const CliResult result = folder.Profile(With({"linear.c", "--html", "page.html", "--metrics", "metrics.yaml"}, kSizes));
  if (Sources::Absent(result)) TALLY_SKIP(result.error);
  CHECK(result.status == 0);
  const std::string page = sys::ReadFile(folder.path() + "/page.html");
  CHECK(Has(page, "\"format\":\"tally-timeline\""));
  CHECK(Has(page, "\"event\":\"file.read\""));
  CHECK(Has(page, "\"name\":\"memory_available\""));
}

TEST_CASE("profile: --html writes one page with the report, the source and where its instructions went", "[cli][profile]") {
  const Sources folder;
  const CliResult result = folder.Profile(With({"linear.c", "--html", "page.html", "--compare", "square.c"}, kSizes));
  if (Sources::Absent(result)) TALLY_SKIP(result.error);
  CHECK(result.status == 0);
  CHECK(Has(result.out, "page: page.html\n"));
  const std::string page = sys::ReadFile(folder.path() + "/page.html");
  CHECK(Has(page, "<!DOCTYPE html>"));
  CHECK(Has(page, "\"model\":\"n^2\""));
  CHECK(Has(page, "\"file\":\"linear.c\",\"text\":\"#include \\u003cstdio.h\\u003e"));
  CHECK(Has(page, "\"inclusive\":"));
  CHECK(std::distance(fs::directory_iterator(folder.path()), fs::directory_iterator()) == 6);
}

}  // namespace
}  // namespace tally

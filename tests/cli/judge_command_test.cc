// `tally judge`: the table for people, the report for machines, the progress bar for terminals.
#include <fmt/format.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "base/processors.h"
#include "tests/support/catch.h"
#include "tests/support/cli_run.h"
#include "tests/support/run_program.h"
#include "tests/support/scratch_folder.h"
#include "tests/support/skip.h"
#include "tests/support/sum_package.h"

namespace tally {
namespace {

namespace fs = std::filesystem;

TEST_CASE("judge: a table with each test's verdict and figures, totals at the end, and status 0",
          "[cli][judge]") {
  const SumPackage folder;
  const CliResult result = folder.Judge({"sum", "--report", "tally-report.json"});
  CHECK(result.status == 0);
  CHECK(result.error.empty());
  CHECK(result.out.starts_with(
      "Sums: 3 tests, 2.00 s of user time (2.50 s with system calls), 64.0 MiB (limits: tally.yml)\nisolation: "));
  CHECK(Has(result.out, "time: CPU time, user and system\n\nsum (executable)\n  test "));
  CHECK(Has(result.out, "\n  1     OK  "));
  CHECK(Has(result.out, "\n  3     WA  "));
  CHECK(Has(result.out, "WRONG: line 1: expected \"99\", got \"13\"\n"));
  CHECK(Has(result.out, "\nsum       WA      2/3 tests   slowest "));
  CHECK(Has(result.out, "\nreport: tally-report.json\n"));
  CHECK_FALSE(Has(result.out, "\x1b"));
}

TEST_CASE("judge: several solutions, each with its table and its line of the totals", "[cli][judge]") {
  const SumPackage folder;
  const CliResult result = folder.Judge({"sum", "fails", "--report", "tally-report.json"});
  CHECK(Has(result.out, "process exited due to signal 6 (SIGABRT)"));
  CHECK(Has(result.out, "\nsum       WA      2/3 tests   ..W   slowest "));
  CHECK(Has(result.out, "\nfails     RE      0/3 tests   RRR   slowest "));
  const Json report = folder.Report();
  CHECK(report["solutions"].size() == 2);
  CHECK(report["solutions"][1]["verdict"] == "RE");
}

// As in a container of one process, whose volume has Tally.
TEST_CASE("judge: alone in its mount namespace, and on a mount of its own, Tally finds what lies beside it", "[cli][judge]") {
  if (::geteuid() != 0) TALLY_SKIP("only root mounts a folder over another");
  const SumPackage package;
  package.Write("right.c", "#include <stdio.h>\nint main(void) { long s = 0, x; while (scanf(\"%ld\", &x) == 1) s += x; printf(\"%ld\\nEND\\n\", s); return 0; }\n");
  const ScratchFolder folder;
  fs::create_directories(folder.path() + "/installed/bin");
  fs::create_directories(folder.path() + "/installed/share/tally");
  fs::create_directory(folder.path() + "/mounted");
  fs::copy_file(BuildFolder() + "/bin/tally", folder.path() + "/installed/bin/tally");
  for (const char* kind : {"/sandboxes", "/compilers"}) fs::copy(SourceFolder() + kind, folder.path() + "/installed/share/tally" + kind, fs::copy_options::recursive);
  const CliResult result = Shell(fmt::format("unshare --mount --propagation private sh -c 'cd {0} && mount --bind installed mounted && exec mounted/bin/tally judge {1}/sums {1}/right.c'",
                                             folder.path(), package.path()));
  CAPTURE(result.out, result.error);
  if (Has(result.error, "is absent")) TALLY_SKIP(result.error);
  CHECK(result.status == 0);
  CHECK(Has(result.out, "\nright.c   WA      2/3 tests"));
}

TEST_CASE("judge: a solution that does not compile is CE with the compiler's words, and the others go on",
          "[cli][judge]") {
  const SumPackage folder;
  folder.Write("bad.py", "print((1\n");
  const CliResult result = folder.Judge({"bad.py", "sum"});
  if (Has(result.error, "is absent")) TALLY_SKIP(result.error);
  CHECK(result.status == 0);
  CHECK(Has(result.out, "bad.py (Python 3)\n  CE  compilation failed\n"));
  CHECK(Has(result.out, "SyntaxError"));
  CHECK(Has(result.out, "\nbad.py    CE      0/3 tests\n"));
  CHECK(Has(result.out, "\nsum       WA      2/3 tests"));
}

TEST_CASE("judge: what cannot be read is a row of its own, and the others are judged", "[cli][judge]") {
  if (::geteuid() == 0) TALLY_SKIP("root reads whatever it likes");
  const SumPackage folder;
  folder.Write("class/a.py", "print(1)\n");
  folder.Write("class/ben/b.py", "print(1)\n");
  folder.Write("class/eve/main.py", "print(1)\n");
  folder.Write("class/eve/other.py", "print(1)\n");
  const auto forbid = [&](const std::string& path) { fs::permissions(folder.path() + "/" + path, fs::perms::none); };
  for (const char* const path : {"class/a.py", "class/ben", "class/eve/other.py"}) forbid(path);
  const CliResult some = folder.Judge({"class", "sum"});
  INFO(some.error << some.out);
  CHECK(some.status == 1);
  CHECK(some.error == "tally: class/a.py: Permission denied\ntally: class/ben: Permission denied\ntally: class/eve/other.py: Permission denied\n");
  CHECK(Has(some.out, "2/3 tests"));
  forbid("class");
  const CliResult none = folder.Judge({"class", "sum"});
  CHECK(none.status == 1);
  CHECK(none.error == "tally: class: Permission denied\n");
  CHECK(Has(none.out, "2/3 tests"));
  fs::permissions(folder.path() + "/class", fs::perms::owner_all);
  fs::permissions(folder.path() + "/class/ben", fs::perms::owner_all);
}

TEST_CASE("judge: outputs that cannot be read are a row of its own, and the others are judged", "[cli][judge]") {
  if (::geteuid() == 0) TALLY_SKIP("root reads whatever it likes");
  const ScratchFolder folder;
  folder.Write("task/task.yaml", "name: t\nn_input: 1\noutput_only: true\n");
  folder.Write("task/input/input0.txt", "1\n");
  folder.Write("task/output/output0.txt", "1\n");
  for (const char* const name : {"anna", "ben", "eve"}) folder.Write(std::string("class/") + name + "/output_000.txt", "1\n");
  fs::permissions(folder.path() + "/class/ben", fs::perms::none);
  fs::permissions(folder.path() + "/class/eve/output_000.txt", fs::perms::none);
  const CliResult result = Tally({"judge", "task", "class"}, {.directory = folder.path()});
  fs::permissions(folder.path() + "/class/ben", fs::perms::owner_all);
  INFO(result.error << result.out);
  CHECK(result.status == 1);
  CHECK(result.error == "tally: class/ben: Permission denied\ntally: class/eve/output_000.txt: Permission denied\n");
  CHECK(Has(result.out, "anna"));
  CHECK(Has(result.out, "1/1 test "));
}

TEST_CASE("judge: a folder without a solution is told of, and the others are judged", "[cli][judge]") {
  const SumPackage folder;
  folder.Write("none/notes.txt", "");
  for (int i = 0; i < 1001; ++i) folder.Write("class/modules/" + std::to_string(i) + ".txt", "");
  const CliResult result = folder.Judge({"none", "class", "sum"});
  INFO(result.error << result.out);
  CHECK(result.status == 1);
  CHECK(Has(result.error, "tally: none: no solution in it; expected sources, executables, or folders with the sources of one program\n"));
  CHECK(Has(result.error, "tally: class/modules: more than 1000 files; expected those of one program, or solutions\n"));
  CHECK(Has(result.out, "2/3 tests"));
}

TEST_CASE("judge: tests that were not run say so, and are no failure of ours", "[cli][judge]") {
  const SumPackage folder;
  const CliResult result = folder.Judge({"fails", "--stop-on-fail"});
  CHECK(result.status == 0);
  CHECK(Has(result.out, "\n  2     -      not run: test 1 failed\n"));
  CHECK(Has(result.out, ", 2 not run\n"));
}

TEST_CASE("judge: --expect says by the status whether each solution got that verdict", "[cli][judge]") {
  const SumPackage folder;
  CHECK(folder.Judge({"sum", "--expect", "WA"}).status == 0);
  CHECK(folder.Judge({"sum", "fails", "--expect", "WA"}).status == 3);
  CHECK(folder.Judge({"sum", "--expect", "FINE"}).status == 1);
}

TEST_CASE("judge: after an interrupt what was judged is printed and reported, and the status is the signal's", "[cli][judge]") {
  const SumPackage folder;
  folder.Write("sleeps.py", "import time\ntime.sleep(100)\n");
  folder.Write("sums/tally.yml", "title: Sums\ntime_limit: 60s\nmemory_limit: 64M\n");
  for (const char* workers : {"1", "2"}) {
    // Interrupted once it has said what the second solution did.
    const CliResult result = Shell(std::string("timeout -s INT --preserve-status 60 $TALLY judge -j ") + workers + " sums sum fails sleeps.py --report r.json > out & pid=$!; "
                                   "until grep -q '^fails' out; do sleep 0.02; done; sleep 0.3; kill -INT $pid; wait $pid; echo status $?; cat out", {.directory = folder.path()});
    INFO(result.out << result.error);
    CHECK(Has(result.out, "status 130\n"));
    CHECK(Has(result.out, "\nsum        WA      2/3 tests"));
    CHECK(Has(result.out, "\nfails      RE      0/3 tests"));
    CHECK(Has(result.out, "\nsleeps.py  -     not judged\n"));
    CHECK(folder.Report("r.json")["solutions"].size() == 3);
  }
}

TEST_CASE("judge: the report is JSON with every figure, and goes where it is told", "[cli][judge]") {
  const SumPackage folder;
  CHECK(Has(folder.Judge({"sum", "--report", "other.json"}).out, "report: other.json\n"));
  const Json report = folder.Report("other.json");
  REQUIRE(report.is_object());
  CHECK(report["title"] == "Sums");
  const Json& solution = report["solutions"][0];
  CHECK(solution["verdict"] == "WA");
  CHECK(solution["accepted"] == 2);
  REQUIRE(solution["tests"].size() == 3);
  CHECK(solution["tests"][2]["test"] == "3");
  CHECK(solution["tests"][2]["result_code"] == "WA");
  CHECK(solution["tests"][2]["mem_used"] > 0);
  CHECK_FALSE(fs::exists(folder.path() + "/tally-report.json"));
}

TEST_CASE("judge: --json, --html and --report say the same, each where it is told", "[cli][judge]") {
  const SumPackage folder;
  const CliResult piped = folder.Judge({"sum", "--json"});
  const Json printed = Json::parse(piped.out, nullptr, false);
  REQUIRE(printed.is_object());
  CHECK(piped.error.empty());
  const CliResult all = folder.Judge({"sum", "--json=a.json", "--html", "b.html", "--report", "c.json"});
  CHECK(Has(all.out, "\nreport: a.json\nreport: c.json\nreport: b.html\n"));
  CHECK(folder.Report("a.json")["solutions"][0]["verdict"] == printed["solutions"][0]["verdict"]);
  CHECK(folder.Report("a.json")["solutions"][0].size() == folder.Report("c.json")["solutions"][0].size());
  CHECK(fs::file_size(folder.path() + "/b.html") > 1000);
  const CliResult nowhere = folder.Judge({"sum", "--html", "no/b.html"});
  CHECK(nowhere.status == 1);
  CHECK(nowhere.error == "tally: --html: cannot write no/b.html: folder no does not exist\n");
}

TEST_CASE("judge: nothing is written that was not asked for", "[cli][judge]") {
  const SumPackage folder;
  const std::string before = folder.Files();
  CHECK_FALSE(Has(folder.Judge({"sum"}).out, "report:"));
  CHECK(folder.Files() == before);
}

TEST_CASE("judge: a report that cannot be written is told before anything is judged, and nothing is left of it",
          "[cli][judge]") {
  const SumPackage folder;
  const std::string before = folder.Files();
  const CliResult result = folder.Judge({"sum", "--report", "no/report.json"});
  CHECK(result.status == 1);
  CHECK(result.error == "tally: --report: cannot write no/report.json: folder no does not exist\n");
  CHECK(result.out.empty());
  CHECK(folder.Files() == before);
}

TEST_CASE("judge: the report appears by rename, so a reader sees the old one or the new one",
          "[cli][judge]") {
  const SumPackage folder;
  folder.Write("tally-report.json", "old");
  fs::create_hard_link(folder.path() + "/tally-report.json", folder.path() + "/open-in-a-reader");
  folder.Judge({"sum", "--report", "tally-report.json"});
  CHECK(folder.Report().is_object());
  CHECK(Shell("cat open-in-a-reader", {.directory = folder.path()}).out == "old");
}

TEST_CASE("judge: a report never replaces what is no regular file", "[cli][judge]") {
  const SumPackage folder;
  const CliResult result =
      Shell("mkfifo pipe; $TALLY judge sums sum --report pipe; test -p pipe && echo still a pipe >&2",
            {.directory = folder.path()});
  CHECK(Has(result.error, "still a pipe"));
}

TEST_CASE("judge: two workers say what one says", "[cli][judge]") {
  const SumPackage folder;
  const auto verdicts = [&](const char* workers) {
    folder.Judge({"sum", "-j", workers, "--report", "tally-report.json"});
    std::string out;
    const Json report = folder.Report();
    for (const Json& test : report["solutions"][0]["tests"]) {
      out += test["test"].get<std::string>() + test["result_code"].get<std::string>() + " ";
    }
    return out;
  };
  CHECK(verdicts("1") == "1OK 2OK 3WA ");
  CHECK(verdicts("2") == "1OK 2OK 3WA ");
}

constexpr const char* kCountsProcessors = R"(#define _GNU_SOURCE
#include <sched.h>
#include <stdio.h>
int main(void) {
  cpu_set_t set;
  sched_getaffinity(0, sizeof set, &set);
  printf("%d\n", CPU_COUNT(&set));
}
)";

TEST_CASE("judge: workers divide the processors among them, unless they are not to", "[cli][judge]") {
  const std::size_t processors = OwnProcessors().size();
  if (processors < 2) TALLY_SKIP("this machine has one processor");
  const ScratchFolder folder;
  folder.Write("count.c", kCountsProcessors);
  for (const char* const name : {"1", "2", "3"}) {
    folder.Write(std::string("tests/") + name + ".in", "");
    folder.Write(std::string("tests/") + name + ".out", std::to_string(processors / 2) + "\n");
  }
  const auto accepted = [&](const std::string& options) {
    const CliResult result = Shell("$TALLY judge " + options + " --report '' tests count.c", {.directory = folder.path()});
    CAPTURE(result.out, result.error);
    CHECK(result.status == 0);
    return Has(result.out, "3/3 tests");
  };
  CHECK(accepted("-j 2 --pin"));
  CHECK(accepted("-j 2"));
  CHECK(!accepted("-j 2 --no-pin"));
  CHECK(!accepted("-j 1"));
}

TEST_CASE("judge: several workers where nothing is compiled, so that none has had a sandbox before, fail no test", "[cli][judge]") {
  constexpr int kTests = 40;
  const ScratchFolder folder;
  folder.Write("manager.c",
               "#include <stdio.h>\nint main(int c, char** v) { char line[9] = \"\"; (void)c; fopen(v[2], \"w\"); fgets(line, 9, fopen(v[1], \"r\")); return puts(line[0] == 'k' ? "
               "\"1\" : \"0\") < 0; }\n");
  folder.Write("says.c", "#include <stdio.h>\nint main(void) { return puts(\"k\") < 0; }\n");
  folder.Write("p/task.yaml", "name: p\ntask_type: Communication\nuser_io: std_io\ntime_limit: 4\nmemory_limit: 64\n");
  for (int i = 0; i < kTests; ++i) {
    folder.Write("p/input/input" + std::to_string(i) + ".txt", "1\n");
    folder.Write("p/output/output" + std::to_string(i) + ".txt", "\n");
  }
  const CliResult result = Shell("mkdir p/check && cc -static -w -o p/check/manager manager.c && cc -static -o says says.c && $TALLY judge -j 4 p says", {.directory = folder.path()});
  CAPTURE(result.out, result.error);
  CHECK(result.status == 0);
  CHECK(Has(result.out, "40/40 tests"));
}

TEST_CASE("judge: more pinned workers than processors are a mistake", "[cli][judge]") {
  const std::size_t processors = OwnProcessors().size();
  if (processors >= 256) TALLY_SKIP("there are no more workers than this machine's processors");
  const SumPackage folder;
  const CliResult result = folder.Judge({"sum", "-j", "256", "--pin"});
  CHECK(result.status == 1);
  CHECK(Has(result.error, "--pin: 256 workers are more than the " + std::to_string(processors) + " processors here"));
}

TEST_CASE("judge: limits on the command line go over the package's", "[cli][judge]") {
  const SumPackage folder;
  CHECK(folder.Judge({"--time", "500ms", "--memory", "32M", "sum"})
            .out.starts_with("Sums: 3 tests, 500 ms of user time (625 ms with system calls), 32.0 MiB "));
  CHECK(Has(folder.Judge({"--memory", "100k", "sum"}).out, "sum       MLE     0/3 tests"));
}

TEST_CASE("judge: a reader that leaves early gets what it read, and nothing is left behind", "[cli][judge]") {
  const SumPackage folder;
  const CliOptions here{.directory = folder.path(),
                        .environment = {"TMPDIR=" + folder.path() + "/temporary"}};
  fs::create_directory(folder.path() + "/temporary");
  CHECK(Has(Shell("$TALLY judge sums sum | head -n 1", here).out, "Sums: 3 tests"));
  CHECK(Shell("{ sleep 0.1; $TALLY judge sums sum sum; } | true", here).error.empty());
  CHECK(fs::is_empty(folder.path() + "/temporary"));
}

TEST_CASE("judge: mistakes are one sentence, told before anything is judged", "[cli][judge]") {
  const SumPackage folder;
  folder.Write("empty/readme", "");
  const auto mistake = [&](const Words& words) {
    CAPTURE(words);
    const CliResult result = Tally(words, {.directory = folder.path()});
    CHECK(result.status == 1);
    CHECK(IsOneSentence(result.error));
    CHECK(result.out.empty());
    return result.error;
  };
  CHECK(mistake({"judge", "nowhere", "sum"}) == "tally: nowhere: No such file or directory\n");
  CHECK(Has(mistake({"judge", "empty", "sum"}),
            "empty: no tests found; expected in/NAME.in with out/NAME.out"));
  CHECK(Has(mistake({"judge", "sums", "sum", "--time", "soon"}), "--time: \"soon\" is not a duration"));
  CHECK(Has(mistake({"judge", "sums", "sum", "--time", "0"}), "--time"));
  CHECK(Has(mistake({"judge", "sums", "sum", "-j", "0"}), "--workers"));
  CHECK(Has(mistake({"judge", "sums", "sum", "--isolation", "thin"}), "--isolation: \"thin\" is unknown"));
  CHECK(Has(mistake({"judge", "sums"}), "solutions is required"));
  folder.Write("sums/tally.yml", "time_limt: 1s\n");
  CHECK(Has(mistake({"judge", "sums", "sum"}),
            "sums/tally.yml:1:1: time_limt: unknown key (did you mean \"time_limit\"?)"));
}

TEST_CASE("judge: a solution that cannot be judged is told, and is not the end of the others", "[cli][judge]") {
  const SumPackage folder;
  folder.Write("notes.xyz", "no program\n");
  const CliResult result = Tally({"judge", "sums", "absent.cpp", "notes.xyz", "sum", "--report", "r.json"}, {.directory = folder.path()});
  CHECK(result.status == 1);
  CHECK(result.error.starts_with("tally: absent.cpp: no such file\ntally: notes.xyz: no compiler for sources that end in \".xyz\""));
  CHECK(Has(result.out, "absent.cpp  -     not judged\n"));
  CHECK(Has(result.out, "sum         WA"));
  const Json report = Json::parse(std::ifstream(folder.path() + "/r.json"));
  CHECK(report["solutions"][0]["not_judged"] == "absent.cpp: no such file");
  CHECK(report["solutions"][2]["verdict"] == "WA");
}

TEST_CASE("judge: solutions of one file name are told from each other by their folders", "[cli][judge]") {
  const SumPackage folder;
  for (const char* student : {"anna", "ben"}) folder.Write(std::string(student) + "/main.c", "int main(void) { return 0; }\n");
  const CliResult result = Tally({"judge", "sums", "anna/main.c", "ben/main.c", "sum", "--report", ""}, {.directory = folder.path()});
  CHECK(Has(result.out, "\nanna/main.c ("));
  CHECK(Has(result.out, "\nben/main.c ("));
  CHECK(Has(result.out, "\nsum (executable)"));
  CHECK(Has(result.out, "\nanna/main.c  WA"));
}

TEST_CASE("judge: --help shows examples", "[cli][judge]") {
  const CliResult help = Tally({"judge", "--help"});
  CHECK(help.status == 0);
  CHECK(Has(help.out, "Examples:\n  tally judge examples/sum"));
}

}  // namespace
}  // namespace tally

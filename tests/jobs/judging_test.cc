// Judging whole packages: the shipped example with a solution for every verdict, checkers of packages,
// several workers, and the report.
#include "jobs/judging.h"

#include <sys/stat.h>
#include <sys/wait.h>

#include <cerrno>
#include <filesystem>
#include <vector>

#include "tests/support/catch.h"
#include "tests/support/job_run.h"
#include "tests/support/job_sources.h"
#include "tests/support/run_program.h"
#include "tests/support/scratch_folder.h"
#include "tests/support/skip.h"

namespace tally {
namespace {

namespace fs = std::filesystem;

void NoProgress(std::size_t, const std::string&) {}

SolutionReport JudgeIn(const std::string& directory, const std::string& solution,
                       const JudgeOptions& options = {}) {
  const Package package = ReadPackage(directory);
  return Judging(package, options).Judge(solution, NoProgress);
}

std::string Codes(const SolutionReport& report) {
  std::string out;
  for (const TestReport& test : report.tests) out += (out.empty() ? "" : " ") + std::string(Name(test.code));
  return out;
}

// A package whose tests ask for the sum of two numbers; the hints of the even tests are one too large.
struct SumPackage : ScratchFolder {
  explicit SumPackage(int tests) {
    for (int i = 1; i <= tests; ++i) {
      Write(std::to_string(i) + ".in", std::to_string(i) + " 1000");
      Write(std::to_string(i) + ".out", std::to_string(i + 1000 + (i % 2 == 0 ? 1 : 0)) + "\nEND\n");
    }
  }
};

std::string JudgingMistake(const ScratchFolder& package, const std::string& solution,
                           const JudgeOptions& options = {}) {
  return MistakeIn([&] { return Codes(JudgeIn(package.path(), solution, options)); });
}

// The verdict of a shipped solution; with a shorter limit than the package's, so that nobody waits.
std::string ExampleVerdict(const std::string& solution) {
  const std::string folder = SourceFolder() + "/examples/sum";
  const JudgeOptions options{.time = Milliseconds(400), .workers = 2};
  const SolutionReport report = JudgeIn(folder, folder + "/solutions/" + solution, options);
  INFO(solution << ": " << Codes(report) << report.compilation.output);
  CHECK(report.tests.size() == (report.Worst() == ResultCode::kCe ? 0 : 7));
  CHECK((report.Worst() == ResultCode::kOk) == (report.Accepted() == 7));
  return std::string(Name(report.Worst()));
}

TEST_CASE("judging: the shipped solutions get the verdicts that their first lines promise", "[judging]") {
  if (const auto why = WhyAbsent("cpp20")) TALLY_SKIP(*why);
  CHECK(ExampleVerdict("right.cpp") == "OK");
  CHECK(ExampleVerdict("wrong.cpp") == "WA");
  CHECK(ExampleVerdict("greedy.cpp") == "MLE");
  CHECK(ExampleVerdict("crashes.c") == "RE");
  CHECK(ExampleVerdict("broken.cpp") == "CE");
}

TEST_CASE("judging: the shipped slow solution is TLE", "[judging]") {
  if (const auto why = WhyAbsent("cpp20")) TALLY_SKIP(*why);
  CHECK(ExampleVerdict("slow.cpp") == "TLE");
}

TEST_CASE("judging: the shipped Python solution is OK", "[judging]") {
  if (const auto why = WhyAbsent("python3")) TALLY_SKIP(*why);
  CHECK(ExampleVerdict("right.py") == "OK");
}

TEST_CASE("judging: a Java and a Go solution are run with what their runtimes need", "[judging]") {
  if (WhyAbsent("go") && WhyAbsent("java")) TALLY_SKIP("neither is on this machine");
  const ScratchFolder folder;
  folder.Write("1.in", "1 2");
  folder.Write("1.out", "3");
  const JudgeOptions options{.time = Milliseconds(3000)};
  if (!WhyAbsent("go")) CHECK(Codes(JudgeIn(folder.path(), folder.Write("sum.go", kSumGo), options)) == "OK");
  if (!WhyAbsent("java"))
    CHECK(Codes(JudgeIn(folder.path(), folder.Write("sum.java", kSumJava), options)) == "OK");
}

TEST_CASE("judging: one worker and two give the same report, in the package's order", "[judging]") {
  const SumPackage folder(20);
  const Package package = ReadPackage(folder.path());
  const auto report = [&](unsigned workers) {
    Judging judging(package, {.workers = workers});
    std::vector<SolutionReport> reports;
    reports.push_back(judging.Judge(TestProgram("sum_numbers"), NoProgress));
    Json out = Json::parse(ReportJson(package, reports));
    for (Json& test : out["solutions"][0]["tests"]) {
      for (const char* measured : {"time_used", "sys_time_used", "real_time_used", "mem_used"})
        test.erase(measured);
      if (!test["exectime_deterministic"].get<bool>()) test.erase("exectime_used");  // counted by the hardware
    }
    return out;
  };
  const Json one = report(1), two = report(2);
  CHECK(one.dump(1) == two.dump(1));
  const Json& tests = one["solutions"][0]["tests"];
  REQUIRE(tests.size() == 20);
  for (int i = 1; i <= 20; ++i) {
    const Json& test = tests[static_cast<std::size_t>(i - 1)];
    CHECK(test["test"] == std::to_string(i));
    CHECK(test["result_code"] == (i % 2 == 0 ? "WA" : "OK"));
  }
  CHECK(one["solutions"][0]["accepted"] == 10);
}

TEST_CASE("judging: workers end with the judging, and more of them than tests are no harm", "[judging]") {
  const SumPackage folder(3);
  CHECK(Codes(JudgeIn(folder.path(), TestProgram("sum_numbers"), {.workers = 8})) == "OK WA OK");
  CHECK(::waitpid(-1, nullptr, WNOHANG) == -1);
  CHECK(errno == ECHILD);
}

TEST_CASE("judging: the verdict is the first one that is not OK, and each test keeps its own", "[judging]") {
  const SumPackage folder(4);
  const SolutionReport report = JudgeIn(folder.path(), TestProgram("sum_numbers"));
  CHECK(report.Worst() == ResultCode::kWa);
  CHECK(report.Accepted() == 2);
  CHECK(report.compilation.language == "executable");
  CHECK(report.tests[1].sentence == "WRONG: line 1: expected \"1003\", got \"1002\"");
  CHECK(report.tests[1].percentage == 0);
  CHECK(report.tests[0].percentage == 100);
  CHECK(report.tests[0].memory_kib > 0u);
}

TEST_CASE("judging: progress is told test by test, after the compilation", "[judging]") {
  if (const auto why = WhyAbsent("python3")) TALLY_SKIP(*why);
  const SumPackage folder(3);
  const Package package = ReadPackage(folder.path());
  std::vector<std::string> told;
  Judging(package, {})
      .Judge(folder.Write("sum.py", kSumPython), [&](std::size_t done, const std::string& what) {
        told.push_back(std::to_string(done) + " " + what);
      });
  CHECK(told == std::vector<std::string>{"0 compiling", "1 1", "2 2", "3 3"});
}

TEST_CASE("judging: what fails on our side is that test's SE, and the others go on", "[judging]") {
  const SumPackage folder(3);
  const Package package = ReadPackage(folder.path());
  Judging judging(package, {});
  fs::remove(folder.path() + "/2.in");
  const SolutionReport report = judging.Judge(TestProgram("sum_numbers"), NoProgress);
  CHECK(Codes(report) == "OK SE OK");
  CHECK(Mentions(report.tests[1].sentence, "2.in"));
}

TEST_CASE("judging: options go over the package's limits", "[judging]") {
  SumPackage folder(1);
  folder.Write("tally.yml", "time_limit: 7s\nmemory_limit: 32M\noutput_limit: 1K\nprocesses: 3\n");
  const Package package = ReadPackage(folder.path());
  const Limits own = Judging(package, {}).limits().limits;
  CHECK(own.user_time == Milliseconds(7000));
  CHECK(own.memory == Bytes::MiB(32));
  CHECK(own.output == Bytes::KiB(1));
  CHECK(own.processes == 3);
  const Limits over = Judging(package, {.time = Milliseconds(100), .memory = Bytes::MiB(8)}).limits().limits;
  CHECK(over.user_time == Milliseconds(100));
  CHECK(over.cpu_time == Milliseconds(200));
  CHECK(over.memory == Bytes::MiB(8));
}

TEST_CASE("judging: virtual time counts instructions and reports them", "[judging]") {
  const ScratchFolder folder;
  folder.Write("1.in", "");
  folder.Write("1.out", "END");
  const SolutionReport report = JudgeIn(folder.path(), TestProgram("known_loop"), {.virtual_time = true});
  CHECK(Codes(report) == "OK");
  CHECK(report.tests[0].instructions == 2012u);
}

TEST_CASE("judging: a package's checker may be a source or an executable, with its protocol", "[judging]") {
  if (const auto why = WhyAbsent("c17")) TALLY_SKIP(*why);
  SumPackage folder(2);
  folder.Write("check.c",
               "#include <stdio.h>\nint main(void) { puts(\"OK\\nby source\\n50\"); return 0; }\n");
  folder.Write("tally.yml", "checker: check.c\n");
  const SolutionReport by_source = JudgeIn(folder.path(), TestProgram("sum_numbers"));
  CHECK(Codes(by_source) == "OK OK");
  CHECK(by_source.tests[0].sentence == "by source");
  CHECK(by_source.tests[0].percentage == 50);
  fs::copy(TestProgram("checkers/chk_kattis_style"), folder.path() + "/validator");
  folder.Write("tally.yml", "checker: validator\nchecker_protocol: kattis\n");
  CHECK(Codes(JudgeIn(folder.path(), TestProgram("sum_numbers"))) == "OK WA");
}

TEST_CASE("judging: a checker that does not compile is a mistake with the compiler's words", "[judging]") {
  if (const auto why = WhyAbsent("c17")) TALLY_SKIP(*why);
  SumPackage folder(1);
  folder.Write("check.c", "int main(void) { return undeclared; }\n");
  folder.Write("tally.yml", "checker: check.c\n");
  const std::string mistake = JudgingMistake(folder, TestProgram("sum_numbers"));
  CHECK(mistake.starts_with("checker " + folder.path() + "/check.c: compilation failed\n"));
  CHECK(Mentions(mistake, "undeclared"));
}

TEST_CASE("judging: a source is a source although its file has the permission to be executed", "[judging]") {
  if (const auto why = WhyAbsent("python3")) TALLY_SKIP(*why);
  const SumPackage folder(1);
  const std::string solution =
      folder.Write("sum.py", "#!/usr/bin/env python3\n" + std::string(kSumPython) + "print('END')\n");
  fs::permissions(solution, fs::perms::owner_all);
  const SolutionReport report = JudgeIn(folder.path(), solution);
  CHECK(Codes(report) == "OK");
  CHECK(report.compilation.compiler == "python3");
}

TEST_CASE("judging: a solution that is missing, or no program, is a mistake with its path", "[judging]") {
  const SumPackage folder(1);
  const std::string text = folder.Write("solution", "just text");
  CHECK(JudgingMistake(folder, "/no/solution.cpp") == "/no/solution.cpp: no such file");
  CHECK(Mentions(JudgingMistake(folder, text), text + " cannot be executed"));
  CHECK(Mentions(JudgingMistake(folder, folder.Write("a.xyz", "x")), "\".xyz\""));
  CHECK(Mentions(JudgingMistake(folder, folder.Write("a.c", "x"), {.compiler = "cobol"}), "\"cobol\""));
}

// A package of Kattis' with one test, whose answer is 3.5.
struct HalvesPackage : ScratchFolder {
  explicit HalvesPackage(const std::string& problem) {
    Write("problem.yaml", problem);
    Write("data/secret/g1/1.in", "7\n");
    Write("data/secret/g1/1.ans", "3.5\n");
  }
  [[nodiscard]] std::string VerdictOf(const std::string& printed) const {
    const std::string solution = Write("solution.py", "print('" + printed + "')\n");
    const Package package = ReadPackage(path());
    return std::string(Name(Judging(package, {}).Judge(solution, NoProgress).Worst()));
  }
};

TEST_CASE("judging: a Kattis package without a validator is compared by its flags", "[judging]") {
  const HalvesPackage exact("name: Halves\n");
  CHECK(exact.VerdictOf(" 3.5 ") == "OK");
  CHECK(exact.VerdictOf("3.50") == "WA");
  const HalvesPackage tolerant("validator_flags: float_tolerance 0.01\n");
  CHECK(tolerant.VerdictOf("3.501") == "OK");
  CHECK(tolerant.VerdictOf("3.6") == "WA");
}

TEST_CASE("judging: a checker may be a script, and a source finds the headers beside it", "[judging]") {
  const HalvesPackage script("validation: custom\nvalidator_flags: 0.25\n");
  script.Write("output_validators/check.py",
               "import sys\nwant = float(open(sys.argv[2]).read())\nmost = float(sys.argv[4])\n"
               "sys.exit(42 if abs(want - float(sys.stdin.read())) <= most else 43)\n");
  CHECK(script.VerdictOf("3.7") == "OK");
  CHECK(script.VerdictOf("3.8") == "WA");
  const HalvesPackage source("validation: custom\n");
  source.Write("output_validators/rules.h", "#define MOST 0.25\n");
  source.Write("output_validators/check.c",
               "#include <math.h>\n#include <stdio.h>\n#include \"rules.h\"\n"
               "int main(void) { double got; return scanf(\"%lf\", &got) == 1 && fabs(got - 3.5) <= MOST ? 42 : 43; }\n");
  CHECK(source.VerdictOf("3.7") == "OK");
  CHECK(source.VerdictOf("3.8") == "WA");
}

TEST_CASE("judging: the report says which package, which limits, and for each solution what an exec job says",
          "[judging]") {
  SumPackage folder(2);
  folder.Write("tally.yml", "title: Sum\ntime_limit: 1s\n");
  const Package package = ReadPackage(folder.path());
  std::vector<SolutionReport> reports;
  reports.push_back(Judging(package, {}).Judge(TestProgram("sum_numbers"), NoProgress));
  const Json report = Json::parse(ReportJson(package, reports));
  CHECK(report["package"] == folder.path());
  CHECK(report["limits_from"] == "tally.yml");
  const Json& solution = report["solutions"][0];
  CHECK(solution["file"] == TestProgram("sum_numbers"));
  CHECK(solution["verdict"] == "WA");
  CHECK(solution["accepted"] == 1);
  for (const char* key :
       {"result_code", "result_string", "time_used", "mem_used", "num_syscalls", "isolation_used"}) {
    CAPTURE(key);
    CHECK(solution["tests"][0].contains(key));
  }
}

TEST_CASE("judging: under reduced isolation a checker comes to its files, and an output validator to its feedback", "[judging]") {
  if (const auto why = WhyAbsent("python3")) TALLY_SKIP(*why);
  const ScratchFolder sio;
  sio.Write("1.in", "1 2\n");
  sio.Write("1.out", "3\nEND\n");
  sio.Write("check.py", "import sys\nprint('OK' if all(open(f).read() for f in sys.argv[1:4]) else 'WRONG')\nprint('seen')\n");
  sio.Write("tally.yml", "checker: check.py\n");
  ::chmod(sio.path().c_str(), 0700);
  for (const unsigned workers : {1u, 2u}) {
    const SolutionReport report = JudgeIn(sio.path(), TestProgram("sum_numbers"), {.workers = workers, .isolation = Isolation::kReduced});
    INFO(report.tests[0].sentence);
    CHECK(Codes(report) == "OK");
    CHECK(report.tests[0].sentence == "seen");
  }
  const ScratchFolder kattis;
  kattis.Write("data/secret/1.in", "1 2\n");
  kattis.Write("data/secret/1.ans", "3\n");
  kattis.Write("output_validators/v.py", "import sys\nopen(sys.argv[3] + '/judgemessage.txt', 'w').write('told')\nsys.exit(43)\n");
  const SolutionReport report = JudgeIn(kattis.path(), TestProgram("sum_numbers"), {.isolation = Isolation::kReduced});
  CHECK(report.tests[0].sentence == "told");
}

}  // namespace
}  // namespace tally

// Judging with points: groups, what is not run any more, solutions of several files, and what a failed program said last.
#include <algorithm>
#include <filesystem>

#include "jobs/judging.h"
#include "jobs/solution_files.h"
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

SolutionReport JudgeIn(const std::string& directory, const std::string& solution, const JudgeOptions& options = {}) {
  const Package package = ReadPackage(directory);
  return Judging(package, options).Judge(solution, NoProgress);
}

std::string Codes(const SolutionReport& report) {
  std::string out;
  for (const TestReport& test : report.tests) out += (out.empty() ? "" : " ") + (test.not_run.empty() ? std::string(Name(test.code)) : "-");
  return out;
}

// Sums of two numbers; the answers of test 2 and 4 are wrong.
struct GroupedPackage : ScratchFolder {
  explicit GroupedPackage(const std::string& settings) {
    for (int i = 1; i <= 6; ++i) {
      Write("in/" + std::to_string(i) + ".in", std::to_string(i) + " 1000");
      Write("out/" + std::to_string(i) + ".out", std::to_string(i + 1000 + (i == 2 || i == 4 ? 1 : 0)) + "\nEND\n");
    }
    Write("tally.yml", settings);
  }
};

constexpr const char* kGroups =
    "groups:\n- {name: a, tests: [1, 2, 3], points: 30, stops: yes}\n- {name: b, tests: [4, 5], points: 20, rule: sum}\n- {name: c, tests: 6, points: 50, needs: [a], stops: yes}\n";

TEST_CASE("scored judging: groups earn their points, and what stops is not run on", "[judging]") {
  const GroupedPackage folder(kGroups);
  const SolutionReport report = JudgeIn(folder.path(), TestProgram("sum_numbers"));
  CHECK(Codes(report) == "OK WA - WA OK -");
  CHECK(report.tests[2].not_run == "test 2 failed");
  CHECK(report.Worst() == ResultCode::kWa);
  CHECK(report.Accepted() == 2);
  REQUIRE(report.score);
  CHECK(report.score->groups == std::vector<double>{0, 10, 0});
  CHECK(report.score->most == 100);
}

TEST_CASE("scored judging: any number of workers comes to the same", "[judging]") {
  const GroupedPackage folder(kGroups);
  for (const unsigned workers : {2u, 6u}) {
    const SolutionReport report = JudgeIn(folder.path(), TestProgram("sum_numbers"), {.workers = workers});
    CHECK(Codes(report) == "OK WA - WA OK -");
    CHECK(report.score->points == 10);
  }
}

TEST_CASE("scored judging: options run all, or stop at each failure", "[judging]") {
  const GroupedPackage folder(kGroups);
  CHECK(Codes(JudgeIn(folder.path(), TestProgram("sum_numbers"), {.run_all = true})) == "OK WA OK WA OK OK");
  CHECK(Codes(JudgeIn(folder.path(), TestProgram("sum_numbers"), {.stop_on_fail = true})) == "OK WA - WA - -");
  const GroupedPackage plain("title: no groups\n");
  CHECK(Codes(JudgeIn(plain.path(), TestProgram("sum_numbers"), {.stop_on_fail = true})) == "OK WA - - - -");
  CHECK_FALSE(JudgeIn(plain.path(), TestProgram("sum_numbers")).score);
}

TEST_CASE("scored judging: the ICPC's rule ends everything at the first failure", "[judging]") {
  const GroupedPackage folder("scoring: icpc\n");
  CHECK(Codes(JudgeIn(folder.path(), TestProgram("sum_numbers"))) == "OK WA - - - -");
}

TEST_CASE("scored judging: the report says points, groups and what was not run", "[judging]") {
  const GroupedPackage folder(kGroups);
  const Package package = ReadPackage(folder.path());
  Judging judging(package, {});
  std::vector<SolutionReport> reports;
  reports.push_back(judging.Judge(TestProgram("sum_numbers"), NoProgress));
  const Json solution = Json::parse(ReportJson(package, reports))["solutions"][0];
  CHECK(solution["score"]["points"] == 10);
  CHECK(solution["score"]["groups"][1]["group"] == "b");
  CHECK(solution["score"]["groups"][1]["tests"] == Json::array({"4", "5"}));
  CHECK(solution["tests"][2] == Json{{"test", "3"}, {"not_run", "test 2 failed"}});
}

TEST_CASE("scored judging: limits of tests and of languages", "[judging]") {
  if (const auto why = WhyAbsent("python3")) TALLY_SKIP(*why);
  const ScratchFolder folder;
  for (const char* name : {"abc1a", "abc2a"}) {
    folder.Write(std::string("in/") + name + ".in", "");
    folder.Write(std::string("out/") + name + ".out", "done\n");
  }
  folder.Write("config.yml", "time_limit: 60000\ntime_limits: {2: 30}\n");
  // Without calls, whose stops would not count as its own.
  const std::string slow = folder.Write("slow.py", "for i in range(10**7): pass\nprint('done')\n");
  CHECK(Codes(JudgeIn(folder.path(), slow)) == "OK TLE");
  CHECK(Codes(JudgeIn(folder.path(), slow, {.time = Milliseconds(10'000)})) == "OK OK");
  folder.Write("config.yml", "time_limit: 30\noverride_limits: {py: {time_limit: 60000}}\n");
  CHECK(Codes(JudgeIn(folder.path(), slow)) == "OK OK");
}

TEST_CASE("scored judging: a program that fails is quoted with what it said last", "[judging]") {
  if (const auto why = WhyAbsent("python3")) TALLY_SKIP(*why);
  const GroupedPackage folder("title: x\n");
  const SolutionReport report = JudgeIn(folder.path(), folder.Write("fails.py", "import sys\nprint('first', file=sys.stderr)\nraise ValueError('\\x1b[31m no such thing')\n"));
  CHECK(report.tests[0].code == ResultCode::kRe);
  CHECK(report.tests[0].last_words.starts_with("first\nTraceback"));
  CHECK(report.tests[0].last_words.ends_with("ValueError: \x1b[31m no such thing\n"));
  CHECK(JudgeIn(folder.path(), folder.Write("says.py", "import sys\nprint('all is well', file=sys.stderr)\na, b = map(int, input().split())\nprint(a + b)\nprint('END')\n")).tests[0].last_words.empty());
}

TEST_CASE("solutions: a folder with the sources of one program is one solution", "[judging]") {
  if (const auto why = WhyAbsent("cpp20")) TALLY_SKIP(*why);
  const GroupedPackage folder("title: x\n");
  folder.Write("anna/sum.cpp", "#include <iostream>\n#include \"add.h\"\nint main() { long long a, b; std::cin >> a >> b; std::cout << Add(a, b) << \"\\nEND\\n\"; }\n");
  folder.Write("anna/add.cpp", "#include \"add.h\"\nlong long Add(long long a, long long b) { return a + b; }\n");
  folder.Write("anna/add.h", "long long Add(long long a, long long b);\n");
  CHECK(SolutionsAt(folder.path() + "/anna") == std::vector{folder.path() + "/anna"});
  CHECK(fs::path(FilesOfSolution(folder.path() + "/anna").main).filename() == "sum.cpp");
  CHECK(Codes(JudgeIn(folder.path(), folder.path() + "/anna")) == "OK WA OK WA OK OK");
}

TEST_CASE("solutions: a script finds the modules beside it", "[judging]") {
  if (const auto why = WhyAbsent("python3")) TALLY_SKIP(*why);
  const GroupedPackage folder("title: x\n");
  folder.Write("ben/main.py", "from adding import add\nprint(add(*map(int, input().split())))\nprint('END')\n");
  folder.Write("ben/adding.py", "def add(a, b): return a + b\n");
  CHECK(Codes(JudgeIn(folder.path(), folder.path() + "/ben")) == "OK WA OK WA OK OK");
}

TEST_CASE("solutions: a folder of many is each of them, and what begins no program is a mistake", "[judging]") {
  const ScratchFolder folder;
  folder.Write("class/a.cpp", "int main() {}\n");
  folder.Write("class/b.cpp", "int main() {}\n");
  folder.Write("class/ben/x.py", "");
  folder.Write("class/notes.txt", "");
  const std::string path = folder.path() + "/class";
  CHECK(SolutionsAt(path) == std::vector{path + "/a.cpp", path + "/b.cpp", path + "/ben"});
  folder.Write("two/a.py", "");
  folder.Write("two/b.py", "");
  CHECK(MistakeIn([&] { return FilesOfSolution(folder.path() + "/two").main; }) ==
        folder.path() + "/two: cannot tell which of its sources begins the program; expected one that defines main, or is called main");
  folder.Write("none/notes.txt", "");
  CHECK(Mentions(MistakeIn([&] { return FilesOfSolution(SolutionsAt(folder.path() + "/none").front()).main; }), "no solution in it"));
}

TEST_CASE("solutions: a link in a solution's folder is none of its files", "[judging]") {
  const ScratchFolder folder;
  folder.Write("answers/1.out", "secret\n");
  folder.Write("eve/main.py", "");
  folder.Write("eve/other.py", "");
  fs::create_symlink(folder.path() + "/answers/1.out", folder.path() + "/eve/1.txt");
  const SolutionFiles files = FilesOfSolution(folder.path() + "/eve");
  CHECK(files.more_sources.size() == 1);
  CHECK(files.more_files.empty());
}

TEST_CASE("solutions: of a folder of many nothing is lost without a word", "[judging]") {
  const ScratchFolder folder;
  for (const char* name : {"-a.c", "b.c", "c.kt", "notes"}) folder.Write(std::string("class/") + name, "int main(void) { return 0; }\n");
  fs::create_symlink("b.c", folder.path() + "/class/f.c");
  const std::string path = folder.path() + "/class";
  const std::vector<std::string> solutions = SolutionsAt(path);
  CHECK(solutions == std::vector{path + "/-a.c", path + "/b.c"});
  CHECK(LeftOut(path, solutions) == std::vector<std::string>{"c.kt", "f.c", "notes"});
  CHECK(LeftOut(path + "/b.c", {path + "/b.c"}).empty());
}

TEST_CASE("solutions: sources that are larger than anybody writes are refused before they are read", "[judging]") {
  const GroupedPackage folder("title: x\n");
  const std::string huge = folder.Write("huge.c", "");
  fs::resize_file(huge, 3ULL << 30);
  CHECK(MistakeIn([&] { return std::to_string(JudgeIn(folder.path(), huge).Accepted()); }) == huge + ": sources of more than 16 MiB");
}

TEST_CASE("solutions: an executable script is one of its interpreter's language, which may be named by env", "[judging]") {
  if (const auto why = WhyAbsent("python3")) TALLY_SKIP(*why);
  const GroupedPackage folder("title: x\n");
  const auto judge = [&](const std::string& first_line) {
    const std::string path = folder.Write("solution", first_line + "\nprint(sum(map(int, input().split())))\nprint('END')\n");
    fs::permissions(path, fs::perms{0755});
    return Codes(JudgeIn(folder.path(), path));
  };
  CHECK(judge("#!/usr/bin/env python3") == "OK WA OK WA OK OK");
  CHECK(judge("#! /usr/bin/env -S python3 -I") == "OK WA OK WA OK OK");
  CHECK(judge("#!/usr/bin/python3") == "OK WA OK WA OK OK");
  folder.Write("checker", "#!/usr/bin/env python3\nimport sys\nprint('OK' if open(sys.argv[2]).read() == open(sys.argv[3]).read() else 'WRONG')\n");
  fs::permissions(folder.path() + "/checker", fs::perms{0755});
  folder.Write("tally.yml", "checker: checker\n");
  CHECK(judge("#!/usr/bin/env python3") == "OK WA OK WA OK OK");
}

TEST_CASE("solutions: a long text is looked through for its main in no time and in no stack", "[judging]") {
  const ScratchFolder folder;
  folder.Write("eve/a.c", "int main(void) { return 0; }\n");
  folder.Write("eve/b.c", "int main" + std::string(900'000, ' ') + "x;\nint domain(void);\n");
  CHECK(fs::path(FilesOfSolution(folder.path() + "/eve").main).filename() == "a.c");
}

TEST_CASE("scored judging: a right answer that is worth nothing meets no other group's needs", "[judging]") {
  if (const auto why = WhyAbsent("python3")) TALLY_SKIP(*why);
  const GroupedPackage folder("checker: c.py\ngroups:\n- {name: a, tests: 1, points: 10}\n- {name: b, tests: 3, points: 90, needs: [a]}\n");
  folder.Write("c.py", "import sys\nprint('OK\\n\\n' + ('0' if open(sys.argv[1]).read()[0] == '1' else '100'))\n");
  CHECK(JudgeIn(folder.path(), TestProgram("sum_numbers")).score->points == 0);
}

TEST_CASE("solutions: the compiler sees the student's name for a source", "[judging]") {
  if (const auto why = WhyAbsent("cpp20")) TALLY_SKIP(*why);
  const GroupedPackage folder("title: x\n");
  const SolutionReport report = JudgeIn(folder.path(), folder.Write("my-sum.cpp", "int main() { return nothing; }\n"));
  CHECK(Mentions(report.compilation.output, "my-sum.cpp:1:21: error:"));
}

}  // namespace
}  // namespace tally

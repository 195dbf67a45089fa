// Checkers and graders that DMOJ's packages bring: Python modules of its judge's own kind, and programs.
#include "jobs/judging.h"
#include "tests/support/catch.h"
#include "tests/support/job_run.h"
#include "tests/support/job_sources.h"
#include "tests/support/run_program.h"
#include "tests/support/scratch_folder.h"
#include "tests/support/skip.h"

namespace tally {
namespace {

struct DmojFolder : ScratchFolder {
  explicit DmojFolder(const std::string& settings) {
    Write("init.yml", settings + "test_cases:\n- {in: 1.in, out: 1.out, points: 40}\n");
    Write("1.in", "6\n");
    Write("1.out", "2 3\n");
  }
  [[nodiscard]] std::string Judge(const std::string& solution) const {
    const Package package = ReadPackage(path());
    const SolutionReport report = Judging(package, {}).Judge(Write("solution.py", solution), [](std::size_t, const std::string&) {});
    const TestReport& test = report.tests.front();
    return std::string(Name(test.code)) + (test.code == ResultCode::kOk ? " " + std::to_string(static_cast<int>(test.percentage + 0.5)) : "") + " " + test.sentence;
  }
};

constexpr const char* kFactors = R"(from dmoj.result import CheckerResult
from dmoj.utils.unicode import utf8text

def check(process_output, judge_output, judge_input, point_value=1, bonus=0, **kwargs):
    try:
        a, b = map(int, utf8text(process_output).split())
    except ValueError:
        return False
    if a * b != int(judge_input):
        return CheckerResult(False, 0, 'no factors')
    if 1 in (a, b):
        return CheckerResult(True, point_value / 4 + bonus, 'trivial')
    return True
)";

TEST_CASE("dmoj: a checker in Python is called with what its judge gives it, and its results are told apart", "[judging]") {
  if (const auto why = WhyAbsent("python3")) TALLY_SKIP(*why);
  const DmojFolder folder("checker: {name: factors.py, args: {bonus: 10}}\n");
  folder.Write("factors.py", kFactors);
  CHECK(folder.Judge("print(2, 3)\n").starts_with("OK 100 "));
  CHECK(folder.Judge("print(1, 6)\n").starts_with("OK 35 "));
  CHECK(folder.Judge("print(4, 5)\n") == "WA no factors");
  CHECK(folder.Judge("print('x')\n") == "WA wrong answer");
  folder.Write("factors.py", "def check(process_output, judge_output, **kwargs):\n  print('OK')\n  return 1 / 0\n");
  CHECK(folder.Judge("print(2, 3)\n") == "SE checker failed: the checker gave up (exit status 3): factors.py: line 3: ZeroDivisionError: division by zero");
  folder.Write("factors.py", "x = 1\ndef check(:\n");
  CHECK(folder.Judge("print(2, 3)\n").find("factors.py: line 2: SyntaxError: ") != std::string::npos);
  folder.Write("factors.py", "def chk(): pass\n");
  CHECK(folder.Judge("print(2, 3)\n").ends_with("factors.py: AttributeError: module 'module' has no attribute 'check'"));
  // To end by itself is no verdict.
  folder.Write("factors.py", "import sys\ndef check(process_output, judge_output, **kwargs):\n  sys.exit(0)\n");
  CHECK(folder.Judge("print(2, 3)\n").starts_with("SE checker failed: "));
}

TEST_CASE("dmoj: a checker that is a program, by its files", "[judging]") {
  const DmojFolder folder("checker: {name: bridged, args: {files: check.c, lang: C, type: default}}\n");
  folder.Write("check.c", "#include <stdio.h>\nint main(int argc, char** argv) { FILE* f = fopen(argv[2], \"r\"); int a = 0; (void)argc; return fscanf(f, \"%d\", &a) != 1 || a != 7; }\n");
  CHECK(folder.Judge("print(7)\n").starts_with("OK 100 "));
  CHECK(folder.Judge("print(8)\n").starts_with("WA "));
}

TEST_CASE("dmoj: a checker's type says how its points are told, and its arguments may be others", "[judging]") {
  const DmojFolder coci("checker: {name: bridged, args: {files: check.c, type: coci}}\n");
  coci.Write("check.c", "#include <stdio.h>\nint main(void) { fputs(\"partial 1/4\\n\", stderr); return 7; }\n");
  CHECK(coci.Judge("print(7)\n").starts_with("OK 25 "));
  // The output comes first, the input last.
  const DmojFolder peg("checker: {name: bridged, args: {files: check.c, type: peg}}\n");
  peg.Write("check.c", "#include <stdio.h>\nint main(int argc, char** argv) { int out = 0, in = 0; if (argc != 4 || fscanf(fopen(argv[1], \"r\"), \"%d\", &out) != 1 || "
                       "fscanf(fopen(argv[3], \"r\"), \"%d\", &in) != 1) return 3; if (out == in) return 0; printf(\"%d\\n%d\\n\", out, in); return 1; }\n");
  CHECK(peg.Judge("print(6)\n").starts_with("OK 100 "));
  CHECK(peg.Judge("print(3)\n").starts_with("OK 50 "));
  CHECK(peg.Judge("print(0)\n").starts_with("WA "));
  const DmojFolder words("checker: {name: bridged, args: {files: check.c, args: '{answer} -x {output}'}}\n");
  words.Write("check.c", "#include <stdio.h>\n#include <string.h>\nint main(int argc, char** argv) { int a = 0; if (argc != 4 || strcmp(argv[2], \"-x\")) return 9; "
                         "return fscanf(fopen(argv[3], \"r\"), \"%d\", &a) != 1 || a != 5; }\n");
  CHECK(words.Judge("print(5)\n").starts_with("OK 100 "));
  CHECK(words.Judge("print(6)\n").starts_with("WA "));
}

TEST_CASE("dmoj: a signature grader calls the solution's functions, and not its main", "[judging]") {
  const DmojFolder folder("signature_grader: {entry: entry.cpp, header: factors.h}\n");
  folder.Write("factors.h", "#pragma once\nint smallest(int n);\n");
  folder.Write("entry.cpp", "#include <cstdio>\n#include \"factors.h\"\nint main() { int n; if (std::scanf(\"%d\", &n) != 1) return 1; std::printf(\"%d %d\\n\", smallest(n), n / smallest(n)); }\n");
  const Package package = ReadPackage(folder.path());
  const auto judge = [&](const std::string& text) {
    return Judging(package, {}).Judge(folder.Write("solution.cpp", text), [](std::size_t, const std::string&) {});
  };
  const char* const right = "int smallest(int n) { for (int d = 2; d < n; ++d) if (n % d == 0) return d; return n; }\n";
  CHECK(judge(right).tests.front().code == ResultCode::kOk);
  CHECK(judge(std::string(right) + "int main() { return 1; }\n").tests.front().code == ResultCode::kOk);
  CHECK(judge("int smallest(int n) { return n; }\n").tests.front().code == ResultCode::kWa);
  const SolutionReport broken = judge("int smallest(int n) {\n  return m;\n}\n");
  CHECK_FALSE(broken.compilation.ok);
  CHECK(broken.compilation.output.find("solution.cpp:2:") != std::string::npos);
  CHECK_THROWS_WITH(Judging(package, {}).Judge(folder.Write("solution.py", "print(2, 3)\n"), [](std::size_t, const std::string&) {}),
                    Catch::Matchers::EndsWith("solution.py: solutions of this problem are compiled with a grader, and the package has none for .py (it has entry.cpp)"));
}

TEST_CASE("dmoj: an interactive grader in Python", "[judging][interactive]") {
  if (const auto why = WhyAbsent("python3")) TALLY_SKIP(*why);
  const DmojFolder folder("custom_judge: guess.py\nunbuffered: true\n");
  folder.Write("guess.py", R"(from dmoj.graders.interactive import InteractiveGrader
from dmoj.result import CheckerResult

class Grader(InteractiveGrader):
    def interact(self, case, interactor):
        wanted = int(case.input_data())
        for rounds in range(5):
            guess = interactor.readint(1, 100)
            if guess == wanted:
                interactor.writeln('right')
                return rounds == 0 or CheckerResult(True, case.points / 2, 'late')
            interactor.writeln('low' if guess < wanted else 'high')
        return False
)");
  CHECK(folder.Judge("print(6)\n").starts_with("OK 100 "));
  CHECK(folder.Judge("x = 1\nwhile True:\n  print(x, flush=True)\n  if input() == 'right': break\n  x += 5\n").starts_with("OK 50 "));
  CHECK(folder.Judge("for x in range(50, 60):\n  print(x, flush=True)\n  input()\n").starts_with("WA"));
  CHECK(folder.Judge("print(900)\n") == "WA expected int in range [1, 100], got 900");
  CHECK(folder.Judge("print('six')\n") == "WA expected int, got 'six'");
  CHECK(folder.Judge("pass\n") == "WA unexpected end of file");
  CHECK(folder.Judge("import time\ntime.sleep(100)\n").starts_with("TLE "));
}

TEST_CASE("dmoj: an interactor that is a program, with the input and the answer as arguments", "[judging][interactive]") {
  const DmojFolder folder("interactive: {files: talk.c, lang: C, type: default}\n");
  folder.Write("talk.c", "#include <stdio.h>\nint main(int argc, char** argv) { FILE* f = fopen(argv[1], \"r\"); int x, y; if (argc != 3 || fscanf(f, \"%d\", &x) != 1) return 3;\n"
                         "  printf(\"%d\\n\", x); fflush(stdout); return scanf(\"%d\", &y) != 1 || y != x + 1; }\n");
  CHECK(folder.Judge("print(int(input()) + 1)\n").starts_with("OK 100 "));
  CHECK(folder.Judge("print(int(input()))\n").starts_with("WA "));
}

}  // namespace
}  // namespace tally

// Files of a task's own: a program opens them in its folder, in every isolation, with any number of workers, and nowhere else.
#include "jobs/judging.h"
#include "tests/support/catch.h"
#include "tests/support/job_run.h"
#include "tests/support/job_sources.h"
#include "tests/support/run_program.h"
#include "tests/support/scratch_folder.h"
#include "tests/support/skip.h"

namespace tally {
namespace {

constexpr const char* kSum = "a, b = map(int, open('sum.in').read().split())\nwith open('sum.out', 'w') as out: print(a + b, file=out)\n";

struct FilesPackage : ScratchFolder {
  FilesPackage() {
    for (int i = 1; i <= 4; ++i) {
      Write("in/" + std::to_string(i) + ".in", std::to_string(i) + " 1000");
      Write("out/" + std::to_string(i) + ".out", std::to_string(i + 1000 + (i == 4 ? 1 : 0)) + "\n");
    }
    Write("tally.yml", "input_file: sum.in\noutput_file: sum.out\noutput_limit: 1M\n");
  }
  [[nodiscard]] SolutionReport Judge(const std::string& source, const JudgeOptions& options = {}) const {
    const Package package = ReadPackage(path());
    return Judging(package, options).Judge(Write("solution.py", source), [](std::size_t, const std::string&) {});
  }
  [[nodiscard]] std::string Codes(const std::string& source, const JudgeOptions& options = {}) const {
    std::string out;
    for (const TestReport& test : Judge(source, options).tests) out += (out.empty() ? "" : " ") + std::string(Name(test.code));
    return out;
  }
};

TEST_CASE("named files: each test's input is there, and what was written is checked", "[judging]") {
  if (const auto why = WhyAbsent("python3")) TALLY_SKIP(*why);
  const FilesPackage folder;
  CHECK(folder.Codes(kSum) == "OK OK OK WA");
  CHECK(folder.Codes(kSum, {.workers = 2}) == "OK OK OK WA");
}

TEST_CASE("named files: the same under reduced isolation, one by one and at the same time", "[judging]") {
  if (const auto why = WhyAbsent("python3")) TALLY_SKIP(*why);
  const FilesPackage folder;
  CHECK(folder.Codes(kSum, {.isolation = Isolation::kReduced}) == "OK OK OK WA");
  CHECK(folder.Codes(kSum, {.workers = 2, .isolation = Isolation::kReduced}) == "OK OK OK WA");
}

TEST_CASE("named files: nothing of one test is there in the next", "[judging]") {
  if (const auto why = WhyAbsent("python3")) TALLY_SKIP(*why);
  const FilesPackage folder;
  CHECK(folder.Codes("import sys\nif open('sum.out').read(): sys.exit(9)\nopen('sum.out', 'w').write('1001' * 1000)\n") == "WA WA WA WA");
  CHECK(folder.Codes("import os\nif os.path.getsize('sum.out'): raise SystemExit(9)\nif open('sum.in').read()[0] == '1': open('sum.out', 'w').write('1001')\n") == "OK WA WA WA");
}

TEST_CASE("named files: standard input is empty, and who writes to stdout is told so", "[judging]") {
  if (const auto why = WhyAbsent("python3")) TALLY_SKIP(*why);
  const FilesPackage folder;
  const SolutionReport report = folder.Judge("import sys\nif sys.stdin.read(): sys.exit(9)\nprint(1001)\n");
  CHECK(report.tests[0].code == ResultCode::kWa);
  CHECK(report.tests[0].sentence == "sum.out is empty; the program wrote to stdout");
}

TEST_CASE("named files: the limit on output holds for them, and nothing else can be written", "[judging]") {
  if (const auto why = WhyAbsent("python3")) TALLY_SKIP(*why);
  const FilesPackage folder;
  CHECK(folder.Codes("open('sum.out', 'w').write('x' * 3000000)\n") == "OLE OLE OLE OLE");
  CHECK(folder.Codes("try:\n  open('other.txt', 'w')\nexcept OSError:\n  raise SystemExit(7)\n") == "RE RE RE RE");
  CHECK(folder.Codes("try:\n  open('sum.in', 'w')\nexcept OSError:\n  raise SystemExit(7)\n") == "RE RE RE RE");
  CHECK(folder.Codes("import os\ntry:\n  os.unlink('sum.out')\nexcept OSError:\n  raise SystemExit(7)\n") == "RE RE RE RE");
}

TEST_CASE("reduced isolation: tests that run at the same time come to their program", "[judging]") {
  if (const auto why = WhyAbsent("cpp20")) TALLY_SKIP(*why);
  const std::string folder = SourceFolder() + "/examples/sum";
  const Package package = ReadPackage(folder);
  const SolutionReport report = Judging(package, {.workers = 3, .isolation = Isolation::kReduced}).Judge(folder + "/solutions/right.cpp", [](std::size_t, const std::string&) {});
  CHECK(report.Worst() == ResultCode::kOk);
}

}  // namespace
}  // namespace tally

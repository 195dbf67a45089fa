// Problems where the outputs themselves are handed in.
#include "jobs/submitted_outputs.h"

#include <filesystem>

#include "base/error.h"
#include "jobs/judging.h"
#include "tests/support/catch.h"
#include "tests/support/scratch_folder.h"

namespace tally {
namespace {

namespace fs = std::filesystem;

// Three tests of 20, 30 and 50 points, answered 0, 10 and 20.
struct OutputOnlyPackage : ScratchFolder {
  OutputOnlyPackage() {
    Write("problem/task.yaml", "name: outs\ntitle: Outputs\noutput_only: true\nn_input: 3\nscore_type: GroupMin\nscore_type_parameters: [[20, 1], [30, 1], [50, 1]]\n");
    for (const int i : {0, 1, 2}) {
      Write("problem/input/input" + std::to_string(i) + ".txt", "");
      Write("problem/output/output" + std::to_string(i) + ".txt", std::to_string(10 * i) + "\n");
    }
  }
  [[nodiscard]] std::string Folder() const { return path() + "/problem"; }
  [[nodiscard]] SolutionReport Judge(const std::string& folder, const JudgeOptions& options = {}) const {
    const Package package = ReadPackage(Folder());
    return Judging(package, options).Judge(path() + "/" + folder, [](std::size_t, const std::string&) {});
  }
};

std::string Codes(const SolutionReport& report) {
  std::string codes;
  for (const TestReport& test : report.tests) codes += std::string(Name(test.code)) + " ";
  return codes;
}

TEST_CASE("outputs: each is compared with its answer, and one that is missing is wrong", "[judging]") {
  const OutputOnlyPackage folder;
  folder.Write("anna/output_000.txt", "0\n");
  folder.Write("anna/output_001.txt", "11\n");
  folder.Write("anna/output_002.txt", "20\n");
  folder.Write("ben/output_002.txt", "20");
  const SolutionReport anna = folder.Judge("anna"), ben = folder.Judge("ben");
  CHECK(Codes(anna) == "OK WA OK ");
  CHECK(anna.score.value().points == 70);
  CHECK_FALSE(anna.tests[0].time_ms);  // nothing was run
  CHECK_FALSE(anna.tests[0].memory_kib);
  CHECK(Codes(ben) == "WA WA OK ");
  CHECK(ben.tests[0].sentence == "output_000.txt was not handed in");
  CHECK(folder.Judge("ben", {.stop_on_fail = true}).tests[2].code == ResultCode::kOk);  // another group
}

TEST_CASE("outputs: no link is followed, whatever it names, and a folder is no output", "[judging]") {
  const OutputOnlyPackage folder;
  folder.Write("eve/output_001.txt", "10\n");
  fs::create_symlink(folder.Folder() + "/output/output0.txt", folder.path() + "/eve/output_000.txt");
  fs::create_directory(folder.path() + "/eve/output_002.txt");
  const SolutionReport eve = folder.Judge("eve");
  CHECK(Codes(eve) == "WA OK WA ");
  CHECK(eve.tests[0].sentence == "output_000.txt is no regular file");
}

TEST_CASE("outputs: one that is larger than the limit is OLE", "[judging]") {
  const OutputOnlyPackage folder;
  folder.Write("big/output_000.txt", "");
  fs::resize_file(folder.path() + "/big/output_000.txt", 51 << 20);
  CHECK(folder.Judge("big").tests[0].code == ResultCode::kOle);
}

TEST_CASE("outputs: a checker of the package's judges them, with its points", "[judging]") {
  const OutputOnlyPackage folder;
  folder.Write("problem/check/checker.py", "import sys\nprint(0.5 if open(sys.argv[3]).read().strip() == 'half' else 1)\nprint('seen', file=sys.stderr)\n");
  folder.Write("anna/output_000.txt", "half\n");
  folder.Write("anna/output_001.txt", "all\n");
  for (const Isolation isolation : {Isolation::kFull, Isolation::kReduced}) {
    const SolutionReport anna = folder.Judge("anna", {.isolation = isolation});
    CHECK(anna.tests[0].sentence == "seen");
    CHECK(anna.score.value().points == 40);  // 10 and 30
  }
}

TEST_CASE("outputs: a source is no solution, and a folder of folders is many", "[judging]") {
  const OutputOnlyPackage folder;
  folder.Write("all/anna/output_000.txt", "");
  folder.Write("all/ben/output_002.txt", "");
  folder.Write("all/notes/readme.txt", "");
  folder.Write("a.cpp", "");
  const Package package = ReadPackage(folder.Folder());
  CHECK(OutputFoldersAt(folder.path() + "/all", package) == std::vector<std::string>{folder.path() + "/all/anna", folder.path() + "/all/ben"});
  CHECK(OutputFoldersAt(folder.path() + "/all/ben", package) == std::vector<std::string>{folder.path() + "/all/ben"});
  CHECK_THROWS_WITH(CheckReadable(OutputFoldersAt(folder.path() + "/all/notes", package).front(), package), Catch::Matchers::Contains("no outputs in it; expected output_000.txt and on"));
  CHECK_THROWS_WITH(folder.Judge("a.cpp"), Catch::Matchers::Contains("expected a folder with output_000.txt and on"));
}

}  // namespace
}  // namespace tally

// DMOJ's packages: cases and batches, checkers by name, tests in an archive, and every mistake with its place.
#include <cstdlib>
#include <filesystem>

#include "base/sys.h"
#include "packages/package.h"
#include "tests/support/catch.h"
#include "tests/support/package_mistake.h"
#include "tests/support/scratch_folder.h"

namespace tally {
namespace {

constexpr const char* kInit = R"(test_cases:
- {in: 1.in, out: 1.out, points: 10}
- batched:
  - {in: 2.in, out: 2.out}
  - {in: 3.in, out: 3.out}
  points: 90
  dependencies: [1]
)";

struct DmojFolder : ScratchFolder {
  explicit DmojFolder(const std::string& more = "", const std::string& init = kInit) {
    Write("init.yml", init + more);
    for (const char* name : {"1.in", "1.out", "2.in", "2.out", "3.in", "3.out"}) Write(name, name);
  }
  [[nodiscard]] Package Read() const { return ReadPackage(path()); }
};

std::string MistakeWith(const std::string& more) { return PackageMistake(DmojFolder(more).path()); }
CompareRules CompareWith(const std::string& checker) { return *DmojFolder("checker: " + checker + "\n").Read().tests[0].compare; }

TEST_CASE("dmoj: a case is a group, a batch is one that ends at its first failure", "[package]") {
  const DmojFolder folder;
  const Package package = folder.Read();
  REQUIRE(package.tests.size() == 3);
  CHECK(package.tests[0].name == "1");
  CHECK(package.tests[2].name == "2.2");
  CHECK(package.tests[2].input == folder.path() + "/3.in");
  REQUIRE(package.groups.size() == 2);
  CHECK(package.groups[0].points == 10);
  CHECK_FALSE(package.groups[0].stops);
  CHECK(package.groups[1].points == 90);
  CHECK(package.groups[1].stops);
  CHECK(package.groups[1].needs == std::vector<std::size_t>{0});
  CHECK(package.not_read.empty());
}

TEST_CASE("dmoj: a case without points has the problem's, and one of no points ends everything", "[package]") {
  const Package package = DmojFolder("", "points: 40\ntest_cases:\n- {in: 1.in, out: 1.out, points: 0}\n- {in: 2.in, out: 2.out}\n").Read();
  CHECK(package.groups.at(0).ends_all);
  CHECK(package.groups.at(1).points == 40);
  CHECK_FALSE(package.groups.at(1).ends_all);
  CHECK(MistakeWith("in: 1.in\n").find("in: unknown key") != std::string::npos);
}

TEST_CASE("dmoj: checkers by name", "[package]") {
  using Kind = CompareRules::Kind;
  CHECK(DmojFolder().Read().tests[0].compare == kSameWords);
  CHECK(CompareWith("identical").kind == Kind::kBytes);
  CHECK(CompareWith("rstripped").kind == Kind::kLines);
  CHECK(CompareWith("sorted").kind == Kind::kUnorderedLines);
  CHECK(CompareWith("{name: sorted, args: {split_on: whitespace}}").kind == Kind::kUnorderedWords);
  CHECK(CompareWith("unordered").kind == Kind::kUnorderedWords);
  CHECK_FALSE(CompareWith("easy").tolerant.case_sensitive);
  CHECK(CompareWith("floats").tolerant.absolute_tolerance == 1e-6);
  const CompareRules relative = CompareWith("{name: floats, args: {precision: 3, error_mode: relative}}");
  CHECK_FALSE(relative.tolerant.absolute_tolerance);
  CHECK(relative.tolerant.relative_tolerance == 1e-3);
  CHECK(MistakeWith("checker: own\n") == "DIR/init.yml:8:10: checker: found own; expected standard, easy, identical, rstripped, sorted, unordered or floats");
}

TEST_CASE("dmoj: tests in an archive are unpacked for as long as the package is there", "[package]") {
  const DmojFolder folder("archive: tests.zip\n");
  const std::string make = "cd " + folder.path() + " && python3 -c \"import zipfile; z = zipfile.ZipFile('tests.zip', 'w'); "
                           "[z.writestr(n, 'zipped ' + n) for n in ('1.in', '1.out', '../evil', '2.in')]\" && rm 1.in 1.out 2.in";
  REQUIRE(std::system(make.c_str()) == 0);
  std::string unpacked;
  {
    const Package package = folder.Read();
    unpacked = package.tests[0].input;
    CHECK(sys::ReadFile(unpacked) == "zipped 1.in");
    CHECK(package.tests[1].answer == folder.path() + "/2.out");  // what the archive lacks lies beside it
    CHECK(std::filesystem::exists(unpacked));
  }
  CHECK_FALSE(std::filesystem::exists(unpacked));
}

// An archive of files with these names, which are what they hold.
void Zip(const ScratchFolder& folder, const std::string& names) {
  const std::string make = "cd " + folder.path() + " && python3 -c \"import zipfile; z = zipfile.ZipFile('tests.zip', 'w'); [z.writestr(n, n) for n in '" + names + "'.split()]\"";
  REQUIRE(std::system(make.c_str()) == 0);
}

TEST_CASE("dmoj: without a list the archive's files are cases by their names, and batches", "[package]") {
  const DmojFolder folder("archive: tests.zip\npoints: 5\n", "");
  Zip(folder, "t/sum.10.in t/sum.10.out t/sum.2.1.in t/sum.2.1.out t/sum.2.2.in t/sum.2.2.out t/sum.1.in t/sum.1.out readme.txt");
  const Package package = folder.Read();
  REQUIRE(package.tests.size() == 4);
  CHECK(package.tests[0].name == "1");
  CHECK(package.tests[2].name == "2.2");
  CHECK(sys::ReadFile(package.tests[2].answer) == "t/sum.2.2.out");
  CHECK(package.tests[3].name == "10");
  REQUIRE(package.groups.size() == 3);
  CHECK(package.groups[1].stops);
  CHECK(package.groups[1].points == 5);
  CHECK_FALSE(package.groups[2].stops);
}

TEST_CASE("dmoj: patterns of one's own, and points for each", "[package]") {
  const DmojFolder folder("archive: tests.zip\n", "test_cases: {input_format: '^q(?P<batch>[a-z]+)-(?P<case>\\d+)\\.in', output_format: '^q(?P<batch>[a-z]+)-(?P<case>\\d+)\\.ans', case_points: [30, 70]}\n");
  Zip(folder, "Qb-1.in Qb-1.ans qa-1.in qa-1.ans qa-2.in qa-2.ans other");
  const Package package = folder.Read();
  REQUIRE(package.groups.size() == 2);
  CHECK(package.groups[0].points == 30);
  CHECK(package.groups[0].tests.size() == 2);
  CHECK(sys::ReadFile(package.tests[2].input) == "Qb-1.in");
}

TEST_CASE("dmoj: patterns that say nothing, and files without their like, are mistakes", "[package]") {
  const auto mistake = [](const std::string& cases, const std::string& names) {
    const DmojFolder folder("archive: tests.zip\n", cases.empty() ? "" : "test_cases: " + cases + "\n");
    Zip(folder, names);
    return PackageMistake(folder.path());
  };
  CHECK(mistake("", "1.in 1.out 2.in") == "DIR/init.yml:1:1: test_cases: 2.in of the archive has no output beside it");
  CHECK(mistake("{input_format: 'x(.*)'}", "1.in").find("input_format: the pattern has no group (?P<case>...)") != std::string::npos);
  CHECK(mistake("{input_format: '(?P<case>[0-9]'}", "1.in").find("which is no pattern that can be read here") != std::string::npos);
  CHECK(mistake("{input_format: '(?<=a)(?P<case>1)'}", "1.in").find("of groups that begin with ?") != std::string::npos);
  CHECK(mistake("{case_points: [1]}", "1.in 1.out 2.in 2.out").find("case_points: found 1 numbers; expected one for each of 2 cases and batches") != std::string::npos);
  CHECK(mistake("{case_points: [many]}", "1.in 1.out").find("case_points: found many; expected a number of points") != std::string::npos);
  CHECK(mistake("", "readme.txt").find("expected a case at least") != std::string::npos);
}

TEST_CASE("dmoj: an archive that is damaged or missing is a mistake", "[package]") {
  const DmojFolder folder("archive: tests.zip\n");
  CHECK(PackageMistake(folder.path()) == "DIR/init.yml:8:10: archive: DIR/tests.zip does not exist");
  folder.Write("tests.zip", "PK\3\4 and then nothing");
  CHECK(PackageMistake(folder.path()).starts_with("DIR/tests.zip: this is no zip archive that can be read: "));
}

TEST_CASE("dmoj: what is not judged, and mistakes, have their place", "[package]") {
  CHECK(MistakeWith("interactive: {files: a.cpp}\n") == "DIR/init.yml:8:22: interactive.files: DIR/a.cpp does not exist");
  CHECK(PackageMistake(DmojFolder("", "test_cases: {input_format: x}\n").path()).starts_with("DIR/init.yml:1:13: test_cases: expected a list of cases"));
  CHECK(MistakeWith("signature_grader: {entry: 1.in, header: sum.h}\n") == "DIR/init.yml:8:41: signature_grader.header: DIR/sum.h does not exist");
  CHECK(MistakeWith("checker: {name: bridged, args: {files: 1.in, args: \"{output} {judge}\"}}\n").find("found {judge}; expected {input}, {output}, {answer}") != std::string::npos);
  CHECK(PackageMistake(DmojFolder("", "test_cases: [{in: 9.in, out: 1.out}]\n").path()) == "DIR/init.yml:1:19: DIR/9.in is not there");
  CHECK(PackageMistake(DmojFolder("", "test_cases: [{in: ../x, out: 1.out}]\n").path()) == "DIR/init.yml:1:19: found ../x; expected a file of the package");
  CHECK(PackageMistake(DmojFolder("", "test_cases: [{in: 1.in, out: 1.out, generator_args: [1]}]\n").path()).find("made while judging") != std::string::npos);
  CHECK(PackageMistake(DmojFolder("", "test_cases: [{batched: [], points: 95}]\n").path()).find("batched: found no cases; expected one at least") != std::string::npos);
  CHECK(PackageMistake(DmojFolder("", "test_cases: []\n").path()).find("expected a case at least") != std::string::npos);
  CHECK(MistakeWith("chcker: standard\n").find("unknown key (did you mean \"checker\"?)") != std::string::npos);
}

TEST_CASE("dmoj: a limit on output", "[package]") {
  CHECK(DmojFolder("output_limit_length: 1000\n").Read().output == Bytes{1000});
}

TEST_CASE("dmoj: files in the place of the standard streams", "[package]") {
  const Package package = DmojFolder("file_io: {input: SUM.INP, output: SUM.OUT}\n").Read();
  CHECK(package.input_file == "SUM.INP");
  CHECK(package.output_file == "SUM.OUT");
}

}  // namespace
}  // namespace tally

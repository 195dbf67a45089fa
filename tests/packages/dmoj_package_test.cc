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

TEST_CASE("dmoj: an archive that is damaged or missing is a mistake", "[package]") {
  const DmojFolder folder("archive: tests.zip\n");
  CHECK(PackageMistake(folder.path()) == "DIR/init.yml:8:10: archive: DIR/tests.zip does not exist");
  folder.Write("tests.zip", "PK\3\4 and then nothing");
  CHECK(PackageMistake(folder.path()).starts_with("DIR/tests.zip: this is no zip archive that can be read: "));
}

TEST_CASE("dmoj: what is not judged, and mistakes, have their place", "[package]") {
  CHECK(MistakeWith("interactive: {files: a.cpp}\n") == "DIR/init.yml:8:22: interactive.files: DIR/a.cpp does not exist");
  CHECK(PackageMistake(DmojFolder("", "test_cases: {input_format: x}\n").path()).starts_with("DIR/init.yml:1:13: test_cases: expected a list of cases"));
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

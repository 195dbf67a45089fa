// Kattis' packages: groups, flags, validators, times that tools write beside, and what is refused.
#include <string>

#include "base/error.h"
#include "packages/package.h"
#include "tests/support/catch.h"
#include "tests/support/package_mistake.h"
#include "tests/support/scratch_folder.h"

namespace tally {
namespace {

struct KattisFolder : ScratchFolder {
  explicit KattisFolder(const std::string& problem) {
    Write("problem.yaml", problem);
    for (const char* test : {"sample/1", "secret/01", "secret/g1/10", "secret/g1/9", "secret/g2/deep/1"}) {
      Write("data/" + std::string(test) + ".in", "");
      Write("data/" + std::string(test) + ".ans", "");
    }
  }
  [[nodiscard]] Package Read() const { return ReadPackage(path()); }
  [[nodiscard]] std::string Mistake() const { return PackageMistake(path()); }
  [[nodiscard]] TolerantRules RulesOf(const std::string& name) const {
    for (const PackageTest& test : Read().tests) {
      if (test.name == name) return test.compare.value();
    }
    throw UserError("no test " + name);
  }
};

TEST_CASE("kattis: tests of all groups are there, in order, and called by their groups", "[package]") {
  std::vector<std::string> names;
  const KattisFolder folder("name: Sum\n");
  for (const PackageTest& test : folder.Read().tests) names.push_back(test.name);
  CHECK(names == std::vector<std::string>{"sample/1", "secret/01", "secret/g1/9", "secret/g1/10", "secret/g2/deep/1"});
  CHECK(folder.Read().title == "Sum");
  CHECK(folder.Read().limits_from == "defaults");
}

TEST_CASE("kattis: the answer is compared by the package's flags, those of a group over those around it", "[package]") {
  const KattisFolder folder("validator_flags: float_tolerance 1e-6 case_sensitive\n");
  CHECK(folder.RulesOf("sample/1") == TolerantRules{.case_sensitive = true, .absolute_tolerance = 1e-6, .relative_tolerance = 1e-6});
  folder.Write("data/secret/g1/testdata.yaml", "output_validator_flags: float_absolute_tolerance 0.5\n");
  folder.Write("data/secret/g2/test_group.yaml", "output_validator_args: [space_change_sensitive]\n");
  CHECK(folder.RulesOf("secret/01").case_sensitive);
  CHECK(folder.RulesOf("secret/g1/9") == TolerantRules{.absolute_tolerance = 0.5});
  CHECK(folder.RulesOf("secret/g2/deep/1") == TolerantRules{.space_change_sensitive = true});
  CHECK(KattisFolder("name: none\n").RulesOf("sample/1") == TolerantRules{});
}

TEST_CASE("kattis: a flag that nobody knows is a mistake with its place", "[package]") {
  CHECK(KattisFolder("validator_flags: case_sensitve\n").Mistake() ==
        "DIR/problem.yaml:1:18: validator_flags: found \"case_sensitve\"; expected case_sensitive, space_change_sensitive, "
        "float_absolute_tolerance, float_relative_tolerance or float_tolerance");
  CHECK(KattisFolder("validator_flags: float_tolerance\n").Mistake() ==
        "DIR/problem.yaml:1:18: validator_flags: float_tolerance is followed by \"\"; expected a number, like 1e-6");
}

TEST_CASE("kattis: an output validator is the checker, a source or a folder of sources, and has the flags", "[package]") {
  const KattisFolder folder("validation: custom\nvalidator_flags: most 10\n");
  CHECK(folder.Mistake() == "DIR/problem.yaml: validation: custom, and there is no program in output_validators/");
  folder.Write("output_validators/check/validate.cpp", "");
  folder.Write("output_validators/check/validate.h", "");
  folder.Write("output_validators/check/zzz.cpp", "");
  const Package package = folder.Read();
  CHECK(package.checker == folder.path() + "/output_validators/check/validate.cpp");
  CHECK(package.checker_sources == std::vector<std::string>{folder.path() + "/output_validators/check/zzz.cpp"});
  CHECK(package.protocol == CheckerProtocol::kKattis);
  CHECK(package.tests.front().checker_arguments == std::vector<std::string>{"most", "10"});
  CHECK_FALSE(package.tests.front().compare.has_value());
  folder.Write("output_validators/other/validate.py", "");
  CHECK(folder.Mistake().starts_with("DIR/output_validators: 2 programs; expected one output validator"));
}

TEST_CASE("kattis: kinds of problems that are not judged are refused with their place", "[package]") {
  CHECK(KattisFolder("type: interactive\n").Mistake() == "DIR/problem.yaml:1:7: type: found interactive; such problems are not judged here yet");
  CHECK(KattisFolder("type: [pass-fail, multi-pass]\n").Mistake() == "DIR/problem.yaml:1:7: type: found multi-pass; such problems are not judged here yet");
  CHECK(KattisFolder("validation: custom interactive\n").Mistake() ==
        "DIR/problem.yaml:1:13: validation: found interactive; such problems are not judged here yet");
}

TEST_CASE("kattis: the time that tools write beside is the limit where problem.yaml has none", "[package]") {
  const KattisFolder folder("name: Sum\n");
  folder.Write(".timelimit", "2\n");
  CHECK(folder.Read().time == Milliseconds(2000));
  CHECK(folder.Read().limits_from == ".timelimit");
  folder.Write("domjudge-problem.ini", "short-name = sum\ntimelimit = '1.5'\n");
  CHECK(folder.Read().time == Milliseconds(1500));
  folder.Write("problem.yaml", "limits: {time_limit: 3}\n");
  CHECK(folder.Read().time == Milliseconds(3000));
  CHECK(folder.Read().limits_from == "problem.yaml");
  folder.Write("problem.yaml", "name: Sum\n");
  folder.Write("domjudge-problem.ini", "timelimit='soon'\n");
  CHECK(folder.Mistake() == "DIR/domjudge-problem.ini: found \"soon\"; expected a number of seconds");
}

TEST_CASE("package: what looks like tests or settings and is not read is listed", "[package]") {
  const ScratchFolder folder;
  for (const char* file : {"in/1.in", "out/1.out", "out/2.out", "in/group1/1.in", "in/group1/1.out", "tally.yaml", "config.yml", "prog/x.in", "README.md", "doc/a.out"}) folder.Write(file, "title: a\n");
  CHECK(ReadPackage(folder.path()).not_read == std::vector<std::string>{"in/group1/1.in", "in/group1/1.out", "out/2.out", "tally.yaml"});
  folder.Write("tally.yml", "title: a\n");
  CHECK(ReadPackage(folder.path()).not_read == std::vector<std::string>{"config.yml", "in/group1/1.in", "in/group1/1.out", "out/2.out", "tally.yaml"});
  folder.Write("problem.yaml", "name: a\n");  // not read beside ours
  CHECK(ReadPackage(folder.path()).not_read.back() == "tally.yaml");
  CHECK(ReadPackage(folder.path()).not_read.size() == 6);
  const ScratchFolder flat;
  for (const char* file : {"1.in", "1.out"}) flat.Write(file, "");
  CHECK(ReadPackage(flat.path()).not_read.empty());
}

}  // namespace
}  // namespace tally

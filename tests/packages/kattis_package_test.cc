// Kattis' packages: groups, flags, validators, times that tools write beside, and what is refused.
#include <sys/stat.h>

#include <filesystem>
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
      if (test.name == name) return test.compare.value().tolerant;
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

TEST_CASE("kattis: interactive problems have their validator to talk to; other kinds are refused with their place", "[package]") {
  CHECK(KattisFolder("type: interactive\n").Mistake() == "DIR/problem.yaml: the problem is interactive, and there is no program in output_validators/");
  CHECK(KattisFolder("type: [pass-fail, multi-pass]\n").Mistake() == "DIR/problem.yaml: the problem is multi-pass, and there is no program in output_validators/");
  for (const char* problem : {"validation: custom interactive\n", "type: [pass-fail, interactive]\n"}) {
    const KattisFolder folder(problem);
    folder.Write("output_validators/talk.py", "");
    const Package package = folder.Read();
    CHECK_FALSE(package.checker);
    REQUIRE(package.interactor);
    CHECK(package.interactor->path == folder.path() + "/output_validators/talk.py");
    CHECK(package.interactor->protocol == CheckerProtocol::kKattis);
  }
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
  CHECK(folder.Mistake() == "DIR/domjudge-problem.ini:1: timelimit: found \"soon\"; expected a number of seconds, 0.001 at least");
  folder.Write("domjudge-problem.ini", "; a comment\n[problem]\n\nname='x'\nspecial_compare = 'mine'\n");
  CHECK(folder.Mistake() == "DIR/domjudge-problem.ini:5: special_compare: programs that the site keeps judge such a problem, which are not here");
  folder.Write("domjudge-problem.ini", "colour = red\n");
  CHECK(folder.Mistake().starts_with("DIR/domjudge-problem.ini:1: colour: unknown key"));
  CHECK(ReadPackage(folder.path(), {.lenient = true}).warnings.size() == 1);
  folder.Write("problem.yaml", "limits: {time_limit: 3}\n");
  folder.Write("domjudge-problem.ini", "timelimit = 2\n");
  CHECK(folder.Read().warnings == std::vector<std::string>{folder.path() + "/.timelimit: not used: problem.yaml says it"});
}

TEST_CASE("kattis: a test's own file has flags over those of its groups, and what is not applied is told", "[package]") {
  const KattisFolder folder("name: Sum\n");
  folder.Write("data/secret/testdata.yaml", "output_validator_flags: float_tolerance 0.5\n");
  folder.Write("data/secret/01.yaml", "output_validator_args: [case_sensitive]\ninput_validator_args: few\nhint: think\n");
  CHECK(folder.RulesOf("secret/01") == TolerantRules{.case_sensitive = true});
  CHECK(folder.RulesOf("secret/g1/9").absolute_tolerance == 0.5);
  CHECK(folder.Read().tests.at(1).validator_arguments == std::vector<std::string>{"few"});
  CHECK(folder.Read().warnings.empty());
  folder.Write("data/secret/01.yaml", "args: [x]\n");
  folder.Write("data/secret/g1/9.args", "x\n");
  folder.Write("data/invalid_output/1.ans", "x\n");
  CHECK(folder.Read().warnings.size() == 3);
  folder.Write("data/secret/01.yaml", "output_validator_arg: x\n");
  CHECK(folder.Mistake().starts_with("DIR/data/secret/01.yaml:1:1: output_validator_arg: unknown key"));
}

TEST_CASE("kattis: kinds of problems, and settings of groups, that nobody knows are refused with their place", "[package]") {
  const auto mistake = [](const std::string& yaml) { return KattisFolder(yaml).Mistake(); };
  CHECK(mistake("type: multipass\n") == "DIR/problem.yaml:1:7: type: found \"multipass\"; expected one of: pass-fail, scoring, interactive, multi-pass");
  CHECK(mistake("type: Interactive\n").find("found \"Interactive\"") != std::string::npos);
  CHECK(mistake("type: [scoring, 3]\n").find("found \"3\"") != std::string::npos);
  CHECK(mistake("type: {a: b}\n") == "DIR/problem.yaml:1:7: type: found keys with values; expected text");
  CHECK(mistake("validation: costum multipass\n").find("validation: found \"costum\"; expected one of: default, custom, score, interactive, multi-pass") != std::string::npos);
  CHECK(KattisFolder("type:\n").Mistake().starts_with("no mistake"));
  CHECK(mistake("limits: {time_limit: 0.0005}\n").find("expected a number of seconds, 0.001 at least") != std::string::npos);
  for (const char* const type : {"name: x\n", "type: scoring\n"}) {
    const KattisFolder folder(type);
    folder.Write("data/secret/testdata.yaml", "output_validator_flag: x\n");
    CHECK(folder.Mistake().starts_with("DIR/data/secret/testdata.yaml:1:1: output_validator_flag: unknown key (did you mean \"output_validator_flags\"?)"));
    std::filesystem::remove(folder.path() + "/data/secret/testdata.yaml");
    std::filesystem::create_directory(folder.path() + "/data/secret/testdata.yaml");
    CHECK(folder.Mistake() == "DIR/data/secret/testdata.yaml: expected a regular file");
    std::filesystem::remove(folder.path() + "/data/secret/testdata.yaml");
    REQUIRE(::mkfifo((folder.path() + "/data/testdata.yaml").c_str(), 0600) == 0);
    CHECK(folder.Mistake() == "DIR/data/testdata.yaml: expected a regular file");
  }
}

TEST_CASE("kattis: a problem with points has a group for each folder with tests", "[package]") {
  const KattisFolder folder("type: scoring\n");
  folder.Write("data/testdata.yaml", "on_reject: continue\ngrader_flags: ignore_sample\n");
  folder.Write("data/secret/g1/testdata.yaml", "on_reject: break\naccept_score: 40\ngrader_flags: min\nrange: 0 40\n");
  folder.Write("data/secret/g2/deep/test_group.yaml", "max_score: 60\nscore_aggregation: sum\nrequire_pass: [secret/g1]\n");
  const Package package = folder.Read();
  REQUIRE(package.groups.size() == 4);
  CHECK(package.groups[0].name == "sample");
  CHECK(package.groups[0].points == 0);
  CHECK(package.groups[1].name == "secret");
  CHECK(package.groups[1].points == 1);
  CHECK(package.groups[2].name == "secret/g1");
  CHECK(package.groups[2].points == 40);
  CHECK(package.groups[2].rule == GroupRule::kLeast);
  CHECK(package.groups[2].stops);
  CHECK(package.groups[3].points == 60);
  CHECK(package.groups[3].needs == std::vector<std::size_t>{2});
  CHECK_FALSE(package.groups[3].stops);
}

TEST_CASE("kattis: a problem without points has no groups; scores that are not made are refused", "[package]") {
  const KattisFolder folder("name: Sum\n");
  folder.Write("data/secret/g1/testdata.yaml", "accept_score: 40\ngrader_flags: min\n");
  CHECK(folder.Read().groups.empty());
  folder.Write("problem.yaml", "type: scoring\n");
  folder.Write("data/secret/testdata.yaml", "grader_flags: min\n");
  CHECK(folder.Mistake() == "DIR/data/secret/testdata.yaml: the groups below are not summed; such scores are not made here yet");
  folder.Write("data/secret/testdata.yaml", "grader_flags: max\n");
  CHECK(folder.Mistake().starts_with("DIR/data/secret/testdata.yaml:1:15: grader_flags: found max"));
  folder.Write("data/secret/testdata.yaml", "grading: custom\n");
  CHECK(folder.Mistake() == "DIR/data/secret/testdata.yaml:1:10: grading: graders of a package's own are not run here yet");
}

TEST_CASE("kattis: a key that nobody knows is a mistake, or by request a warning", "[package]") {
  const KattisFolder folder("limits: {memry: 64}\n");
  CHECK(folder.Mistake().starts_with("DIR/problem.yaml:1:10: limits.memry: unknown key (did you mean \"memory\"?)"));
  CHECK(ReadPackage(folder.path(), {.lenient = true}).warnings.size() == 1);
}

struct Submitted : KattisFolder {
  Submitted() : KattisFolder("name: Sum\n") {
    Write("submissions/accepted/b.py", "");
    Write("submissions/accepted/a/main.cpp", "");
    Write("submissions/wrong_answer/w.cpp", "");
    Write("submissions/mixed/m.cpp", "// @EXPECTED_RESULTS@: TIMELIMIT, RUN-ERROR */\n");
    Write("submissions/partially_accepted/p.cpp", "");
  }
  [[nodiscard]] Submission Named(const std::string& name) const {
    for (const Submission& submission : Read().submissions) {
      if (submission.name == "submissions/" + name) return submission;
    }
    throw UserError("no submission " + name);
  }
};

TEST_CASE("kattis: a submission promises what its folder or its source says; the first right one is the model", "[package]") {
  const Submitted folder;
  CHECK(folder.Read().submissions.size() == 5);
  CHECK(folder.Named("accepted/a").is_model);
  CHECK(folder.Named("accepted/a").path == folder.path() + "/submissions/accepted/a");
  CHECK(folder.Named("accepted/b.py").expected->permitted == std::vector{ResultCode::kOk});
  CHECK(folder.Named("wrong_answer/w.cpp").expected->required == std::vector{ResultCode::kWa});
  CHECK(folder.Named("mixed/m.cpp").expected->required.front() == ResultCode::kTle);
  CHECK_FALSE(folder.Named("partially_accepted/p.cpp").expected);
}

TEST_CASE("kattis: submissions.yaml goes over folders, pattern by pattern", "[package]") {
  const Submitted folder;
  folder.Write("submissions/submissions.yaml", "partially_accepted/*: {score: 40}\nwrong_answer/w.cpp: {permitted: [AC, WA, TLE], required: [TLE]}\naccepted/b.py: {model_solution: yes}\n");
  CHECK(folder.Named("partially_accepted/p.cpp").expected->points == 40);
  CHECK(folder.Named("wrong_answer/w.cpp").expected->required == std::vector{ResultCode::kTle});
  CHECK(folder.Named("accepted/b.py").is_model);
  CHECK_FALSE(folder.Named("accepted/a").is_model);
  folder.Write("submissions/submissions.yaml", "a.cpp: {permitted: [OK]}\n");
  CHECK(folder.Mistake() == "DIR/submissions/submissions.yaml:1:20: a.cpp.permitted: found OK; expected AC, WA, TLE or RTE");
}

TEST_CASE("kattis: a result that DOMjudge does not know is a mistake", "[package]") {
  const Submitted folder;
  folder.Write("submissions/mixed/m.cpp", "// @EXPECTED_RESULTS@: FINE\n");
  CHECK(folder.Mistake() == "DIR/submissions/mixed/m.cpp: @EXPECTED_RESULTS@: FINE: such a result is not known here");
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

// Packages of tests as problem setters keep them: the layouts, the order, the limits of three kinds of files,
// and every mistake with its place.
#include "packages/package.h"

#include <string>
#include <vector>

#include "base/error.h"
#include "tests/support/catch.h"
#include "tests/support/package_mistake.h"
#include "tests/support/scratch_folder.h"

namespace tally {
namespace {

using Names = std::vector<std::string>;

// A folder with empty files of these names.
struct PackageFolder : ScratchFolder {
  PackageFolder() = default;
  explicit PackageFolder(const Names& files) {
    for (const std::string& file : files) Write(file, "");
  }
  [[nodiscard]] Names TestNames() const {
    Names out;
    for (const PackageTest& test : ReadPackage(path()).tests) out.push_back(test.name);
    return out;
  }
  [[nodiscard]] std::string Mistake() const { return PackageMistake(path()); }
};

PackageFolder* WithLimits(PackageFolder* folder, const char* file, const char* text) {
  folder->Write("1.in", "");
  folder->Write("1.out", "");
  folder->Write(file, text);
  return folder;
}

Package LimitsOf(const char* file, const char* text) {
  PackageFolder folder;
  return ReadPackage(WithLimits(&folder, file, text)->path());
}

std::string LimitsMistake(const char* file, const char* text) {
  PackageFolder folder;
  return WithLimits(&folder, file, text)->Mistake();
}

TEST_CASE("package: sinol's in/ and out/", "[package]") {
  const PackageFolder folder(
      {"in/abc1a.in", "out/abc1a.out", "in/abc1b.in", "out/abc1b.out", "in/.md5sums", "prog/abc.cpp"});
  CHECK(folder.TestNames() == Names{"abc1a", "abc1b"});
  const PackageTest test = ReadPackage(folder.path()).tests.front();
  CHECK(test.input == folder.path() + "/in/abc1a.in");
  CHECK(test.answer == folder.path() + "/out/abc1a.out");
}

TEST_CASE("package: Kattis' data/sample and data/secret, named by their folder", "[package]") {
  const PackageFolder folder(
      {"data/secret/1.in", "data/secret/1.ans", "data/sample/1.in", "data/sample/1.ans"});
  CHECK(folder.TestNames() == Names{"sample/1", "secret/1"});
}

TEST_CASE("package: NAME.in beside NAME.out or NAME.ans, in the folder itself or in tests/", "[package]") {
  CHECK(PackageFolder({"1.in", "1.out", "2.in", "2.ans"}).TestNames() == Names{"1", "2"});
  CHECK(PackageFolder({"tests/1.in", "tests/1.out"}).TestNames() == Names{"1"});
  CHECK(PackageFolder({"tests/1.in", "tests/1.ans"}).Mistake() == "no mistake, 1 tests");
}

TEST_CASE("package: numbers in names are ordered by their value", "[package]") {
  const PackageFolder folder({"10.in", "10.out", "2.in", "2.out", "1b.in", "1b.out", "1a.in", "1a.out",
                              "a12.in", "a12.out", "a9b.in", "a9b.out"});
  CHECK(folder.TestNames() == Names{"1a", "1b", "2", "10", "a9b", "a12"});
  // Numbers beyond 64 bits are names like any other.
  const std::string large(30, '9');
  CHECK(PackageFolder({large + ".in", large + ".out"}).TestNames() == Names{large});
}

TEST_CASE("package: an input without its answer is a mistake that names both, in every layout", "[package]") {
  CHECK(PackageFolder({"in/1.in", "in/2.in", "out/1.out"}).Mistake() ==
        "DIR/in/2.in: its answer DIR/out/2.out is missing");
  CHECK(PackageFolder({"data/secret/1.in"}).Mistake() ==
        "DIR/data/secret/1.in: its answer DIR/data/secret/1.ans is missing");
  CHECK(PackageFolder({"tests/1.in"}).Mistake().starts_with("DIR/tests/1.in: its answer DIR/tests/1.out"));
  CHECK(PackageFolder({"1.in", "1.out", "2.in"}).Mistake().find("2.in: its answer ") != std::string::npos);
}

TEST_CASE("package: a folder without tests, or none, is a mistake that says what was expected", "[package]") {
  CHECK(PackageFolder().Mistake() ==
        "DIR: no tests found; expected in/NAME.in with out/NAME.out, or NAME.in with NAME.out");
  CHECK_THROWS_WITH(ReadPackage("/no/such/folder"), Catch::Matchers::StartsWith("/no/such/folder: "));
  const PackageFolder folder({"file"});
  CHECK_THROWS_WITH(ReadPackage(folder.path() + "/file"), folder.path() + "/file: not a directory of tests");
}

TEST_CASE("package: tally.yml has every limit, the checker and its protocol", "[package]") {
  PackageFolder folder;
  folder.Write("check.cpp", "");
  WithLimits(&folder, "tally.yml",
             "title: Sum of all\ntime_limit: 1.5s\nmemory_limit: 64M\noutput_limit: 2M\nprocesses: "
             "4\nvirtual_time: yes\n"
             "checker: check.cpp\nchecker_protocol: testlib\n");
  const Package package = ReadPackage(folder.path());
  CHECK(package.title == "Sum of all");
  CHECK(package.time == Milliseconds(1500));
  CHECK(package.memory == Bytes::MiB(64));
  CHECK(package.output == Bytes::MiB(2));
  CHECK(package.processes == 4);
  CHECK(package.virtual_time);
  CHECK(package.checker == folder.path() + "/check.cpp");
  CHECK(package.protocol == CheckerProtocol::kTestlib);
  CHECK(package.limits_from == "tally.yml");
}

TEST_CASE("package: sinol's config.yml has ms and kB, and its other keys are its own", "[package]") {
  const Package package =
      LimitsOf("config.yml",
               "title: Suma\ntime_limit: 2500\nmemory_limit: 65536\n"
               "override_limits: {py: {time_limit: 9000}}\n");
  CHECK(package.title == "Suma");
  CHECK(package.time == Milliseconds(2500));
  CHECK(package.memory == Bytes::MiB(64));
  CHECK(package.limits_from == "config.yml");
}

TEST_CASE("package: sinol's checker is among its programs, by the tests' name, and so is its interactor", "[package]") {
  const PackageFolder folder({"in/abc1a.in", "out/abc1a.out", "prog/abc.cpp", "prog/abcs.cpp", "prog/xyzchk.cpp"});
  folder.Write("config.yml", "title: Suma\n");
  CHECK_FALSE(ReadPackage(folder.path()).checker.has_value());
  folder.Write("prog/abcchk.cpp", "");
  CHECK(ReadPackage(folder.path()).checker == folder.path() + "/prog/abcchk.cpp");
  CHECK(ReadPackage(folder.path()).protocol == CheckerProtocol::kSio);
  folder.Write("prog/abcsoc.cpp", "");
  const Package talk = ReadPackage(folder.path());
  REQUIRE(talk.interactor);
  CHECK(talk.interactor->path == folder.path() + "/prog/abcsoc.cpp");
  CHECK(talk.interactor->protocol == CheckerProtocol::kSio);
}

TEST_CASE("package: Kattis' problem.yaml has seconds and MiB", "[package]") {
  const Package package =
      LimitsOf("problem.yaml",
               "name: Sum\nlimits:\n  memory: 512\n  time_limit: 1.5\n  output: 8\n  validation_time: 60\n");
  CHECK(package.memory == Bytes::MiB(512));
  CHECK(package.time == Milliseconds(1500));
  CHECK(package.output == Bytes::MiB(8));
  CHECK(package.limits_from == "problem.yaml");
}

TEST_CASE("package: the first limits file wins, and without one there are defaults", "[package]") {
  PackageFolder folder({"1.in", "1.out"});
  CHECK(ReadPackage(folder.path()).limits_from == "defaults");
  CHECK_FALSE(ReadPackage(folder.path()).time.has_value());
  folder.Write("problem.yaml", "limits: {time_limit: 3}\n");
  CHECK(ReadPackage(folder.path()).time == Milliseconds(3000));
  folder.Write("config.yml", "time_limit: 2000\n");
  CHECK(ReadPackage(folder.path()).time == Milliseconds(2000));
  folder.Write("tally.yml", "time_limit: 1s\n");
  CHECK(ReadPackage(folder.path()).time == Milliseconds(1000));
  folder.Write("tally.yml", "");
  CHECK(folder.Mistake() == "DIR/tally.yml:1:1: the file is empty; expected keys with values");
}

TEST_CASE("package: a mistake in tally.yml is one line with file, line, column, key and what was expected",
          "[package]") {
  const auto mistake = [](const char* text) { return LimitsMistake("tally.yml", text); };
  CHECK(mistake("title: x\ntime_limt: 1s\n") ==
        "DIR/tally.yml:2:1: time_limt: unknown key (did you mean \"time_limit\"?); expected one of: title, "
        "time_limit, memory_limit, output_limit, processes, virtual_time, memory_by, syscall_count, input_file, output_file, checker_protocol, checker, interactor, interactor_protocol, scoring, groups, submissions, model, "
        "input_validators, broken_inputs, generated");
  CHECK(mistake("time_limit: soon\n") ==
        "DIR/tally.yml:1:13: time_limit: \"soon\" is not a duration: write a number with ms, s, m or h, like "
        "1.5s");
  CHECK(mistake("\ntime_limit: -1s\n")
            .starts_with("DIR/tally.yml:2:13: time_limit: \"-1s\" is not a duration"));
  CHECK(mistake("time_limit: 0\n") ==
        "DIR/tally.yml:1:13: time_limit: found 0; expected a duration, like 1s");
  CHECK(mistake("time_limit: 2000000h\n").starts_with("DIR/tally.yml:1:13: time_limit: "));
  CHECK(mistake("memory_limit: 64 potatoes\n")
            .starts_with("DIR/tally.yml:1:15: memory_limit: \"64 potatoes\" is not a size"));
  CHECK(mistake("memory_limit: 0\n") ==
        "DIR/tally.yml:1:15: memory_limit: found 0; expected a size, like 256M");
  CHECK(mistake("processes: 0\n") ==
        "DIR/tally.yml:1:12: processes: found \"0\"; expected a whole number from 1 to 100000");
  CHECK(mistake("virtual_time: perhaps\n") ==
        "DIR/tally.yml:1:15: virtual_time: found \"perhaps\"; expected yes or no");
  CHECK(mistake("checker: none.cpp\n") == "DIR/tally.yml:1:10: checker: DIR/none.cpp does not exist");
  CHECK(mistake("checker_protocol: testlb\n") ==
        "DIR/tally.yml:1:19: checker_protocol: found \"testlb\" (did you mean \"testlib\"?); expected one "
        "of: sio, testlib, "
        "kattis, cms, peg");
  CHECK(mistake("title: [a, b\n").starts_with("DIR/tally.yml:"));
  CHECK(mistake("- a\n").starts_with("DIR/tally.yml:1:1: "));
}

TEST_CASE("package: a mistake in another tool's limits has its place too", "[package]") {
  CHECK(LimitsMistake("config.yml", "title: x\ntime_limit: 1s\n") ==
        "DIR/config.yml:2:13: time_limit: found \"1s\"; expected a whole number from 1 to 1000000000");
  CHECK(LimitsMistake("config.yml", "memory_limit: 0\n")
            .starts_with("DIR/config.yml:1:15: memory_limit: found \"0\""));
  CHECK(LimitsMistake("problem.yaml", "limits: 5\n") ==
        "DIR/problem.yaml:1:9: limits: found \"5\"; expected keys with values");
  CHECK(LimitsMistake("problem.yaml", "limits:\n  memory: lots\n")
            .starts_with("DIR/problem.yaml:2:11: limits.memory: found \"lots\"; expected a whole number"));
  for (const char* time : {"soon", "-1", "0", "2m", "1e9", "nan"}) {
    CAPTURE(time);
    const std::string text = "limits:\n  time_limit: " + std::string(time) + "\n";
    CHECK(LimitsMistake("problem.yaml", text.c_str())
              .starts_with("DIR/problem.yaml:2:15: limits.time_limit: "));
  }
}

TEST_CASE("package: a time limit of nothing is a mistake in every file", "[package]") {
  for (const char* time : {"0", "0.0", "0.0000000001"}) {
    CAPTURE(time);
    const std::string text = "limits:\n  time_limit: " + std::string(time) + "\n";
    CHECK(LimitsMistake("problem.yaml", text.c_str()).starts_with("DIR/problem.yaml:"));
  }
}

TEST_CASE("package: an empty title is no mistake in another tool's file", "[package]") {
  CHECK(LimitsMistake("config.yml", "title: [a, b]\ntime_limit: 1000\n") == "DIR/config.yml:1:8: title: found a list; expected text");
  for (const char* title : {"''", ""}) {
    CAPTURE(title);
    const std::string text = "title: " + std::string(title) + "\ntime_limit: 1000\n";
    CHECK(LimitsOf("config.yml", text.c_str()).time == Milliseconds(1000));
  }
}

TEST_CASE("package: a limits file that cannot be read is a mistake with its path", "[package]") {
  const PackageFolder folder({"1.in", "1.out", "tally.yml/file"});
  CHECK(folder.Mistake().starts_with("DIR/tally.yml: "));
}

}  // namespace
}  // namespace tally

// A problem's package, as setters have it: its tests, its limits, and how an answer is checked. One reader for each format stands behind
// it (formats.h). What a reader knows of and cannot do is a UserError that names file, line and key; what it does not read is listed.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/temporary_directory.h"
#include "base/units.h"
#include "checkers/compare_rules.h"
#include "checkers/protocol.h"
#include "packages/scoring.h"
#include "packages/submission.h"

namespace tally {

// In the place of an answer where a test has none: an interactor says what is right.
inline constexpr const char* kNoAnswer = "/dev/null";

struct PackageTest {
  std::string name;     // with the groups that it is in: secret/g1/02
  std::string input;    // local paths
  std::string answer;
  // Where the package brings no checker and has rules of its own; else tokens are compared.
  std::optional<CompareRules> compare;
  std::vector<std::string> checker_arguments;  // behind those of the checker's protocol
  std::vector<std::string> validator_arguments;  // of those of inputs
  std::string submitted;            // where nothing is run: its output in the folder that is handed in
  std::optional<Nanoseconds> time;  // over the package's
  std::optional<Bytes> memory;
};

// Limits of one language, over the package's and those of tests.
struct LanguageLimits {
  std::string extension;  // "py"
  std::optional<Nanoseconds> time;
  std::optional<Bytes> memory;
};

// A program that says whether an input is one, which it reads from stdin.
struct InputValidator {
  std::string path;  // a source, or an executable
  std::vector<std::string> more_sources;
  int accepts = 0;   // the exit status that does
};

// An input that a program of the package prints.
struct GeneratedTest {
  std::size_t test;
  std::string program;  // a source, or an executable
  std::vector<std::string> arguments;
};

// The other side of an interactive problem.
struct InteractorProgram {
  std::string path;  // a source, or an executable
  std::vector<std::string> more_sources;
  CheckerProtocol protocol = CheckerProtocol::kTestlib;
  bool writes_nothing = false;  // testlib's protocol without its second argument: in hint (DMOJ)
  unsigned processes = 1;  // of the solution; more with the protocols of SIO and CMS alone
  bool std_io = false;     // CMS' protocol: the fifos are the solution's stdin and stdout, and it opens none

  [[nodiscard]] bool solution_opens_fifos() const { return protocol == CheckerProtocol::kCms && !std_io; }
};

// Sources of the package's that a solution of one language is compiled with: it has functions, and they the rest.
struct Grader {
  std::string extension;    // "cpp"
  std::string path;
  bool has_main = true;     // and begins the program, in languages where a file does; the solution has a name of its own beside it
  std::string solution;     // that name: "sum.py"
  std::vector<std::string> beside;  // headers, modules
  std::string preamble;             // lines in front of the solution's text, as the C preprocessor reads them
};

// Whose package it is: a stranger's names none of this machine's files, and is told nothing about them.
enum class PackageFrom : std::uint8_t { kUser, kStranger };

struct PackageReading {
  PackageFrom from = PackageFrom::kUser;
  bool lenient = false;  // a key that no reader knows is a warning
};

struct Package {
  std::string directory;
  PackageReading reading;
  std::string title;
  std::vector<PackageTest> tests;  // by name, numbers by value: 2 before 10
  std::optional<Nanoseconds> time;
  std::optional<Bytes> memory;
  std::optional<Bytes> output;
  std::uint32_t processes = 1;
  std::string input_file, output_file;  // what a program reads and writes in its folder; "": the standard streams
  bool output_only = false;             // the outputs are handed in, and nothing is run
  bool virtual_time = false;            // vcpu-exec instead of exec
  std::string memory_by, syscall_count;  // how memory is limited, and system calls counted, by their names; "": as it is best here
  std::optional<std::string> checker;   // source or executable, local path
  std::vector<std::string> checker_sources;  // compiled along with it
  CheckerProtocol protocol = CheckerProtocol::kSio;
  std::vector<std::string> checker_words;  // its arguments in place of the protocol's; {input}, {output}, {answer} are the files
  unsigned passes = 1;                  // a test is run so many times at most, as the checker asks (jobs/passes.h)
  std::vector<Grader> graders;          // by language; empty: solutions are whole programs
  bool whole_programs_too = false;      // in languages without a grader
  std::optional<InteractorProgram> interactor;  // then a checker, if there is one, looks at what it wrote
  std::string limits_from = "defaults";  // "tally.yml", "config.yml", ...: who set any
  std::vector<LanguageLimits> language_limits;
  std::vector<TestGroup> groups;        // that earn points; none: points are not spoken of
  bool time_lowers_points = false;      // ShareAfterTime
  bool ends_at_failure = false;         // as in the ICPC: nothing is run after the first test that is not right
  std::vector<Submission> submissions;  // solutions that it brings
  std::vector<InputValidator> input_validators;
  std::vector<std::string> broken_inputs;  // which they should refuse
  std::vector<GeneratedTest> generated;
  std::optional<std::string> ingen;     // a program of sinol's that writes inputs into its folder, by the names of their files
  std::vector<std::string> warnings;    // of settings that are known and not applied: one sentence each, with its place
  std::vector<std::string> settings;    // the files that were read for them, below `directory`
  std::shared_ptr<const TemporaryDirectory> unpacked;  // where tests were kept in an archive
  std::shared_ptr<const TemporaryDirectory> made;      // programs that were made of the package's modules
  std::vector<std::string> not_read;    // files that look like tests or settings, below `directory`, in order
};

// UserError when the directory has no tests, an input lacks its answer, or a file of settings is wrong.
Package ReadPackage(const std::string& directory, const PackageReading& reading = {});

// A file as the package's own people call it: its path below the package's folder, where it lies there.
std::string NameIn(const Package& package, const std::string& path);

}  // namespace tally

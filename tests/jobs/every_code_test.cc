// The promise in one table: every result code is reached in at least three ways, each by a program of
// tests/programs, and every kind of program that a judge must withstand ends as it should. The same rows run
// as root and as an ordinary user (scripts/run-tests). More ways of each kind, and finer limits, are in the
// tables of tests/supervisor/verdicts_test.cc and isolation_test.cc, checking_test.cc and
// compile_bombs_test.cc.
#include <filesystem>
#include <functional>
#include <map>
#include <regex>
#include <set>
#include <string>
#include <vector>

#include "tests/support/catch.h"
#include "tests/support/job_run.h"
#include "tests/support/job_sources.h"
#include "tests/support/run_program.h"
#include "tests/support/scratch_folder.h"
#include "tests/support/skip.h"
#include "tests/support/this_machine.h"

namespace tally {
namespace {

namespace fs = std::filesystem;

struct Outcome {
  std::string code;
  std::string sentence;
  std::string output;  // stdout, of runs without a check
};

struct Way {
  std::string code;
  std::string what;     // as a problem setter would say it
  std::string program;  // of tests/programs
  std::function<Outcome()> act;
  std::string sentence = "";  // a part of it
  std::string never = "";     // what the output must not have
};

using Arguments = std::vector<std::string>;
using Change = std::function<void(TestRun&)>;

Change Processes(std::uint32_t n) {
  return [n](TestRun& run) { run.limits.processes = n; };
}
void StaysOpen(TestRun& run) { run.input_stays_open = true; }
void ToPipe(TestRun& run) { run.output_to_pipe = true; }
void OnlyRealTime(TestRun& run) { run.limits.idle_time.reset(); }
// What is executed beside the test programs may not be in memory, and the host be long in reading it.
void ProcessesOfTheHost(TestRun& run) {
  run.limits.processes = 4;
  run.limits.idle_time.reset();
  run.limits.wall_time = std::chrono::seconds(10);
}
void NoChange(TestRun&) {}

Outcome RunIt(TestRun run, const Change& change) {
  change(run);
  const TestResult result = RunTestProgram(run);
  return {result.code(), result.run.sentence, result.output};
}

// A program runs and ends; nobody looks at its answer.
Way Ran(const char* code, const char* what, const char* program, const Change& change = NoChange,
        const char* sentence = "", const char* never = "") {
  return {code, what, program, [=] { return RunIt({.program = program, .limits = TestRun::LimitsToEndWith(code)}, change); },
          sentence, never};
}

Way RanWith(const char* code, const char* what, const char* program, const Arguments& arguments,
            const Change& change = NoChange, const char* sentence = "") {
  const auto act = [=] {
    return RunIt({.program = program, .arguments = arguments, .limits = TestRun::LimitsToEndWith(code)}, change);
  };
  return {code, what, program, act, sentence};
}

Outcome OutcomeOf(const Json& result) { return {CodeOf(result), SentenceOf(result), ""}; }

// The sum of 20 and 22, told by `program`, against the hint.
Way Answered(const char* code, const char* what, const char* program, const char* sentence = "") {
  const auto act = [=] {
    const ScratchFolder folder;
    return OutcomeOf(Exec(program, {{"in_file", folder.Write("in", "20 22\n")},
                                    {"hint_file", folder.Write("hint", "42\nEND\n")},
                                    {"check_output", true}}));
  };
  return {code, what, program, act, sentence};
}

Way CheckedBy(const char* code, const char* what, const char* checker, const char* sentence = "",
              const char* protocol = "sio") {
  const auto act = [=] {
    const ScratchFolder folder;
    return OutcomeOf(Exec("hello", {{"hint_file", folder.Write("hint", "")},
                                    {"check_output", true},
                                    {"checker_protocol", protocol},
                                    {"checker_time_limit", 100},
                                    {"chk_file", TestProgram("checkers/" + std::string(checker))}}));
  };
  return {code, what, checker, act, sentence};
}

Way Compiled(const char* code, const char* what, const char* source, const char* sentence,
             const Json& keys = Json::object()) {
  const auto act = [=] {
    const ScratchFolder folder;
    Json all = keys;
    all.update({{"source_file", HostileSource(source)}, {"out_file", folder.path() + "/program"}});
    return OutcomeOf(RunJobWith("compile", all));
  };
  return {code, what, source, act, sentence};
}

// As root the file is root's, and its bit would make anybody root.
Outcome RunSetuidFile() {
  const ScratchFolder folder;
  const std::string path = folder.Write("program", ReadText(TestProgram("run_as_root")));
  fs::permissions(path, fs::perms::set_uid | fs::perms(0755));
  const std::string out = folder.path() + "/out";
  const Json result = RunJobWith("exec", {{"exe_file", path}, {"out_file", out}});
  return {CodeOf(result), SentenceOf(result), ReadText(out)};
}

std::vector<Way> GoodPrograms() {
  return {
      Ran("OK", "a word and the end", "hello"),
      Ran("OK", "the input copied", "echo_stdin"),
      Ran("OK", "an exception that is caught", "hello_cxx"),
      Answered("OK", "the right answer", "sum_numbers"),
      CheckedBy("OK", "an answer that a checker accepts", "chk_ok"),
      Answered("WA", "a sum that is off by one", "sum_off_by_one", "expected \"42\", got \"43\""),
      Answered("WA", "half of the answer", "prints_half"),
      Answered("WA", "one token too many", "prints_extra"),
      Answered("WA", "no answer", "prints_nothing"),
      CheckedBy("WA", "an answer that a checker rejects", "chk_wrong"),
      CheckedBy("WA", "a checker without a word", "chk_nothing"),
  };
}

std::vector<Way> TimeMemoryOutput() {
  return {
      Ran("TLE", "a busy loop", "busy_loop", NoChange, "user CPU time"),
      Ran("TLE", "a loop of system calls", "burn_kernel_time"),
      Ran("TLE", "a sleep", "sleep_forever", NoChange, "idle"),
      Ran("TLE", "a sleep, by real time", "sleep_long", OnlyRealTime, "real time"),
      RanWith("TLE", "a blocked read", "blocked_read", {"stdin"}, StaysOpen, "idle"),
      Ran("TLE", "children that burn by turns", "orphans_burn_by_turns", Processes(4), "CPU time"),
      Ran("MLE", "memory by malloc", "malloc_touch"),
      Ran("MLE", "memory by mmap", "mmap_touch"),
      Ran("MLE", "memory by the stack", "stack_recursion"),
      Ran("MLE", "memory by a static array", "static_array_touched"),
      Ran("MLE", "memory by new, and its exception", "new_bad_alloc"),
      Ran("OLE", "output to stdout, a file", "stdout_flood"),
      Ran("OLE", "output to stdout, a pipe", "stdout_flood", ToPipe),
      Ran("OLE", "output to a file", "file_flood"),
      RanWith("OLE", "one byte too many", "stdout_exact", {"1048577"}),
  };
}

std::vector<Way> Crashes() {
  std::vector<Way> ways = {
      Ran("RE", "output to a closed pipe", "write_closed_pipe", NoChange, "signal 13"),
      Ran("RE", "an uncaught exception", "uncaught_exception", NoChange, "signal 6"),
      Ran("RE", "a null pointer", "segfault_null", NoChange, "signal 11"),
      Ran("RE", "a division by zero", "divide_by_zero", NoChange, "signal 8"),
      RanWith("RE", "an exit code", "exit_code", {"7"}, NoChange, "runtime error 7"),
  };
  // CHLD, CONT, URG, WINCH; and TSTP, TTIN, TTOU, which stop nobody whose session has no shell.
  const std::set<int> harmless = {17, 18, 20, 21, 22, 23, 28};
  constexpr int kStop = 19, kLastNamed = 31;
  for (int signal = 1; signal <= 64; ++signal) {
    const std::string number = std::to_string(signal);
    const char* code = harmless.contains(signal) ? "OK" : signal == kStop ? "TLE" : "RE";
    Way way = RanWith(code, "signal", "raise_signal", {number});
    way.what += " " + number;
    if (way.code == "RE") way.sentence = "due to signal " + number + (signal <= kLastNamed ? " (SIG" : "");
    ways.push_back(way);
  }
  return ways;
}

std::vector<Way> Attacks() {
  const bool i386 = RunsI386();  // without them int 0x80 is a fault
  return {
      Ran("RV", "fork without bound", "fork_bomb", NoChange, "clone"),
      Ran("RV", "fork without bound, where some are allowed", "fork_bomb", Processes(4),
          "more than 4 processes"),
      Ran("RV", "a socket", "open_socket", NoChange, "socket"),
      Ran("RV", "killing the parent", "kill_parent", NoChange, "kill"),
      Ran("RV", "ptracing the parent", "ptrace_parent", NoChange, "ptrace"),
      Ran(i386 ? "RV" : "RE", "int 0x80 from 64-bit code", "int80_getpid", NoChange, i386 ? "getpid (i386)" : "SIGSEGV"),
      Ran("RV", "an x32 call from 64-bit code", "x32_getpid", NoChange, "getpid (x32)"),
      Ran("RV", "executing a setuid binary", "setuid_binary_check", NoChange, "execve"),
      Ran("OK", "executing a setuid binary, where some processes are allowed", "setuid_binary_check",
          ProcessesOfTheHost, "", "uid 0"),
      {"OK", "being a setuid binary", "run_as_root", RunSetuidFile, "", "RAISED"},
      Ran("OK", "writing host files, which are refused", "write_host_files", NoChange, "", "/usr: allowed"),
      Ran("OK", "reading /etc/passwd, which is not there", "read_etc_passwd", NoChange, "", "root:x:"),
      Ran("OK", "zombies left behind", "zombies", Processes(32)),
      Ran("OK", "orphans left behind", "orphans", Processes(8)),
      Ran("OK", "a daemon left behind", "daemon_setsid", Processes(8)),
  };
}

std::vector<Way> FailingCheckers() {
  return {
      CheckedBy("SE", "a checker that crashes", "chk_crash", "signal 11"),
      CheckedBy("SE", "a checker that hangs", "chk_hang", "CPU time"),
      CheckedBy("SE", "a checker that floods", "chk_flood", "output limit"),
      CheckedBy("SE", "a checker that breaks its protocol", "chk_percent_garbage", "third line"),
      CheckedBy("SE", "a checker of another protocol", "chk_ok", "exit status 0", "kattis"),
  };
}

std::vector<Way> Compilations() {
  return {
      Compiled("CE", "a syntax error", "syntax_error.c", "compilation failed"),
      Compiled("CE", "a wrong type", "wrong_type.cc", "compilation failed"),
      Compiled("CE", "no main", "no_main.c", "compilation failed"),
      Compiled("CE", "a macro bomb", "preprocessor_bomb.c", "time limit", {{"compilation_time_limit", 300}}),
      Compiled("OK", "warnings only", "only_warnings.c", "ok"),
  };
}

bool CompilersAreHere() {
  return !HostileSource("empty.c").empty() && !WhyAbsent("c17") && !WhyAbsent("cpp20");
}

std::vector<Way> AllWays() {
  std::vector<Way> all;
  for (const auto& part : {GoodPrograms(), TimeMemoryOutput(), Crashes(), Attacks(), FailingCheckers(),
                           CompilersAreHere() ? Compilations() : std::vector<Way>()}) {
    all.insert(all.end(), part.begin(), part.end());
  }
  return all;
}

TEST_CASE("every result code is reached in three ways and more, and no hostile program ends otherwise",
          "[codes]") {
  std::map<std::string, std::set<std::string>> programs;
  for (const Way& way : AllWays()) {
    CAPTURE(way.what, way.program);
    const Outcome outcome = way.act();
    CAPTURE(outcome.sentence, outcome.output.substr(0, 500));
    CHECK(outcome.code == way.code);
    CHECK(Mentions(outcome.sentence, way.sentence));
    if (!way.never.empty()) CHECK_FALSE(Mentions(outcome.output, way.never));
    if (outcome.code == way.code) programs[outcome.code].insert(way.program);
  }
  for (const char* code : {"OK", "WA", "TLE", "MLE", "OLE", "RE", "RV", "SE", "CE"}) {
    if (std::string(code) == "CE" && !CompilersAreHere()) continue;
    CAPTURE(code);
    CHECK(programs[code].size() >= 3);
  }
}

// ---- docs/isolation.md

// All test sources in one text, with the parts of a long name joined, and each name right behind its "TEST_CASE(".
std::string TestSources() {
  std::string all;
  for (const char* folder : {"base", "supervisor", "translator", "jobs", "cli", "evaluation", "front_ends", "fuzz"}) {
    for (const auto& entry : fs::directory_iterator(SourceFolder() + "/tests/" + folder)) {
      if (entry.is_regular_file()) all += ReadText(entry.path());
    }
  }
  all = std::regex_replace(all, std::regex("\"\\s*\n\\s*\""), "");
  return std::regex_replace(all, std::regex("TEST_CASE\\(\n\\s*\""), "TEST_CASE(\"");
}

// How many there are: in quotation marks tests, in backticks programs.
int CheckNames(const std::string& shown_by, const std::string& sources) {
  const std::regex quoted("\"([^\"]+)\"|`([a-z0-9_]+)`");
  int names = 0;
  for (std::sregex_iterator it(shown_by.begin(), shown_by.end(), quoted), end; it != end; ++it, ++names) {
    const bool is_test = (*it)[1].matched;
    const std::string name = is_test ? (*it)[1] : (*it)[2];
    CAPTURE(name);
    CHECK(Mentions(sources, (is_test ? "TEST_CASE(\"" : "\"") + name + "\""));
  }
  return names;
}

// The same for the last column of every table in `page` that matches `row`.
int CheckColumn(const std::string& page, const char* row) {
  const std::string sources = TestSources();
  const std::regex line(row);
  int names = 0;
  for (std::sregex_iterator it(page.begin(), page.end(), line), end; it != end; ++it) names += CheckNames((*it)[1], sources);
  return names;
}

TEST_CASE("docs: every test and program that docs/isolation.md and docs/virtual-cpu.md name is there", "[codes][docs]") {
  if (!fs::exists(SourceFolder() + "/tests/supervisor")) TALLY_SKIP("the source tree is not here");
  CHECK(CheckColumn(ReadText(SourceFolder() + "/docs/isolation.md"), "\\| [^|]* \\| [^|]* \\| ([^|]*) \\|\n") > 40);
  const std::string page = ReadText(SourceFolder() + "/docs/virtual-cpu.md");
  CHECK(CheckColumn(page.substr(page.find("## Which test")), "\\| [^|]* \\| ([^|]*) \\|\n") > 15);
}

TEST_CASE("docs: every file of examples/ that a page names is there", "[codes][docs]") {
  if (!fs::exists(SourceFolder() + "/docs")) TALLY_SKIP("the source tree is not here");
  std::vector<fs::path> pages = {SourceFolder() + "/README.md"};
  for (const auto& entry : fs::directory_iterator(SourceFolder() + "/docs")) {
    if (entry.path().extension() == ".md") pages.push_back(entry.path());
  }
  const std::regex path("examples/[A-Za-z0-9_./-]*[A-Za-z0-9_/]");
  int names = 0;
  for (const fs::path& page : pages) {
    const std::string text = ReadText(page);
    for (std::sregex_iterator it(text.begin(), text.end(), path), end; it != end; ++it, ++names) {
      CAPTURE(page.string(), it->str());
      CHECK(fs::exists(SourceFolder() + "/" + it->str()));
    }
  }
  CHECK(names > 5);
}

}  // namespace
}  // namespace tally

// tally-sio2jail as its callers call it: a shell line with `3> file`, the report read from there.
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "supervisor/engines/perf_counter.h"
#include "tests/support/catch.h"
#include "tests/support/cli_run.h"
#include "tests/support/run_program.h"
#include "tests/support/scratch_folder.h"

namespace tally {
namespace {

constexpr const char* kNoNamespaces =
    "--mount-namespace off --pid-namespace off --uts-namespace off --ipc-namespace off --net-namespace off --user-namespace off "
    "--capability-drop off";

struct JailResult {
  CliResult process;
  std::string report;

  // Of the line with the figures.
  [[nodiscard]] std::vector<std::string> Fields() const {
    std::istringstream first(report.substr(0, report.find('\n')));
    std::vector<std::string> fields;
    for (std::string field; first >> field;) fields.push_back(field);
    fields.resize(std::max<std::size_t>(fields.size(), 6));
    return fields;
  }
  [[nodiscard]] std::string Message() const {
    const std::size_t start = report.find('\n') + 1;
    return report.substr(start, report.find('\n', start) - start);
  }
};

std::string ReadFile(const std::string& path) {
  std::ifstream in(path);
  std::ostringstream out;
  out << in.rdbuf();
  return out.str();
}

// `words` are options, --, and a program; the shell finds tests/programs in $PROGRAMS.
JailResult Jail(const std::string& words, CliOptions how = {}) {
  const ScratchFolder folder;
  how.environment.push_back("SIO2JAIL=" + BuildFolder() + "/bin/sio2jail");
  JailResult result;
  result.process = Shell(fmt::format("\"$SIO2JAIL\" 3> {}/report -f 3 {}", folder.path(), words), how);
  result.report = ReadFile(folder.path() + "/report");
  return result;
}

struct Case {
  std::string words;
  std::string oitt, oiaug;  // the code; the word and the exit status
  std::string message;
};

TEST_CASE("sio2jail: each verdict has its code, its exit status and its message, word for word", "[sio2jail]") {
  const Case cases[] = {
      {"-- $PROGRAMS/hello", "0", "OK 0", "ok"},
      {"-- $PROGRAMS/exit_code 7", "207", "RE 7", "runtime error 7"},
      {"-- $PROGRAMS/abort", "6", "RE 134", "process exited due to signal 6"},
      {"-- $PROGRAMS/segfault_null", "11", "RE 139", "process exited due to signal 11"},
      {"--instruction-count-limit 20M -- $PROGRAMS/busy_loop", "125", "TLE 137", "time limit exceeded"},
      {"--rtimelimit 100ms -- $PROGRAMS/sleep_forever", "125", "TLE 137", "real time limit exceeded"},
      {"--perf off --utimelimit 100ms -- $PROGRAMS/busy_loop", "125", "TLE 137", "user time limit exceeded"},
      {"--perf off --stimelimit 100ms -- $PROGRAMS/burn_kernel_time", "125", "TLE 137", "system time limit exceeded"},
      {"--perf off --ustimelimit 100000 -- $PROGRAMS/busy_loop", "125", "TLE 137", "user+system time limit exceeded"},
      {"-m 16m -- $PROGRAMS/malloc_unchecked", "124", "MLE 137", "memory limit exceeded"},
      {"--output-limit 1 -- $PROGRAMS/stdout_flood | cat >/dev/null", "120", "OLE 137", "output limit exceeded"},
      {"-- $PROGRAMS/fork_once", "121", "RV 137", "intercepted forbidden syscall clone(56) ("},
      {"-- $PROGRAMS/open_socket", "121", "RV 137", "intercepted forbidden syscall socket(41) ("},
      {"-t 1 -- $PROGRAMS/threads_ok", "121", "RV 137", "threads limit exceeded"},
  };
  for (const auto& [words, oitt, oiaug, message] : cases) {
    CAPTURE(words);
    const JailResult short_report = Jail(words), long_report = Jail("-o oiaug " + words);
    CHECK(short_report.process.status == 0);
    CHECK(long_report.process.status == 0);
    const auto fields = short_report.Fields(), named = long_report.Fields();
    CHECK(fields[0] + " " + fields[1] == "__RESULT__ " + oitt);
    CHECK(named[0] + " " + named[1] == oiaug);
    for (const JailResult* result : {&short_report, &long_report}) {
      CHECK((message.ends_with("(") ? result->Message().substr(0, message.size()) : result->Message()) == message);
      CHECK(result->Fields().size() == 6);
      CHECK(std::count(result->report.begin(), result->report.end(), '\n') == 2);
    }
  }
}

TEST_CASE("sio2jail: the report's time is virtual, user or real time, as its format says", "[sio2jail]") {
  if (!PerfCounter::WhyUnavailable()) return;  // which counts the kernel's instructions differently; the times below are exact
  const std::string program = " -- $PROGRAMS/known_loop 40000000";
  const std::string counted = Jail("-o oiaug" + program).Fields()[2];
  CHECK(std::stoi(counted) > 10);
  CHECK(Jail(program).Fields()[2] == counted);
  CHECK(Jail("-o oiaug" + program).Fields()[2] == counted);
  CHECK(std::stoi(Jail("-o oireal --perf off -- $PROGRAMS/sleeps_briefly").Fields()[2]) > 0);
  const std::string human = Jail("-o human" + program).report;
  CHECK(human.starts_with("\n-------------------------\nResult: ok\nTime used: 0."));
  CHECK(Has(human, "s\nMemory used: 0MiB\n"));
}

TEST_CASE("sio2jail: what was measured at a limit is reported, and system calls are counted", "[sio2jail]") {
  const auto fields = Jail("-o oiaug --instruction-count-limit 20M -- $PROGRAMS/busy_loop").Fields();
  CHECK(std::stoi(fields[4]) > 100);
  const int few = std::stoi(Jail("-- $PROGRAMS/syscalls_n 10").Fields()[5]);
  CHECK(std::stoi(Jail("-- $PROGRAMS/syscalls_n 1010").Fields()[5]) == few + 1000);
}

TEST_CASE("sio2jail: a limit on output holds for pipes", "[sio2jail]") {
  const JailResult result = Jail("--output-limit 64 -o oiaug -- $PROGRAMS/stdout_flood | wc -c");
  CHECK(result.Fields()[0] == "OLE");
  CHECK(std::stoi(result.process.out) <= 65536 + 1);
}

TEST_CASE("sio2jail: threads are allowed by number, and are no way to make processes", "[sio2jail]") {
  CHECK(Jail("-t 8 -o oiaug -- $PROGRAMS/threads_ok").Fields()[0] == "OK");
  CHECK(Jail("-t 8 -o oiaug -- $PROGRAMS/fork_once").Fields()[0] == "RV");
  CHECK(Jail("-t 8 -o oiaug -- $PROGRAMS/clone_flag_trick").Fields()[0] == "RV");
  CHECK(Jail("-p permissive -o oiaug -- $PROGRAMS/fork_once").Fields()[0] == "OK");
  CHECK(Jail("-o oiaug -b /usr:/usr -b /:/ $PROGRAMS/hello").process.status == 2);
  CHECK(Jail("-o oiaug -b /:/ $PROGRAMS/hello").Fields()[0] == "OK");
}

TEST_CASE("sio2jail: faked time covers every clock there is", "[sio2jail]") {
  const std::string zero = Jail("--fake-time zero -- $PROGRAMS/virtual_clocks").process.out;
  for (const char* line : {"clock 0: 0.000000000\n", "clock 1: 0.000000000\n", "gettimeofday: 0.000000\n", "\ntime: 0\n", "\nclock: 0\n", "times: 0\n", "rdtsc: 0\n"}) {
    CAPTURE(line);
    CHECK(Has(zero, line));
  }
  const std::string random = Jail("--fake-time random -- $PROGRAMS/virtual_clocks").process.out;
  CHECK_FALSE(Has(random, ": 0.000000000\n"));
  CHECK(Jail("--fake-time random -- $PROGRAMS/virtual_clocks").process.out == random);
}

// As sinol-make calls it.
std::string ForSolution(const std::string& file) {
  return fmt::format("{} --instruction-count-limit 2000M --rtimelimit 17000ms --memory-limit 65536K --output-limit 51200K --output oiaug --stderr -- \"{}\"", kNoNamespaces, file);
}

TEST_CASE("sio2jail: without namespaces scripts and dynamic programs run where they lie, and change nothing of this machine", "[sio2jail]") {
  const ScratchFolder folder;
  const std::string script = folder.path() + "/solution.py";
  // A folder of the user's alone, as mkdtemp(3) makes it, and one that all may enter.
  const std::pair<const char*, mode_t> cases[] = {{"/usr/bin/python3", 0755}, {"/usr/bin/env python3", 0700}};
  for (const auto& [interpreter, mode] : cases) {
    CAPTURE(interpreter);
    ::chmod(folder.path().c_str(), mode);
    std::ofstream(script) << "#!" << interpreter << R"(
import os, sys
print(sys.stdin.readline().strip(), os.getcwd(), open('data').read())
for what in (lambda: open('data', 'w'), lambda: open('new', 'w'), lambda: os.remove('data'), lambda: os.rename('data', 'x'),
             lambda: os.mkdir('folder'), lambda: open('/tmp/tally-was-here', 'w'), lambda: os.chmod('data', 0o600)):
  try:
    what()
    print('CHANGED')
  except OSError:
    pass
)";
    std::ofstream(folder.path() + "/data") << "as it was";
    std::filesystem::permissions(script, std::filesystem::perms(0755));
    const JailResult result = Jail(ForSolution(script), {.input = "hi\n", .directory = folder.path()});
    CAPTURE(result.process.error, result.report);
    CHECK(result.Message() == "ok");
    CHECK(result.process.out == fmt::format("hi {} as it was\n", folder.path()));
    CHECK(result.process.error.empty());
    CHECK(ReadFile(folder.path() + "/data") == "as it was");
    CHECK_FALSE(std::filesystem::exists("/tmp/tally-was-here"));
    CHECK(std::distance(std::filesystem::directory_iterator(folder.path()), {}) == 2);
  }
  const JailResult dynamic = Jail(ForSolution("/bin/cat"), {.input = "linked dynamically\n"});
  CHECK(dynamic.process.out == "linked dynamically\n");
  CHECK(dynamic.Message() == "ok");
}

TEST_CASE("sio2jail: without namespaces a program reaches no socket and no fifo but those in its own folder", "[sio2jail]") {
  const ScratchFolder folder, elsewhere;
  for (const ScratchFolder* one : {&folder, &elsewhere}) ::chmod(one->path().c_str(), 0755);
  REQUIRE(::mkfifo((elsewhere.path() + "/fifo").c_str(), 0666) == 0);
  const std::string script = folder.path() + "/solution.py";
  std::ofstream(script) << "#!/usr/bin/python3\nimport os, socket, sys\n"
                           "for what in (lambda: os.open(sys.argv[1], os.O_RDWR | os.O_NONBLOCK), lambda: socket.socket(socket.AF_UNIX), lambda: socket.socket()):\n"
                           "  try:\n    what()\n    print('REACHED')\n  except OSError:\n    print('no')\n";
  std::filesystem::permissions(script, std::filesystem::perms(0755));
  const JailResult result = Jail(fmt::format("{} -t 4 -- {} {}/fifo", kNoNamespaces, script, elsewhere.path()));
  CHECK(result.process.out == "no\nno\nno\n");
}

TEST_CASE("sio2jail: asked to end, it ends by that signal, and its program with it", "[sio2jail]") {
  const CliOptions how{.environment = {"SIO2JAIL=" + BuildFolder() + "/bin/sio2jail"}};
  const CliResult result = Shell("\"$SIO2JAIL\" --perf off -- $PROGRAMS/sleep_forever & child=$!; sleep 0.4; kill -TERM $child; wait $child; echo $?", how);
  CHECK(result.out == "143\n");
  CHECK_FALSE(Has(result.error, "terminate"));
}

TEST_CASE("sio2jail: a program that only its owner may enter is found all the same", "[sio2jail]") {
  const ScratchFolder folder;
  const std::string closed = folder.path() + "/closed";
  std::filesystem::create_directory(closed);
  std::filesystem::copy_file(TestProgram("hello"), closed + "/hello");
  ::chmod((closed + "/hello").c_str(), 0700);
  ::chmod(closed.c_str(), 0700);
  for (const std::string& directory : {std::string("/"), closed}) {
    CAPTURE(directory);
    const JailResult result = Jail(ForSolution(closed + "/hello"), {.directory = directory});
    CAPTURE(result.process.error);
    CHECK(result.process.out == "hello\nEND\n");
    CHECK(result.Message() == "ok");
  }
}

TEST_CASE("sio2jail: as a contest system calls it, the program is /exe in a root of its own", "[sio2jail]") {
  const ScratchFolder folder;
  for (const char* name : {"/exe", "/proc"}) std::filesystem::create_directory(folder.path() + name);
  const JailResult result = Jail(fmt::format("-s -b {}:/:ro --memory-limit 65536K --instruction-count-limit 4000000000 --rtimelimit 129000ms --output-limit 52428800B -- {}",
                                             folder.path(), TestProgram("list_dir") + " /"));
  CAPTURE(result.process.error);
  CHECK(result.Message() == "ok");
  CHECK(Has(result.process.out, "exe"));
  CHECK_FALSE(Has(result.process.out, "usr"));
}

TEST_CASE("sio2jail: the program's stderr is passed on only where it is asked for", "[sio2jail]") {
  CHECK(Jail("-- $PROGRAMS/stderr_flood").process.error.empty());
  CHECK_FALSE(Jail("-s --output-limit 64 -- $PROGRAMS/stderr_flood").process.error.empty());
}

TEST_CASE("sio2jail: a mistake is one sentence, and no verdict", "[sio2jail]") {
  struct Mistake {
    std::string words;
    int status;
    std::string sentence;
  };
  const Mistake mistakes[] = {
      {"--no-such-option -- $PROGRAMS/hello", 1, "--no-such-option"},
      {"-m 12x -- $PROGRAMS/hello", 1, "--memory-limit: \"12x\""},
      {"-m 99999999999999g -- $PROGRAMS/hello", 1, "--memory-limit: \"99999999999999g\": too large"},
      {"--rtimelimit 1.5s -- $PROGRAMS/hello", 1, "--rtimelimit: \"1.5s\""},
      {"-o oi -- $PROGRAMS/hello", 1, "--output: \"oi\""},
      {"--perf maybe -- $PROGRAMS/hello", 1, "--perf: \"maybe\""},
      {"-b /usr -- $PROGRAMS/hello", 1, "--bind: \"/usr\""},
      {"-b /nowhere:/ -- $PROGRAMS/hello", 1, "/nowhere"},
      {"-b /usr:/usr -- $PROGRAMS/hello", 2, "Exception occurred: first bind mount must be root bind mount"},
      {"--perf off --instruction-count-limit 1M -- $PROGRAMS/hello", 2,
       "Exception occurred: Invalid configration: Instruction count limit can only be used if PERF is enabled"},
      {"-- /nowhere/program", 1, "/nowhere/program"},
      {"-- $PROGRAMS", 1, "expected an executable file"},
      {"", 1, "no program to run"},
      {"-t -2 -- $PROGRAMS/hello", 1, "--threads: -2"},
      {"-w abc -- $PROGRAMS/hello", 1, "--perf-oversampling-factor: \"abc\""},
      {"-m ./hello", 1, "--memory-limit: \"./hello\""},
      {"-l /nowhere/log -- $PROGRAMS/hello", 1, "--log: /nowhere/log"},
      {"--mount-namespace off -c /nowhere -- $PROGRAMS/hello", 1, "--chdir: /nowhere"},
  };
  for (const auto& [words, status, sentence] : mistakes) {
    CAPTURE(words);
    const JailResult result = Jail(words);
    CHECK(result.process.status == status);
    CHECK(result.report.empty());
    CHECK(result.process.out.empty());
    CHECK(Has(result.process.error, sentence));
    CHECK(std::count(result.process.error.begin(), result.process.error.end(), '\n') == 1);
  }
  const CliOptions how{.environment = {"SIO2JAIL=" + BuildFolder() + "/bin/sio2jail"}};
  const CliResult bad_descriptor = Shell("\"$SIO2JAIL\" -f 77 -- $PROGRAMS/hello", how);
  CHECK(bad_descriptor.status == 2);
  CHECK(bad_descriptor.out.empty());
  CHECK(Shell("\"$SIO2JAIL\" --version", how).out.starts_with("SIO2jail v1.5.3 "));
}

}  // namespace
}  // namespace tally

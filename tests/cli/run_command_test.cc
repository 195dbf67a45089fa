// `tally run`: one program with its streams as they are, a summary on stderr, or JSON; and its options.
#include <csignal>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "supervisor/engines/perf_counter.h"
#include "supervisor/sandbox/private_mounts.h"
#include "tests/support/catch.h"
#include "tests/support/cli_run.h"
#include "tests/support/run_program.h"
#include "tests/support/scratch_folder.h"
#include "tests/support/skip.h"

namespace tally {
namespace {

// tally run OPTIONS -- PROGRAM of tests/programs, ARGUMENTS
CliResult Run(Words options, const std::string& program, const Words& arguments = {},
              const CliOptions& how = {}) {
  options.insert(options.begin(), "run");
  options.push_back("--");
  options.push_back(TestProgram(program));
  options.insert(options.end(), arguments.begin(), arguments.end());
  return Tally(options, how);
}

TEST_CASE("run: stdout is the program's, stderr has the summary, and every figure its means", "[cli][run]") {
  const CliResult result = Run({}, "hello");
  CHECK(result.status == 0);
  CHECK(result.out == "hello\nEND\n");
  CHECK(result.error.starts_with("OK  ok\n  time "));
  for (const char* line :
       {"  time ", "  memory ", "  instructions ", "  system calls ", "  output ", "  isolation "}) {
    CAPTURE(line);
    CHECK(Has(result.error, std::string("\n") + line));
  }
  CHECK(Has(result.error, " user, "));
  CHECK(Has(result.error, "10 B\n"));
  CHECK(Has(result.error, "isolation     full ("));
  CHECK_FALSE(Has(result.error, "\x1b"));
}

TEST_CASE("run: the verdict is the first line of the summary, and the status stays 0", "[cli][run]") {
  const auto first_line = [](const CliResult& result) {
    CHECK(result.status == 0);
    return result.error.substr(0, result.error.find('\n'));
  };
  CHECK(first_line(Run({}, "exit_code", {"7"})) == "RE  runtime error 7");
  CHECK(first_line(Run({}, "abort")) == "RE  process exited due to signal 6 (SIGABRT)");
  CHECK(first_line(Run({"--time", "50ms"}, "busy_loop")) ==
        "TLE  time limit exceeded: more than 50 ms of user CPU time");
  CHECK(first_line(Run({"-t", "50ms"}, "busy_loop")) ==
        "TLE  time limit exceeded: more than 50 ms of user CPU time");
  CHECK(first_line(Run({"--idle", "100ms"}, "sleep_forever")) == "TLE  time limit exceeded: idle for 100 ms");
  CHECK(first_line(Run({"--wall", "0.1s"}, "sleep_forever")) ==
        "TLE  time limit exceeded: more than 100 ms of real time");
  CHECK(first_line(Run({"--cpu-time", "100ms"}, "burn_kernel_time"))
            .starts_with("TLE  time limit exceeded: more than 100 ms of CPU time"));
  CHECK(first_line(Run({"--memory", "10M"}, "malloc_touch")).starts_with("MLE  memory limit exceeded"));
  CHECK(first_line(Run({"-m", "10000k"}, "malloc_touch")).starts_with("MLE  memory limit exceeded"));  // KiB
  CHECK(first_line(Run({"--stack", "1M"}, "stack_recursion")) == "MLE  stack limit exceeded");
  CHECK(first_line(Run({"--output-limit", "99b"}, "stdout_exact", {"100"})) ==
        "OLE  output limit exceeded: more than 99 B");
  CHECK(first_line(Run({}, "open_socket")).starts_with("RV  intercepted forbidden syscall socket("));
  CHECK(first_line(Run({"--processes", "2"}, "fork_once")) == "OK  ok");
  CHECK(first_line(Run({}, "fork_once")) == "RV  process limit exceeded: a second process (clone), where one is allowed (processes: 1)");
  CHECK(first_line(Run({}, "threads_ok")) == "RV  process limit exceeded: a second thread (clone), where one is allowed (processes: 1)");
}

TEST_CASE("run: an option counts in each form that it can be written in, behind other letters too; what is none is refused",
          "[cli][run]") {
  for (const Words& limit : {Words{"--time", "50ms"}, {"--time=50ms"}, {"-t", "50ms"}, {"-t50ms"}, {"-qt", "50ms"}, {"-qt50ms"}}) {
    CAPTURE(limit);
    CHECK(Has(Run(limit, "busy_loop").error, "TLE  time limit exceeded: more than 50 ms of user CPU time"));
  }
  CHECK(Run({"-qt", "1s"}, "hello").error.empty());
  for (const char* unknown : {"--tim", "--times=1", "-T", "--q"}) {
    CAPTURE(unknown);
    const CliResult result = Run({unknown, "1"}, "hello");
    CHECK(result.status == 1);
    CHECK(result.error.starts_with("tally: unknown option " + std::string(unknown).substr(0, std::string(unknown).find('='))));
    CHECK(result.error.ends_with("; `tally run --help` tells more\n"));
  }
  const std::string help = Tally({"run", "--help"}).out;
  for (const char* option : {"-t,--time", "--virtual-off", "-q,--quiet"}) CHECK(Has(help, option));
}

TEST_CASE("run: /dev has links into /proc where there is a /proc", "[cli][run]") {
  const auto shown = [](const std::string& sandbox) {
    return Shell("$TALLY run -q --sandbox " + sandbox + " -- /bin/ls /dev").out;
  };
  CHECK(shown("exec-sandbox") == "full\nnull\nrandom\nurandom\nzero\n");
  CHECK(shown("interpreter-sandbox") == "fd\nfull\nnull\nrandom\nstderr\nstdin\nstdout\nurandom\nzero\n");
}

// As an ordinary user a program has the rights of who runs it, and the next one is judged by the same input.
TEST_CASE("run: a program that sees /proc cannot write to its input, nor over what was in its output, and leaves no flags on them", "[cli][run]") {
  const ScratchFolder folder;
  folder.Write("input", "5 7\nrest\n");
  folder.Write("output", "before\n");
  folder.Write("errors", "before\n");
  const CliOptions there{.directory = folder.path()};
  const std::string run = "$TALLY run -q --sandbox interpreter-sandbox -- $PROGRAMS/";
  CHECK(Shell(run + "rewrites_streams < input >> output 2>> errors; echo $?", there).out == "0\n");
  CHECK(Shell("cat input", there).out == "5 7\nrest\n");
  CHECK(Shell("cat errors", there).out.starts_with("before\n"));
  const std::string output = Shell("cat output", there).out;
  CAPTURE(output);
  CHECK(output.starts_with("before\n/proc/self/fd/0: refused ("));
  CHECK(output.find("read 9: 5 7\nrest\n\nEND\n") != std::string::npos);
  // A file without a name, and one of which somebody has read before, and reads on.
  CHECK(Has(Shell("exec 3< input; rm input; " + run + "rewrites_streams <&3", there).out, "read 9: 5 7\nrest\n"));
  folder.Write("lines", "first\nsecond\n");
  CHECK(Shell("(read first; " + run + "echo_stdin; cat) < lines", there).out == "second\nEND\n");
  CHECK(Shell("(" + run + "rewrites_streams > /dev/null; grep flags /proc/self/fdinfo/0) < lines", there).out ==
        Shell("(grep flags /proc/self/fdinfo/0) < lines", there).out);
  CHECK(Has(Shell("mkfifo pipe; sleep 1 > pipe & (" + run + "rewrites_streams > /dev/null; grep flags /proc/self/fdinfo/0) < pipe", there).out, "0100000"));
}

TEST_CASE("run: a program does not see how its judge was called", "[cli][run]") {
  const CliResult result = Shell("$TALLY run -q --env SECRET=1 --sandbox interpreter-sandbox -- /bin/cat /proc/1/cmdline | tr -d '\\0'");
  CHECK(result.out.empty());
  CHECK(result.status == 0);
  CHECK(Shell("echo 1 > input; $TALLY run -q --sandbox interpreter-sandbox -- /bin/readlink /proc/self/fd/0 < input", {.directory = ScratchFolder().path()}).out.find("input") == std::string::npos);
}

TEST_CASE("run: without limits nothing is limited", "[cli][run]") {
  CHECK(Run({"-q"}, "malloc_touch").error.empty());
  CHECK(Run({"-q"}, "stdout_exact", {"2000000"}).out.size() == 2'000'000);
}

TEST_CASE("run: a umask that keeps files from others keeps nothing from the program, and is not the program's",
          "[cli][run]") {
  for (const char* mask : {"077", "0777", "0"}) {
    CAPTURE(mask);
    const std::string line = std::string("umask ") + mask + "; $TALLY run -q -- ";
    const CliResult result = Shell(line + "$PROGRAMS/hello");
    CHECK(result.out == "hello\nEND\n");
    CHECK(result.error.empty());
    CHECK(Shell(line + "/bin/sh -c umask").out == "0022\n");
  }
}

TEST_CASE("run: in a sandbox with an image a program is the image's, by its path or its PATH, and this machine's where that has none", "[cli][run]") {
  const ScratchFolder folder;
  folder.Write("boxes/image.yaml", "title: An image\nroot:\n  directory: ../image\nenvironment:\n  PATH: /tools:/usr/bin\nmounts:\n  - dev: /dev\n");
  const std::string hello = BuildFolder() + "/tests/programs/hello", exit_zero = BuildFolder() + "/tests/programs/exit_zero_nolibc";
  for (const char* place : {"image/tools", "image/bin", "image/usr/bin"}) std::filesystem::create_directories(folder.path() + "/" + place);
  std::filesystem::copy(hello, folder.path() + "/image/tools/greet");
  std::filesystem::create_symlink("/tools/greet", folder.path() + "/image/bin/ls");  // in the image
  folder.Write("image/tools/text", "no program\n");
  const std::string run = "TALLY_SANDBOXES=boxes $TALLY run -q --sandbox image -- ";
  const auto said = [&](const std::string& program) { return Shell(run + program, {.directory = folder.path()}).out; };
  const std::string greeting = said("greet");
  CHECK(greeting.ends_with("END\n"));
  CHECK(said("/tools/greet") == greeting);
  CHECK(said("/bin/ls") == greeting);
  CHECK(said(hello) == greeting);
  CHECK(Shell(run + exit_zero, {.directory = folder.path()}).status == 0);
  CHECK(Shell(run + "text", {.directory = folder.path()}).error == "tally: text: no such program in PATH\n");
}

TEST_CASE("run: a program that the sandbox shows is executed in its own place, any other in /box", "[cli][run]") {
  const std::string run = "$TALLY run -q --sandbox interpreter-sandbox -- ";
  CHECK(Shell(run + "readlink /proc/self/exe").out == "/usr/bin/readlink\n");
  CHECK(Shell(run + "/usr/bin/../bin/readlink /proc/self/exe").out == "/usr/bin/readlink\n");
  const ScratchFolder folder;
  CHECK(Shell("cp /usr/bin/readlink . && " + run + "./readlink /proc/self/exe", {.directory = folder.path()}).out == "/box/readlink\n");
}

TEST_CASE("run: /proc/cpuinfo is the virtual processor's where instructions are counted", "[cli][run]") {
  const auto shown = [](const std::string& options) {
    return Shell("$TALLY run -q --sandbox interpreter-sandbox " + options + " -- /bin/cat /proc/cpuinfo").out;
  };
  const std::string counted = shown("--counter translator");
  CHECK(Has(counted, "model name\t: Tally virtual CPU, x86-64-v3 at 2.00GHz\n"));
  CHECK(Has(counted, " sse4_2 movbe popcnt aes xsave avx f16c "));
  CHECK(Has(counted, "model\t\t: 60\n"));
  CHECK_FALSE(Has(counted, "avx512"));
  CHECK(counted.find("processor\t") == counted.rfind("processor\t"));
  CHECK(shown("--counter step") == counted);
  CHECK(Has(shown("--counter translator --cpu x86-64-v2"), "x86-64-v2 at"));
  CHECK_FALSE(Has(shown("--counter translator --cpu x86-64-v2"), " avx "));
  CHECK_FALSE(Has(shown("--counter translator --virtual-off cpu"), "Tally"));
  CHECK_FALSE(Has(shown(""), "Tally"));
  const CliResult written = Shell("$TALLY run -q --counter translator --sandbox interpreter-sandbox -- "
                                  "/bin/sh -c 'echo x > /proc/cpuinfo'");
  CHECK(Has(written.error, "cannot create /proc/cpuinfo"));
}

TEST_CASE("run: --json is one object on stdout, and what the program prints goes to stderr or its file",
          "[cli][run]") {
  const ScratchFolder folder;
  CliResult result = Run({"--json"}, "hello");
  CHECK(result.code() == "OK");
  CHECK(result.error == "hello\nEND\n");
  result = Run({"--json", "--stdout", folder.path() + "/out"}, "hello");
  CHECK(result.code() == "OK");
  CHECK(result.json()["output_bytes"] == 10);
  CHECK(result.error.empty());
  CHECK(std::filesystem::file_size(folder.path() + "/out") == 10);
}

TEST_CASE("run: --json=FILE is the same object in a file, beside the summary", "[cli][run]") {
  const ScratchFolder folder;
  const CliResult result = Run({"--json=" + folder.path() + "/r.json"}, "hello");
  CHECK(result.out == "hello\nEND\n");
  CHECK(result.error.starts_with("OK  "));
  CHECK(nlohmann::json::parse(std::ifstream(folder.path() + "/r.json"))["result_code"] == "OK");
  const CliResult nowhere = Run({"--json=" + folder.path() + "/no/r.json"}, "hello");
  CHECK(nowhere.status == 1);
  CHECK(nowhere.out.empty());
  CHECK(Has(nowhere.error, "--json: cannot write "));
}

TEST_CASE("run: --exit-code is the program's status, that of a signal as shells have it, and 124 where it was stopped", "[cli][run]") {
  CHECK(Run({"--exit-code", "-q"}, "hello").status == 0);
  CHECK(Run({"--exit-code", "-q"}, "exit_code", {"7"}).status == 7);
  CHECK(Run({"--exit-code", "-q"}, "segfault_null").status == 128 + SIGSEGV);
  CHECK(Run({"--exit-code", "-q", "--time", "50ms"}, "busy_loop").status == 124);
  CHECK(Run({"-q"}, "exit_code", {"7"}).status == 0);
}

TEST_CASE("run: -q is quiet about what went well, and only about that", "[cli][run]") {
  CHECK(Run({"-q"}, "hello").error.empty());
  CHECK(Run({"--quiet"}, "exit_code").error.starts_with("RE  runtime error 1\n"));
}

TEST_CASE("run: streams come from the terminal's side or from files", "[cli][run]") {
  const ScratchFolder folder;
  const CliOptions here{.input = "from stdin\n", .directory = folder.path()};
  CHECK(Run({}, "echo_stdin", {}, here).out == "from stdin\nEND\n");
  folder.Write("in", "from a file\n");
  CHECK(Run({"--stdin", "in"}, "echo_stdin", {}, here).out == "from a file\nEND\n");
  folder.Write("out", "something long that was here before");
  CHECK(Run({"--stdin", "in", "--stdout", "out"}, "echo_stdin", {}, here).out.empty());
  CHECK(Shell("cat out", here).out == "from a file\nEND\n");
  CHECK(Run({"--stderr", "err"}, "stderr_flood", {"1"}, here).out == "END\n");
  CHECK(std::filesystem::file_size(folder.path() + "/err") == 1 << 20);
}

TEST_CASE("run: the program gets its arguments as they are, dashes and spaces too", "[cli][run]") {
  const CliResult result = Tally({"run", "-q", "--", "printf", "<%s>", "--time", "a b", "", "-q"});
  CHECK(result.out == "<--time><a b><><-q>");
}

TEST_CASE("run: a program without a slash is looked for in PATH, as a shell does", "[cli][run]") {
  const ScratchFolder folder;
  std::filesystem::copy(TestProgram("hello"), folder.path() + "/my-own");
  const CliOptions here{.directory = folder.path()};
  CHECK(Tally({"run", "-q", "--", "true"}).status == 0);
  CHECK(Tally({"run", "--", "./my-own"}, here).out == "hello\nEND\n");
  const CliResult local = Tally({"run", "--", "my-own"}, here);
  CHECK(local.status == 1);
  CHECK(local.error ==
        "tally: my-own: no such program in PATH; for the file in this folder write ./my-own\n");
  CHECK(Tally({"run", "--", "no-such-program"}).error == "tally: no-such-program: no such program in PATH\n");
  CHECK(Has(Tally({"run", "--", "/usr"}).error, "/usr is not a regular file"));
  CHECK(Has(Tally({"run", "--", "./absent"}, here).error, "./absent: No such file or directory"));
}

TEST_CASE("run: files and variables reach the program, and nothing else of the environment does",
          "[cli][run]") {
  const ScratchFolder folder;
  folder.Write("data.txt", "some data\n");
  const CliOptions here{.directory = folder.path(), .environment = {"SECRET=hush"}};
  CHECK(Tally({"run", "-q", "--file", "data.txt", "--", "cat", "data.txt"}, here).out == "some data\n");
  const CliResult env = Tally({"run", "-q", "--env", "KEY=a=b", "--", "env"}, here);
  CHECK(Has(env.out, "KEY=a=b\n"));
  CHECK(Has(env.out, "PATH="));
  CHECK_FALSE(Has(env.out, "SECRET"));
  const CliResult no_value = Tally({"run", "--env", "KEY", "--", "env"}, here);
  CHECK(no_value.status == 1);
  CHECK(IsOneSentence(no_value.error));
  CHECK(Has(no_value.error, "--env"));
}

TEST_CASE("run: a file that would hide the program, or another file, is a mistake", "[cli][run]") {
  const ScratchFolder folder;
  folder.Write("a/data", "1");
  folder.Write("b/data", "2");
  const CliResult result = Tally({"run", "--file", "a/data", "--file", "b/data", "--", "cat", "data"},
                                 {.directory = folder.path()});
  CHECK(result.status == 1);
  CHECK(Has(result.error, "--file"));
}

TEST_CASE("run: instructions are counted by stepping, and limited", "[cli][run]") {
  const CliResult result = Run({"--json", "--counter", "step", "--instructions", "2012"}, "known_loop");
  CHECK(result.code() == "OK");
  CHECK(result.json()["exectime_used"] == 2012);
  CHECK(Run({"--json", "--counter", "step", "-n", "2.011k"}, "known_loop").code() == "TLE");
}

TEST_CASE("run: many schedules of a race are a table of outcomes, each with a seed that shows it again", "[cli][run]") {
  const std::string run = "$TALLY run -p 6 --schedule-seed ";
  const CliResult table = Shell(run + "1..12 -- $PROGRAMS/races");
  CAPTURE(table.out, table.error, table.status);
  CHECK(table.out.find("outcomes under 12 schedules: what it does depends on whose turn it is; --schedule-seed ") != std::string::npos);
  const Json json = Json::parse(Shell(run + "1..12 --json -- $PROGRAMS/races").out);
  CHECK(json["schedules"] == 12);
  std::uint64_t seeds = 0;
  for (const Json& outcome : json["outcomes"]) {
    seeds += outcome["seeds"].get<std::uint64_t>();
    const CliResult again = Shell(run + outcome["first_seed"].dump() + " -q -- $PROGRAMS/races | sha256sum");
    CHECK(again.out.substr(0, 64) == outcome["output_sha256"]);
  }
  CHECK(seeds == 12);
  CHECK(Shell("echo 3 4 | " + run + "5..7 -- $PROGRAMS/sum_numbers").out.find("1 outcome under 3 schedules\n") != std::string::npos);
  for (const char* wrong : {"7..5", "x", "1..", "1..2000000", "3 --counter step"}) {
    const CliResult mistake = Shell(run + wrong + " -- $PROGRAMS/races");
    CAPTURE(wrong, mistake.error);
    CHECK(mistake.status == 1);
    CHECK(IsOneSentence(mistake.error));
  }
}

TEST_CASE("run: a child by turns reads what comes late from outside, though its parent waits for it", "[cli][run]") {
  CHECK(Shell("(sleep 0.2; echo late) | $TALLY run -q --counter translator -p 4 --sandbox interpreter-sandbox -- /bin/sh -c 'cat; echo behind'").out ==
        "late\nbehind\n");
}

TEST_CASE("run: how much of a pipe is there when a program reads is not the program's, and the result says so", "[cli]") {
  const auto counted = [](const std::string& input) { return Shell(input + "$TALLY run --json --counter translator --stdout /dev/null -- $PROGRAMS/echo_stdin", {.input = "a\nb\n"}).json(); };
  CHECK(counted("").value("exectime_deterministic", false));
  CHECK(counted("(echo a; echo b) | ").value("exectime_varies", "") == "its input came through a pipe, in pieces as they were written");
}

TEST_CASE("run: who waits for late input beside a thread that wakes up all the time is not out of time", "[cli][run]") {
  const std::string program = "reads_beside_a_clock";
  const std::string late = "(sleep 0.3; echo late) | $TALLY run -q --counter translator --time 2s -p 3 -- $PROGRAMS/" + program;
  CHECK(Shell(late).out == "5 bytes: late\nEND\n");
  CHECK(Shell(late + " poll").out == "1 ready\n5 bytes: late\nEND\n");
}

TEST_CASE("run: what of the machine was virtual is a line of the summary, and the options change it", "[cli][run]") {
  const auto line = [](const Words& options) {
    const std::string summary = Run(options, "hello").error;
    const std::size_t at = summary.find("  virtual CPU");
    return at == std::string::npos ? "" : summary.substr(at);
  };
  CHECK(line({"--counter", "translator"}) ==
        "  virtual CPU   x86-64-v3; virtual: addresses cpu random schedule system time; seed 0; the count is deterministic\n");
  CHECK(line({"--counter", "step", "--cpu", "x86-64-v2", "--seed", "3", "--virtual-off", "system,time"}) ==
        "  virtual CPU   x86-64-v2; virtual: addresses cpu random; seed 3; the count may vary: rules of the virtual CPU "
        "were off\n");
  CHECK(line({"--counter", "none"}).empty());
  CHECK(line({"--counter", "step", "--sandbox", "interpreter-sandbox"}).find("the sandbox shows /proc") != std::string::npos);
  const CliResult mistake = Run({"--virtual-off", "weather"}, "hello");
  CHECK(mistake.status == 1);
  CHECK(IsOneSentence(mistake.error));
}

TEST_CASE("run: an instruction limit without a counter is not ignored", "[cli][run]") {
  const CliResult result = Run({"--counter", "none", "--instructions", "5"}, "known_loop");
  CHECK(result.status != 0);
  CHECK(Has(result.error, "instruction"));
}

TEST_CASE("run: an instruction limit takes a counter by itself, the translator where no hardware counts", "[cli][run]") {
  const CliResult result = Run({"--instructions", "2011"}, "known_loop");
  CHECK(result.status == 0);
  CHECK(Has(result.error, "TLE  time limit exceeded: more than 2,011 instructions"));
  CHECK(Has(result.error, PerfCounter::WhyUnavailable() ? "2,012 (translator)" : "(perf)"));
}

TEST_CASE("run: --unsafe has limits and no sandbox, and says so", "[cli][run]") {
  const CliResult result = Run({"--unsafe"}, "hello");
  CHECK(result.out == "hello\nEND\n");
  CHECK(Has(result.error, "isolation     none (rlimits)"));
  CHECK(Has(Run({"--unsafe", "--time", "50ms"}, "busy_loop").error, "TLE  "));
}

TEST_CASE("run: options that cannot be meant are one sentence with the option", "[cli][run]") {
  const std::pair<Words, const char*> mistakes[] = {
      {{"--time", "soon"}, "--time: \"soon\" is not a duration"},
      {{"--time", "-5"}, "--time: \"-5\" is not a duration"},
      {{"--time", "2000000h"}, "--time"},
      {{"--time", "0"}, "--time"},
      {{"--time", "2"}, "--time: \"2\" has no unit: write 2s or 2ms"},
      {{"--memory", "64"}, "--memory: \"64\" has no unit: write 64M, 64k or 64b"},
      {{"--memory", "lots"}, "--memory: \"lots\" is not a size"},
      {{"--memory", "0"}, "--memory"},
      {{"--processes", "0"}, "--processes: 0 leaves no process to run"},
      {{"--processes", "-3"}, "--processes"},
      {{"--counter", "abacus"}, "--counter: \"abacus\" is unknown; expected one of: auto, perf, translator, step, none"},
      {{"--isolation", "none"}, "--isolation: \"none\" is unknown; expected one of: full, reduced, auto"},
      {{"--sandbox", "nowhere"}, "sandbox \"nowhere\": no nowhere.yaml"},
      {{"--file", "/no/file"}, "--file: /no/file: no such file"},
      {{"--stdin", "/no/file"}, "--stdin: /no/file: No such file or directory"},
      {{"--stdout", "/no/file"}, "--stdout: /no/file: No such file or directory"},
      {{"--frobnicate"}, "--frobnicate"},
  };
  for (const auto& [options, sentence] : mistakes) {
    CAPTURE(options);
    const CliResult result = Run(options, "hello");
    CHECK(result.status == 1);
    CHECK(IsOneSentence(result.error));
    CHECK(Has(result.error, sentence));
    CHECK(result.out.empty());
  }
  CHECK(Tally({"run"}).status == 1);
}

TEST_CASE("run: --help shows examples", "[cli][run]") {
  const CliResult help = Tally({"run", "--help"});
  CHECK(help.status == 0);
  CHECK(Has(help.out, "Examples:\n  tally run -- ./solution < test.in\n"));
}

TEST_CASE("run: the root of a user namespace without other users is as ordinary as any user", "[cli][run]") {
  if (Shell("unshare -r true").status != 0) TALLY_SKIP("unshare -r makes no user namespace here");
  const CliResult full = Shell("unshare -r $TALLY run -- $PROGRAMS/hello");
  CAPTURE(full.error);
  CHECK(full.out == "hello\nEND\n");
  CHECK(Has(full.error, "isolation     full (user namespace)\n"));
  const CliResult reduced = Shell("unshare -r $TALLY run --isolation reduced -- $PROGRAMS/print_ids");
  CAPTURE(reduced.out, reduced.error);
  CHECK(Has(reduced.error, "isolation     reduced"));
}

TEST_CASE("run: root of a container that allows no user namespaces has all else, and programs see the number of their user", "[cli][run]") {
  if (!ProgramsChangeUser(Isolation::kFull)) TALLY_SKIP("programs run as the user who started this test");
  const std::string in_container = "python3 " + SourceFolder() + "/tests/support/root_without_namespaces.py 65534 $TALLY ";
  const CliResult native = Shell(in_container + "run --counter none -- $PROGRAMS/print_ids");
  CAPTURE(native.out, native.error);
  CHECK(Has(native.error, "isolation     full (root, other uid)"));
  CHECK(native.out.starts_with("uid 600"));
  CHECK_FALSE(native.out.starts_with("uid 60000 "));
  CHECK(Has(native.out, "permitted 0000000000000000\n"));
  // Many runs by one init, which has what it takes to change ids.
  const std::string sum = SourceFolder() + "/examples/sum";
  const CliResult judged = Shell(in_container + "judge --report '' " + sum + " " + sum + "/solutions/right.cpp");
  CAPTURE(judged.out, judged.error);
  CHECK(Has(judged.out, "7/7"));
  // One that has no second user for programs shares the first.
  const std::string in_small_container = "python3 " + SourceFolder() + "/tests/support/root_without_namespaces.py 60001 $TALLY ";
  CHECK(Shell(in_small_container + "run --counter none -- $PROGRAMS/print_ids").out.starts_with("uid 60000 "));
}

TEST_CASE("run: a caller that ignores the ends of its children makes no run hang", "[cli][run]") {
  for (const char* how : {"", "--counter translator", "-p 3 --isolation reduced"}) {
    CAPTURE(how);
    CHECK(Shell(std::string("trap '' CHLD; exec $TALLY run -q ") + how + " -- $PROGRAMS/hello").out == "hello\nEND\n");
  }
}

TEST_CASE("run: with the /proc of another PID namespace there is no verdict, and one sentence", "[cli][run]") {
  if (::geteuid() != 0) TALLY_SKIP("only root makes a PID namespace and keeps its /proc");
  const CliResult result = Shell("unshare --pid --fork $TALLY run -p 2 -- $PROGRAMS/fork_bomb");
  CHECK(result.status == 2);
  CHECK(IsOneSentence(result.error));
  CHECK(Has(result.error, "mount -t proc proc /proc"));
  CHECK(Shell("unshare --pid --fork --mount-proc $TALLY run -q -- $PROGRAMS/hello").out == "hello\nEND\n");
}

TEST_CASE("run: a limit on processes that the caller's own does not reach is our failure, not the program's", "[cli][run]") {
  const CliResult result = Shell("bash -c 'ulimit -u 100; exec $TALLY run -p 200 -- $PROGRAMS/hello'");
  CHECK(result.status == 2);
  CHECK(Has(result.error, "RLIMIT_NPROC, ulimit -u"));
}

TEST_CASE("run: less memory than a program needs to begin is MLE", "[cli][run]") {
  for (const char* memory : {"1K", "4K", "16K", "64K"}) {
    CAPTURE(memory);
    CHECK(Run({"--memory", memory}, "hello").error.starts_with("MLE  memory limit exceeded"));
  }
}

TEST_CASE("run: a folder for translations that is open to others is the user's mistake, and one of the user's alone is used", "[cli][run]") {
  const ScratchFolder folder;
  const std::string open = folder.path() + "/open", own = folder.path() + "/own";
  const auto run = [](const std::string& where) {
    return Shell("$TALLY run -q --counter translator -- $PROGRAMS/hello", {.environment = {"TALLY_TRANSLATION_CACHE=" + where}});
  };
  std::filesystem::create_directory(open);
  std::filesystem::permissions(open, std::filesystem::perms(0755));
  const CliResult refused = run(open);
  CHECK(refused.status == 1);
  CHECK(IsOneSentence(refused.error));
  CHECK(Has(refused.error, "TALLY_TRANSLATION_CACHE: " + open));
  CHECK(run(own).out == "hello\nEND\n");
  CHECK(!std::filesystem::is_empty(own));
}

// Mono said so, and executed other instructions.
TEST_CASE("run: a counted program does not see how its judge is scheduled", "[cli][run]") {
  for (const char* counter : {"translator", "step"}) {
    CAPTURE(counter);
    const std::string line = std::string("$TALLY run -q --counter ") + counter + " -- " + TestProgram("how_scheduled");
    CHECK(Shell("exec nice -n 7 chrt --batch 0 " + line).out == "policy 0, nice 0\nmore told: 0 0\nEND\n");
  }
}

// As nohup(1) leaves it, and a server that says itself when its workers end.
TEST_CASE("run: a signal that its caller ignores does not end a run, and one that is not ignored does", "[cli][run]") {
  const ScratchFolder folder;
  const auto with = [&](const std::string& trap) {
    return Shell("rm -f log; sh -c '" + trap + " exec $TALLY run -q --wall 20s --idle 20s -p 2 --sandbox interpreter-sandbox -- /bin/sh -c \"echo begun >&2; sleep 0.6; echo ended\"' 2> log & "
                 "while ! grep -qs begun log; do sleep 0.02; done; kill -HUP $!; wait $!",
                 {.directory = folder.path()});
  };
  const CliResult goes_on = with("trap \"\" HUP;");
  CHECK(goes_on.status == 0);
  CHECK(goes_on.out == "ended\n");
  CHECK(with("").out.empty());
}

}  // namespace
}  // namespace tally

// tally-runguard as DOMjudge's scripts call it: a program in a root of DOMjudge's making, a compare script beside it, and the figures read with grep.
#include <fmt/format.h>
#include <sys/stat.h>

#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "tests/support/catch.h"
#include "tests/support/cli_run.h"
#include "tests/support/run_program.h"
#include "tests/support/scratch_folder.h"

namespace tally {
namespace {

std::string ReadFile(const std::string& path) {
  std::ifstream in(path);
  std::ostringstream out;
  out << in.rdbuf();
  return out.str();
}

struct GuardResult {
  CliResult process;
  std::string meta;

  // As DOMjudge's scripts have it: grep '^KEY: ' | sed.
  [[nodiscard]] std::string Of(const std::string& key) const {
    std::istringstream lines(meta);
    for (std::string line; std::getline(lines, line);) {
      if (line.starts_with(key + ": ")) return line.substr(key.size() + 2);
    }
    return "absent";
  }
  [[nodiscard]] std::vector<std::string> Keys() const {
    std::vector<std::string> keys;
    std::istringstream lines(meta);
    for (std::string line; std::getline(lines, line);) keys.push_back(line.substr(0, line.find(':')));
    return keys;
  }
};

// `words` are options and a program; the shell finds tests/programs in $PROGRAMS.
GuardResult Guard(const std::string& words, CliOptions how = {}) {
  const ScratchFolder folder;
  how.environment.push_back("RUNGUARD=" + BuildFolder() + "/bin/runguard");
  GuardResult result;
  result.process = Shell(fmt::format("\"$RUNGUARD\" --outmeta={}/meta {}", folder.path(), words), how);
  result.meta = ReadFile(folder.path() + "/meta");
  return result;
}

// A judging's folder, as judgehosts make it: testing/ with the submission in execdir/, which another user may enter and not write.
class Judging {
 public:
  explicit Judging(const std::string& program) {
    for (const char* folder : {"", "/testing", "/testing/execdir", "/testing/write_tmp", "/testing/secret", "/proc", "/dev"}) std::filesystem::create_directories(root() + folder);
    for (const char* folder : {"", "/testing", "/testing/execdir"}) ::chmod((root() + folder).c_str(), 0711);
    ::chmod((root() + "/testing/write_tmp").c_str(), 0777);
    ::chmod((root() + "/testing/secret").c_str(), 0700);
    std::filesystem::copy_file(TestProgram(program), root() + "/testing/execdir/program");
    ::chmod((root() + "/testing/execdir/program").c_str(), 0755);
  }
  [[nodiscard]] std::string root() const { return folder_.path() + "/judging"; }
  [[nodiscard]] std::string File(const std::string& name) const { return ReadFile(root() + "/testing/" + name); }

  // The line of testcase_run.sh.
  [[nodiscard]] GuardResult Run(const std::string& arguments = "", const std::string& more = "") const {
    return Guard(fmt::format("-V \"TMPDIR=/testing/write_tmp\" {} -r \"$PWD/..\" --nproc=64 --no-core --streamsize=64 --user=\"domjudge-run-0\" --group=\"domjudge-run\" --walltime=1:2 "
                             "--cputime=1:2 --memsize=65536 --filesize=64 --stderr=program.err -- \"/testing/execdir/program\" {} > program.out",
                             more, arguments),
                 {.directory = root() + "/testing"});
  }

 private:
  ScratchFolder folder_;
};

TEST_CASE("runguard: figures come in its order, and Tally's own after them", "[runguard]") {
  const GuardResult result = Judging("hello").Run();
  CHECK(result.process.status == 0);
  const std::vector<std::string> known = {"exitcode",    "wall-time",        "user-time",   "sys-time",     "cpu-time",     "time-used",
                                          "time-result", "output-truncated", "stdin-bytes", "stdout-bytes", "stderr-bytes", "result"};
  std::vector<std::string> keys = result.Keys();
  if (keys.front() == "memory-bytes") keys.erase(keys.begin());  // where it could be measured
  REQUIRE(keys.size() > known.size());
  CHECK(std::vector<std::string>(keys.begin(), keys.begin() + static_cast<std::ptrdiff_t>(known.size())) == known);
  CHECK(result.Of("exitcode") == "0");
  CHECK(result.Of("time-used") == "cpu-time");
  CHECK(result.Of("time-result").empty());
  CHECK(result.Of("output-truncated").empty());
  CHECK(result.Of("result") == "OK");
  CHECK(result.Of("wall-time").size() == 5);  // 0.001
}

TEST_CASE("runguard: the exit status is the program's, or 128 and the signal's number", "[runguard]") {
  CHECK(Judging("exit_code").Run("7").process.status == 7);
  const GuardResult crash = Judging("segfault_null").Run();
  CHECK(crash.process.status == 139);
  CHECK(crash.Of("exitcode") == "139");
  CHECK(crash.process.error == "runguard: warning: command terminated with signal 11\n");
}

TEST_CASE("runguard: past the soft limit a program is told of, at the hard one it is killed", "[runguard]") {
  const GuardResult cpu = Guard("-t 60 -C 0.1:0.3 -- \"$PROGRAMS\"/busy_loop");
  CHECK(cpu.process.status == 152);
  CHECK(cpu.Of("time-result") == "hard-timelimit");
  CHECK(cpu.Of("signal") == "absent");
  const GuardResult wall = Guard("-C 1 -t 0.1:0.3 -- \"$PROGRAMS\"/sleep_forever");
  CHECK(wall.process.status == 143);
  CHECK(wall.Of("signal") == "14");
  CHECK(wall.Of("time-used") == "wall-time");
  CHECK(wall.Of("time-result") == "hard-timelimit");
  const GuardResult soft = Guard("-t 0.05:5 -- sleep 0.2");
  CHECK(soft.process.status == 0);
  CHECK(soft.Of("time-result") == "soft-timelimit");
  CHECK(soft.process.error == "runguard: warning: timelimit exceeded (soft wall time)\n");
  const GuardResult other = Guard("-t 0.05:5 -C 1 -- sleep 0.2");
  CHECK(other.Of("time-used") == "cpu-time");
  CHECK(other.Of("time-result").empty());
  CHECK(Guard("-q -t 0.05:5 -- sleep 0.2").process.error.empty());
}

TEST_CASE("runguard: runpipe is told of the limit on real time", "[runguard]") {
  const GuardResult told = Guard("-t 0.1 -U $$ -- \"$PROGRAMS\"/sleep_forever & trap 'echo told >&2' USR1; wait $!; wait $!");
  CHECK(Has(told.process.error, "told"));
}

TEST_CASE("runguard: more memory than allowed is 137, and the reason is told", "[runguard]") {
  const GuardResult result = Judging("malloc_touch").Run("200");
  CHECK(result.Of("result") == "MLE");
  CHECK(result.Of("exitcode") == std::to_string(result.process.status));
  CHECK(result.process.status != 0);
}

TEST_CASE("runguard: more memory than allowed is 137 though the program itself ends well", "[runguard]") {
  const GuardResult least = Guard("-m 1 -- /bin/true");
  CHECK(least.Of("result") == "MLE");
  CHECK(least.Of("exitcode") == "137");
  CHECK(least.process.status == 137);
  CHECK(Has(least.process.error, "runguard: warning: memory limit exceeded"));
  const GuardResult child = Guard("-m 65536 -- sh -c 'head -c 200000000 /dev/zero | tail -n 1 > /dev/null; exit 0'");
  if (child.Of("result") == "MLE") CHECK(child.process.status == 137);
}

TEST_CASE("runguard: a program learns that nobody reads it any more, and its figures are written", "[runguard]") {
  const GuardResult ended = Guard("-t 5 -- sh -c 'while echo guess; do sleep 0.01; done' | head -c 10");
  CHECK(ended.process.out.size() == 10);
  CHECK(ended.Of("internal-error") == "absent");
  CHECK(ended.Of("time-result").empty());
  CHECK(ended.Of("exitcode") != "0");
}

TEST_CASE("runguard: its output is not written to where a link leads", "[runguard]") {
  const ScratchFolder folder;
  std::ofstream(folder.path() + "/precious") << "kept";
  std::filesystem::create_symlink("precious", folder.path() + "/out");
  const GuardResult result = Guard(fmt::format("-o {}/out -- echo lost", folder.path()));
  CHECK(result.process.status == 255);
  CHECK(Has(result.Of("internal-error"), "/out"));
  CHECK(ReadFile(folder.path() + "/precious") == "kept");
}

TEST_CASE("runguard: streams are kept up to their size, counted beyond it, and the program goes on", "[runguard]") {
  const Judging judging("stdout_exact");
  const GuardResult result = judging.Run("100000");
  CHECK(result.process.status == 0);
  CHECK(judging.File("program.out").size() == 65536);
  CHECK(result.Of("stdout-bytes") == "100000");
  CHECK(result.Of("output-truncated") == "stdout");
  const GuardResult both = Guard("-s 1 -- sh -c 'head -c 5000 /dev/zero >&2; head -c 1024 /dev/zero; exit 3' 2>/dev/null");
  CHECK(both.process.status == 3);
  CHECK(both.Of("output-truncated") == "stderr");
  CHECK(both.Of("stderr-bytes") == "5000");
  CHECK(both.Of("stdout-bytes") == "1024");
  CHECK(both.process.out.size() == 1024);
  const GuardResult none = Guard("-s 0 -- echo hi");
  CHECK(none.process.out.empty());
  CHECK(none.Of("output-truncated") == "stdout");
}

TEST_CASE("runguard: in a root a program writes where others may, and nowhere else", "[runguard]") {
  const Judging judging("write_host_files");
  std::ofstream(judging.root() + "/testing/secret/answer") << "42\n";
  std::ofstream(judging.root() + "/testing/testdata.in") << "in\n";
  const auto sh = [&](const std::string& line) { return Guard(fmt::format("-- sh -c '{}'", line), {.directory = judging.root() + "/testing"}); };
  // The same folder, seen without a root: sh is this machine's.
  CHECK(sh("echo x > write_tmp/x").process.status == 0);
  CHECK(judging.File("write_tmp/x") == "x\n");
  CHECK(sh("echo x > program.out").process.status != 0);
  CHECK(sh("echo x > testdata.in").process.status != 0);
  CHECK(sh("rm -f testdata.in").process.status != 0);
  CHECK(sh("cat secret/answer").process.out.empty());
  CHECK(sh("cat testdata.in").process.out == "in\n");
  CHECK(judging.File("testdata.in") == "in\n");
  CHECK(!std::filesystem::exists(judging.root() + "/testing/program.out"));
}

TEST_CASE("runguard: a folder that others may not enter is not in the root", "[runguard]") {
  const Judging judging("list_dir");
  std::filesystem::create_directory(judging.root() + "/answers");
  ::chmod((judging.root() + "/answers").c_str(), 0700);
  const GuardResult result = judging.Run("/");
  CHECK(result.process.status == 0);
  const std::string seen = judging.File("program.out");
  CHECK(Has(seen, "testing"));
  CHECK(!Has(seen, "answers"));
  CHECK(!Has(seen, "home"));
}

TEST_CASE("runguard: a compare script writes its feedback, and its 42 and 43 are the exit status", "[runguard]") {
  const ScratchFolder folder;
  ::chmod(folder.path().c_str(), 0755);
  folder.Write("testdata.in", "1\n");
  folder.Write("testdata.out", "2\n");
  folder.Write("program.out", "2\n");
  std::filesystem::create_directory(folder.path() + "/feedback");
  ::chmod((folder.path() + "/feedback").c_str(), 0777);
  const std::string script = folder.Write("compare/run", "#!/bin/sh\nread got\nread want < \"$2\"\necho said > \"$3judgemessage.txt\"\n[ \"$got\" = \"$want\" ] && exit 42\nexit 43\n");
  ::chmod(script.c_str(), 0755);
  const std::string line = fmt::format("-u domjudge-run -g domjudge-run -m 2097152 -t 30 -c -f 540672 -s 540672 -- {} testdata.in testdata.out feedback/ < program.out > compare.tmp 2>&1", script);
  CHECK(Guard(line, {.directory = folder.path()}).process.status == 42);
  CHECK(ReadFile(folder.path() + "/feedback/judgemessage.txt") == "said\n");
  std::ofstream(folder.path() + "/program.out") << "3\n";
  CHECK(Guard(line, {.directory = folder.path()}).process.status == 43);
}

TEST_CASE("runguard: a program has PATH and the variables that it is given, or all with -E", "[runguard]") {
  const std::string own = Guard("-V 'A=1;B=2' -V A=3 -- env", {.environment = {"SECRET=1", "PATH=/usr/bin:/bin"}}).process.out;
  CHECK(own == "PATH=/usr/bin:/bin\nB=2\nA=3\n");
  CHECK(Has(Guard("-E -- env", {.environment = {"SECRET=1"}}).process.out, "SECRET=1\n"));
}

TEST_CASE("runguard: a mistake is 255, one sentence and an internal-error", "[runguard]") {
  const auto mistake = [](const std::string& words, const std::string& sentence) {
    CAPTURE(words);
    const GuardResult result = Guard(words);
    CHECK(result.process.status == 255);
    CHECK(result.process.error == "runguard: " + sentence + "\n");
    CHECK(result.meta == "internal-error: runguard: " + sentence + "\n");
  };
  mistake("", "no command specified");
  mistake("--tine 1 true", "unknown option or missing argument `--'");
  mistake("-t x true", "invalid walltime specified: `x'");
  mistake("-C 2:1 true", "invalid cputime specified: hard limit is lower than soft limit");
  mistake("-m 0 true", "invalid memory limit specified: `0'");
  mistake("-p -1 true", "invalid process limit specified: `-1'");
  mistake("-P 4000 true", "requested pinning on a CPU which is not online");
  mistake("-u 'a b' true", "invalid username or ID specified: `a b'");
  mistake("-r /nowhere true", "cannot chdir to `/nowhere': No such file or directory");
  mistake("no-such-command", "cannot start `no-such-command': there is none in PATH");
  mistake("/no/such", "cannot start `/no/such': No such file or directory");
  mistake("-o /nowhere/out true", "opening file `/nowhere/out': No such file or directory");
}

TEST_CASE("runguard: figures go to a stream as well", "[runguard]") {
  CHECK(Has(Shell(BuildFolder() + "/bin/runguard -M /dev/stderr -- true").error, "exitcode: 0\n"));
}

TEST_CASE("runguard: SIGTERM ends the program, and the figures say so", "[runguard]") {
  const GuardResult result = Guard("-s 1 -- \"$PROGRAMS\"/sleep_forever & sleep 0.3; kill $!; wait $!");
  CHECK(result.process.status == 143);
  CHECK(result.Of("exitcode") == "143");
  CHECK(result.Of("signal") == "15");
  CHECK(result.Of("output-truncated").empty());
}

}  // namespace
}  // namespace tally

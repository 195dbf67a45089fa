// tally-isolate's command line, limits and meta files, as its callers use it.
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <string>

#include "tests/support/catch.h"
#include "tests/support/cli_run.h"
#include "tests/support/isolate_box.h"
#include "tests/support/run_program.h"
#include "tests/support/scratch_folder.h"

namespace tally {
namespace {

TEST_CASE("isolate: --init makes a box and prints its folder, --cleanup removes it, and both may be said twice", "[isolate]") {
  const TestBox box("-b 7");
  CHECK(box.made().status == 0);
  CHECK(box.made().out.ends_with("/boxes/7\n"));
  CHECK(std::filesystem::is_directory(box.path()));
  std::ofstream(box.path() + "/left") << "over";
  CHECK(box.Isolate("-b 7 --init").status == 0);
  CHECK_FALSE(std::filesystem::exists(box.path() + "/left"));
  CHECK(box.Isolate("-b 7 --cleanup").status == 0);
  CHECK_FALSE(std::filesystem::exists(box.path()));
  CHECK(box.Isolate("-b 7 --cleanup").status == 0);
  const BoxResult gone = box.Run("-- ./program");
  CHECK(gone.process.status == 2);
  CHECK(gone.Get("status") == "XX");
  CHECK(Has(gone.process.error, "isolate --init"));
}

struct Case {
  std::string program, options, arguments;
  int status;
  std::string code, exit_code, signal, message;
  bool killed;
};

TEST_CASE("isolate: each end has its status, its keys and its message", "[isolate]") {
  const TestBox box;
  const std::string absent = "(absent)";
  const Case cases[] = {
      {"hello", "", "", 0, absent, "0", absent, absent, false},
      {"exit_code", "", "7", 1, "RE", "7", absent, "Exited with error status 7", false},
      {"abort", "", "", 1, "SG", absent, "6", "Caught fatal signal 6", false},
      {"segfault_null", "", "", 1, "SG", absent, "11", "Caught fatal signal 11", false},
      {"busy_loop", "--time=0.1", "", 1, "TO", absent, absent, "Time limit exceeded", true},
      {"sleep_forever", "--wall-time=0.1", "", 1, "TO", absent, absent, "Time limit exceeded (wall clock)", true},
      {"stdout_flood", "--fsize=64 --stdout=out", "", 1, "SG", absent, "25", "Caught fatal signal 25", false},
  };
  for (const Case& one : cases) {
    CAPTURE(one.program);
    const BoxResult result = box.RunTest(one.program, one.options, one.arguments);
    CAPTURE(result.process.error);
    CHECK(result.process.status == one.status);
    CHECK(result.Get("status") == one.code);
    CHECK(result.Get("exitcode") == one.exit_code);
    CHECK(result.Get("exitsig") == one.signal);
    CHECK(result.Get("message") == one.message);
    CHECK((result.Get("killed") == "1") == one.killed);
    for (const char* key : {"time", "time-wall"}) CHECK(Has(result.Get(key), "."));
    for (const char* key : {"max-rss", "csw-voluntary", "csw-forced"}) CHECK(std::stoi(result.Get(key)) >= 0);
    CHECK(std::stoi(result.Get("max-rss")) > 0);
    CHECK(Has(result.Get("isolation"), "full"));
    CHECK(result.process.error.ends_with(one.message == absent ? " sec wall)\n" : one.message + "\n"));
  }
}

TEST_CASE("isolate: with extra time a program that is late is told its time", "[isolate]") {
  const TestBox box;
  const BoxResult late = box.RunTest("burn_cpu", "--time=0.05 --extra-time=20", "200");
  CHECK(late.process.status == 1);
  CHECK(late.Get("status") == "TO");
  CHECK(late.Get("killed") == "(absent)");
  CHECK(std::stod(late.Get("time")) > 0.05);
}

TEST_CASE("isolate: a memory limit with --cg ends the program, and says so", "[isolate]") {
  const TestBox box("--cg");
  const BoxResult result = box.RunTest("malloc_unchecked", "--cg-mem=16384");
  CHECK(result.process.status == 1);
  CHECK(result.Get("status") == "SG");
  CHECK(std::stoi(result.Get("cg-mem")) > 0);
  if (Has(result.Get("memory-metric"), "cgroup")) CHECK(result.Get("cg-oom-killed") == "1");
  CHECK(box.RunTest("hello").Get("cg-mem") != "(absent)");
}

TEST_CASE("isolate: an address space limit is the program's to live with", "[isolate]") {
  const TestBox box;
  CHECK(box.RunTest("malloc_refused_survives", "--mem=65536").process.status == 0);
}

TEST_CASE("isolate: streams are files as the program would name them", "[isolate]") {
  const TestBox box;
  std::ofstream(box.path() + "/in") << "1 2 3\n";
  CHECK(box.RunTest("echo_stdin", "--stdin=in --stdout=/box/out").process.status == 0);
  CHECK(Has(ReadFile(box.path() + "/out"), "1 2 3"));
  CHECK(box.Run("--stdout=both --stderr-to-stdout -- /bin/sh -c 'echo out; echo error >&2'").process.status == 0);
  CHECK(ReadFile(box.path() + "/both") == "out\nerror\n");
  const BoxResult missing = box.Run("--stdin=nothing -- /bin/true");
  CHECK(missing.process.status == 2);
  CHECK(missing.Get("status") == "XX");
}

TEST_CASE("isolate: a link that a program has left leads nowhere outside of its box", "[isolate]") {
  const TestBox box("--special-files");
  const ScratchFolder outside;
  std::ofstream(outside.path() + "/secret") << "secret";
  CHECK(box.Run(fmt::format("-p -- /bin/sh -c 'ln -s {0}/secret in; ln -s {0}/made out'", outside.path())).process.status == 0);
  CHECK(std::filesystem::is_symlink(box.path() + "/in"));
  CHECK(box.Run("--stdin=in -- /bin/cat").process.status == 2);
  CHECK(box.Run("--stdout=out -- /bin/echo hi").process.status == 2);
  CHECK_FALSE(std::filesystem::exists(outside.path() + "/made"));
}

TEST_CASE("isolate: what a program leaves is the caller's, and its links are not kept unless asked for", "[isolate]") {
  const char* const script = "-p -- /bin/sh -c 'mkdir -p a/b; echo x > a/b/c; chmod 700 a; ln -s c a/b/link'";
  const TestBox box;
  REQUIRE(box.Run(script).process.status == 0);
  CHECK(ReadFile(box.path() + "/a/b/c") == "x\n");
  CHECK_FALSE(std::filesystem::is_symlink(box.path() + "/a/b/link"));
  struct stat status {};
  REQUIRE(::stat((box.path() + "/a/b/c").c_str(), &status) == 0);
  CHECK(status.st_uid == ::geteuid());
  const TestBox keeping("--special-files");
  REQUIRE(keeping.Run(script).process.status == 0);
  CHECK(std::filesystem::is_symlink(keeping.path() + "/a/b/link"));
}

TEST_CASE("isolate: what one run writes in the box the next one finds, and nothing of its /tmp", "[isolate]") {
  const TestBox box;
  CHECK(box.Run("-p -- /bin/sh -c 'echo one > here; echo two > /tmp/there'").process.status == 0);
  CHECK(box.Run("-p -- /bin/sh -c 'cat here; cat /tmp/there'").process.out == "one\n");
}

TEST_CASE("isolate: the environment is what was asked for", "[isolate]") {
  const TestBox box;
  CHECK(box.Run("-- /usr/bin/env").process.out == "LIBC_FATAL_STDERR_=1\n");
  const std::string out = box.Run("-E HOME=/tmp -E LIBC_FATAL_STDERR_= -E ISOLATE -- /usr/bin/env").process.out;
  CHECK(Has(out, "HOME=/tmp\n"));
  CHECK(Has(out, "ISOLATE=/"));
  CHECK_FALSE(Has(out, "LIBC_FATAL"));
  CHECK(Has(box.Run("-e -- /usr/bin/env").process.out, "TALLY_ISOLATE_ROOT="));
}

TEST_CASE("isolate: folders are shown by rules, read-only unless they say more", "[isolate]") {
  const TestBox box;
  const ScratchFolder data;
  std::ofstream(data.path() + "/file") << "data\n";
  ::chmod(data.path().c_str(), 0777);
  const std::string rule = "-d /data=" + data.path();
  CHECK(box.Run(rule + " -- /bin/cat /data/file").process.out == "data\n");
  CHECK(box.Run(rule + " -p -- /bin/sh -c 'echo x > /data/new'").process.status == 1);
  CHECK(box.Run(rule + ":rw -p -- /bin/sh -c 'echo x > /data/new'").process.status == 0);
  CHECK(std::filesystem::exists(data.path() + "/new"));
  CHECK(box.Run("-d /no-such-folder -- /bin/true").process.status == 2);
  CHECK(Has(box.Run("-d /tmp/data=/usr -- /bin/true").process.error, "/tmp/data lies in /tmp"));
  CHECK(box.Run("-d /no-such-folder:maybe -- /bin/true").process.status == 0);
  CHECK(box.Run("-d proc= -- /bin/ls /proc").process.status == 1);
  CHECK_FALSE(Has(box.Run("-- /bin/ls /proc").process.out, "meminfo"));
  CHECK(Has(box.Run("-- /bin/ls /proc").process.out, "self"));
  CHECK(Has(box.Run("-p -- /bin/ls /proc").process.out, "meminfo"));
  CHECK(box.Run("-- /bin/ls /etc").process.status == 1);
}

TEST_CASE("isolate: one process unless more are allowed", "[isolate]") {
  const TestBox box;
  CHECK(box.RunTest("threads_ok").process.status == 1);
  CHECK(box.RunTest("threads_ok", "--processes").process.status == 0);
  CHECK(box.RunTest("threads_ok", "--processes=20").process.status == 0);
  const BoxResult bomb = box.RunTest("fork_bomb", "-p20 --wall-time=20");
  CHECK(bomb.process.status == 1);
}

TEST_CASE("isolate: a program that cannot be executed ends with 127", "[isolate]") {
  const TestBox box;
  const BoxResult result = box.Run("-- /box/nothing");
  CHECK(result.process.status == 1);
  CHECK(result.Get("exitcode") == "127");
  CHECK(result.Get("status") == "RE");
}

TEST_CASE("isolate: instructions are told behind what isolate tells, exactly where the translator counts", "[isolate]") {
  const TestBox box;
  const BoxResult once = box.RunTest("hello", "--counter=translator"), again = box.RunTest("hello", "--counter=translator");
  CHECK(std::stoi(once.Get("instructions")) > 1000);
  CHECK(once.Get("instructions") == again.Get("instructions"));
  CHECK(Has(once.Get("virtual-time"), "0.0"));
}

TEST_CASE("isolate: a box that its program has closed is looked through as well", "[isolate]") {
  const TestBox box;
  CHECK(box.Run("-p -- /bin/sh -c 'ln -s /etc/passwd answer; cp /bin/true sh; chmod 6777 sh; chmod 0111 .'").process.status == 0);
  CHECK_FALSE(std::filesystem::is_symlink(box.path() + "/answer"));
  struct stat status {};
  REQUIRE(::stat((box.path() + "/sh").c_str(), &status) == 0);
  CHECK((status.st_mode & 07000) == 0);
  REQUIRE(::stat(box.path().c_str(), &status) == 0);
  CHECK((status.st_mode & 07777) == 0700);
}

TEST_CASE("isolate: links are not kept, however deep they lie, in closed folders, or after an interrupted run", "[isolate]") {
  const TestBox box;
  const auto links = [&] { return Shell("find " + box.path() + " -type l | wc -l").out; };
  CHECK(box.Run("-p -- /bin/sh -c 'i=0; while [ $i -lt 150 ]; do mkdir d; cd d; ln -s /etc/passwd link; i=$((i+1)); done'").process.status == 0);
  CHECK(links() == "0\n");
  CHECK(box.Run("-p -- /bin/sh -c 'mkdir a; ln -s /etc/passwd a/link; chmod 111 a'").process.status == 0);
  CHECK(links() == "0\n");
  for (const char* keeper : {"on", "off"}) {
    CAPTURE(keeper);
    box.Isolate("--init");
    const CliResult ended = box.Isolate(fmt::format("--version >/dev/null; export TALLY_ISOLATE_KEEPER={0}; \"$ISOLATE\" --init >/dev/null; echo exitcode:0 > {1}/meta; "
                                                    "\"$ISOLATE\" --meta={1}/meta --run -p -- /bin/sh -c 'ln -s /etc/passwd link; sleep 20' & child=$!; sleep 0.5; kill -TERM $child; wait $child; echo $?", keeper, box.folder()));
    CHECK(ended.out == "1\n");
    CHECK(links() == "0\n");
    const Meta meta = ReadMeta(box.folder() + "/meta");
    CHECK(meta.at("status") == "SG");
    CHECK(meta.at("exitsig") == "15");
    CHECK_FALSE(meta.contains("exitcode"));
  }
}

TEST_CASE("isolate: a program has no sockets, by which it might reach one of this machine's", "[isolate]") {
  const TestBox box;
  const BoxResult result = box.Run("-p -- /usr/bin/python3 -c 'import socket; socket.socket(socket.AF_UNIX)'");
  CHECK(result.process.status == 1);
  CHECK(Has(result.process.error, "PermissionError"));
}

TEST_CASE("isolate: the limit on files holds for the caller's own, also where that holds something", "[isolate]") {
  const TestBox box;
  const CliResult result = box.Isolate(fmt::format("--fsize=64 --run -- /usr/bin/yes >> {0}/log; echo $?; stat -c %s {0}/log", box.folder()));
  CHECK(Has(result.error, "Caught fatal signal 25"));
  std::ofstream(box.folder() + "/log") << "something\n";
  const CliResult again = box.Isolate(fmt::format("--fsize=64 --run -- /usr/bin/yes >> {0}/log; stat -c %s {0}/log", box.folder()));
  CHECK(Has(again.error, "Caught fatal signal 25"));
  CHECK(std::stoi(again.out) < 200'000);
}

TEST_CASE("isolate: a run has its caller's processors, with a keeper as well", "[isolate]") {
  const TestBox box;
  CHECK(Has(box.Run("-v -- /bin/true").process.error, "by the box's keeper"));
  CHECK(box.Isolate("--version >/dev/null; taskset -c 0 \"$ISOLATE\" --run -- /usr/bin/nproc").out == "1\n");
}

TEST_CASE("isolate: setuid files and open folders of a program's are not left", "[isolate]") {
  const TestBox box;
  REQUIRE(box.Run("-p -- /bin/sh -c 'cp /bin/true t; chmod 6777 t; chmod 777 .'").process.status == 0);
  struct stat status {};
  REQUIRE(::stat((box.path() + "/t").c_str(), &status) == 0);
  CHECK((status.st_mode & 06000) == 0);
  REQUIRE(::stat(box.path().c_str(), &status) == 0);
  CHECK((status.st_mode & 0777) == 0700);
}

TEST_CASE("isolate: a box that is in use is refused, or waited for", "[isolate]") {
  const TestBox box;
  const CliResult result = box.Isolate("--run -- /bin/sleep 1 & sleep 0.4; \"$ISOLATE\" --run -- /bin/true; echo $?; \"$ISOLATE\" --wait --run -- /bin/true; echo $?; wait");
  CHECK(Has(result.error, "is in use"));
  CHECK(Has(result.out, "2\n0\n"));
}

// The words of CMS (Sandbox.build_box_options) and of Judge0's job.
TEST_CASE("isolate: the command lines of CMS and of Judge0 work as they are", "[isolate]") {
  const TestBox box("--cg --box-id=12");
  const ScratchFolder work;
  ::chmod(work.path().c_str(), 0777);
  std::filesystem::copy_file(TestProgram("sum_numbers"), work.path() + "/sum");
  std::ofstream(work.path() + "/input.txt") << "1 2 3\n";
  const BoxResult cms = box.Run(fmt::format(
      "--chdir=/tmp --dir=/tmp={}:rw --full-env --env=HOME=./ --stdin=/tmp/input.txt --stack=262144 --cg-mem=262144 "
      "--stdout=/tmp/output.txt --processes --stderr=/tmp/stderr.txt --time=5 --verbose --wall-time=10 --extra-time=0.5 -- ./sum", work.path()));
  CAPTURE(cms.process.error);
  CHECK(cms.process.status == 0);
  CHECK(Has(ReadFile(work.path() + "/output.txt"), "6"));
  std::ofstream(box.path() + "/run") << "#!/bin/bash\ncat | tr a-z A-Z\n";
  std::ofstream(box.path() + "/stdin") << "shout\n";
  const BoxResult judge0 = box.Run(
      "-s -i /box/stdin -t 5 -x 1 -w 10 -k 64000 -p60 --cg-mem=128000 -f 1024 -E HOME=/tmp -E PATH=\"/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin\" "
      "-E LANG -d /etc:noexec -- /bin/bash run");
  CHECK(judge0.process.status == 0);
  CHECK(judge0.process.out == "SHOUT\n");
  CHECK(judge0.process.error.empty());
  CHECK(judge0.Get("exitcode") == "0");
}

TEST_CASE("isolate: the command lines of Piston work as they are", "[isolate]") {
  const TestBox box("--cg -b5");
  const ScratchFolder package;
  ::chmod(package.path().c_str(), 0755);
  std::ofstream(package.path() + "/compile") << "gcc -std=c11 *.c -lm\n";
  std::ofstream(package.path() + "/run") << "shift\n./a.out \"$@\"\n";
  std::filesystem::create_directory(box.path() + "/submission");
  std::ofstream(box.path() + "/submission/file0.c") << "#include <stdio.h>\nint main(int n, char** a) { int c; while ((c = getchar()) != EOF) putchar(c); puts(a[n - 1]); return 7; }\n";
  const auto stage = [&](const std::string& words, const std::string& input) {
    return box.Run(fmt::format("-s -c /box/submission -E HOME=/tmp -E PATH=/usr/bin:/bin -E PISTON_LANGUAGE=c --dir=/piston={0} --dir=/etc:noexec --processes=64 --open-files=2048 --fsize=10000 "
                               "--wall-time=10 --time=10 --extra-time=0 --cg-mem=512000 -- /bin/bash /piston/{1}", package.path(), words),
                   input);
  };
  const BoxResult compiled = stage("compile file0.c", "");
  CAPTURE(compiled.process.error);
  REQUIRE(compiled.Get("exitcode") == "0");
  const BoxResult run = stage("run file0.c one 'two words'", "said\n");
  CHECK(run.process.out == "said\ntwo words\n");
  CHECK(run.Get("exitcode") == "7");
  CHECK(run.Get("status") == "RE");
  for (const char* key : {"time", "time-wall", "cg-mem", "message"}) CHECK(run.Get(key) != "(absent)");
}

TEST_CASE("isolate: a mistake is one sentence, status 2, and XX in the meta file", "[isolate]") {
  const TestBox box;
  const std::pair<const char*, const char*> mistakes[] = {
      {"--no-such -- /bin/true", "--no-such"}, {"--time=abc -- /bin/true", "--time: \"abc\""}, {"--mem=1x -- /bin/true", "--mem: \"1x\""},
      {"--cg-mem=100 -- /bin/true", "--cg"},   {"", "no program"},                            {"--init -- /bin/true", "not two"},
      {"-d /x:y -- /bin/true", "\"y\""},       {"--quota=1,1 -- /bin/true", "--quota"},       {"-E =x -- /bin/true", "--env"},
  };
  for (const auto& [words, sentence] : mistakes) {
    CAPTURE(words);
    const BoxResult result = box.Run(words);
    CHECK(result.process.status == 2);
    CHECK(Has(result.process.error, sentence));
    CHECK(std::count(result.process.error.begin(), result.process.error.end(), '\n') == 1);
  }
  CHECK(box.Run("--stdin=nothing -- /bin/true").Get("status") == "XX");
  CHECK(Has(box.Isolate("--version").out, "isolator"));
  CHECK(box.Isolate("").status == 2);
}

}  // namespace
}  // namespace tally

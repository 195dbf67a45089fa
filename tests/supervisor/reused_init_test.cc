// A warm batch's other shortcut (supervisor/sandbox/reused_init.h) must be invisible, too: a run may be started by the last run's
// init only if no program can tell.
#include <linux/capability.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <sstream>
#include <utility>

#include "supervisor/run/process_executor.h"
#include "supervisor/sandbox/private_mounts.h"
#include "tests/support/batch.h"
#include "tests/support/catch.h"
#include "tests/support/skip.h"

namespace tally {
namespace {

// In a container, root may not have the right to choose pids; then there is nothing to test but that runs go well.
bool PidsCanBeChosen() {
  Batch batch;
  batch.WarmUp("hello");
  return !batch.given_up();
}

TEST_CASE("reused init: from the second run on, the same init starts every run of a batch", "[kept]") {
  if (!PidsCanBeChosen()) TALLY_SKIP("init may not choose pids on this host");
  Batch batch;
  CHECK(batch.Run("hello").code() == "OK");
  CHECK(batch.ReusedInit() == 0);
  CHECK(batch.Run("hello").code() == "OK");
  const pid_t init = batch.ReusedInit();
  REQUIRE(init > 0);
  for (int i = 0; i < 3; ++i) {
    const TestResult result = batch.Run("hello");
    CHECK(result.code() == "OK");
    CHECK(result.ended());
    CHECK(batch.ReusedInit() == init);
  }
}

TEST_CASE("reused init: a program finds itself and its surroundings the same, whichever init started it", "[kept]") {
  Batch batch;
  const TestResult first = batch.Run("self_portrait");
  REQUIRE(first.ended());
  CHECK(first.output.find("pid 2 tid 2 parent 1 group 1 session 1\n") != std::string::npos);
  CHECK(first.output.find("process 3\n") == std::string::npos);
  for (int i = 0; i < 4; ++i) CHECK(batch.Run("self_portrait").output == first.output);
  CHECK((batch.ReusedInit() > 0 || batch.given_up()));
}

TEST_CASE("reused init: after a program that ended badly the next one finds nothing of it", "[kept]") {
  const std::vector<std::vector<std::string>> rude = {
      {"segfault_null"}, {"stop_self"},  {"raise_signal", "9"}, {"ignore_all_signals_loop"}, {"busy_loop"},
      {"malloc_touch", "100"}, {"stdout_flood", "2"}, {"open_socket"}, {"kill_all"}, {"fork_once"}};
  for (const std::vector<std::string>& program : rude) {
    for (const std::uint32_t processes : {1, 8}) {
      CAPTURE(program[0], processes);
      Batch batch;
      const TestResult before = batch.Run("self_portrait", {}, processes);
      TestRun run{.program = program[0], .arguments = {program.begin() + 1, program.end()}, .limits = TestRun::SmallLimits()};
      run.limits.processes = processes;
      for (int i = 0; i < 3; ++i) batch.Run(run);
      const TestResult after = batch.Run("self_portrait", {}, processes);
      CHECK(after.ended());
      CHECK(after.output == before.output);
    }
  }
}

TEST_CASE("reused init: each run has its own streams", "[kept]") {
  Batch batch;
  for (const char* input : {"one\n", "two\n", "three\n", "four\n"}) {
    const TestResult result = batch.Run(TestRun{.program = "echo_stdin", .input = input});
    CHECK(result.output.starts_with(input));
    CHECK(result.ended());
  }
  CHECK((batch.ReusedInit() > 0 || batch.given_up()));
}

// Of programs that start others it needs a user of its own and a way to number processes anew, which a container may not have.
bool StartsThoseThatStartOthers() { return CanChangeUser() && ::access("/proc/sys/kernel/ns_last_pid", W_OK) == 0 && PidsCanBeChosen(); }

TEST_CASE("reused init: a program that may make processes has one where it is another user than its init, and else never", "[kept]") {
  const bool may = StartsThoseThatStartOthers();
  Batch batch;
  for (const char* program : {"zombies", "orphans", "daemon_setsid", "fork_ok"}) {
    CAPTURE(program);
    for (int i = 0; i < 3; ++i) {
      const TestResult result = batch.Run(program, {}, 30);
      CHECK(result.code() == "OK");
      CHECK(result.ended());
    }
    CHECK((batch.ReusedInit() > 0) == may);
  }
  if (may) {
    const pid_t init = batch.ReusedInit();
    CHECK(batch.Run("self_portrait").code() == "OK");
    CHECK(batch.Run("orphans", {}, 8).code() == "OK");
    CHECK(batch.ReusedInit() == init);
  } else if (PidsCanBeChosen()) {
    REQUIRE(batch.WarmUp("self_portrait") > 0);
    CHECK(batch.Run("orphans", {}, 8).code() == "OK");
    CHECK(batch.ReusedInit() == 0);
  }
}

TEST_CASE("reused init: what a program with processes does to process 1 the next one does not find, nor its numbers", "[kept]") {
  for (const char* sandbox : {"exec-sandbox", "interpreter-sandbox"}) {
    CAPTURE(sandbox);
    Batch batch(sandbox);
    const std::string portrait = batch.Run("self_portrait", {}, 8).output, meddler = batch.Run("meddles_with_init", {}, 8).output;
    CHECK(meddler.find("child 3\nchild 4\nchild 5\nthread 6\nleft 7\nEND\n") != std::string::npos);
    CHECK(portrait.find("process 3\n") == std::string::npos);
    for (int i = 0; i < 4; ++i) {
      CHECK(batch.Run("meddles_with_init", {}, 8).output == meddler);
      CHECK(batch.Run("self_portrait", {}, 8).output == portrait);
    }
    CHECK((batch.ReusedInit() > 0) == StartsThoseThatStartOthers());
  }
}

// Who loses a parent, and who had no time to be waited for, holds a number until somebody reaps it.
TEST_CASE("reused init: the dead of one program hold no number of the next one's", "[kept]") {
  if (!StartsThoseThatStartOthers()) TALLY_SKIP("init may not start programs with processes on this host");
  Batch batch;
  const std::string meddler = batch.Run("meddles_with_init", {}, 30).output;
  batch.Run("fork_ok", {}, 30);
  int lost = 0;
  for (int i = 0; i < 40; ++i) {
    for (const auto& [program, argument] : {std::pair("zombies", "2"), std::pair("zombies", "25"), std::pair("zombies_in_group", "2"), std::pair("zombies_in_group", "25")}) {
      CAPTURE(i, program, argument);
      CHECK(batch.Run(program, {argument}, 30).code() == "OK");
      if (batch.ReusedInit() == 0) ++lost;
      CHECK(batch.Run("meddles_with_init", {}, 30).output == meddler);
    }
  }
  CHECK(lost == 0);
  CHECK_FALSE(batch.given_up());
}

TEST_CASE("reused init: where /proc tells of numbers, a program alone finds none of the last one's", "[kept]") {
  Batch batch("interpreter-sandbox");
  const auto numbers = [&batch] { return batch.Run("print_files", {"/proc/sys/kernel/ns_last_pid", "/proc/1/status"}).output; };
  const auto without_figures = [](const std::string& text) {
    std::string out;
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);) {
      const bool is_own_work = line.find("ctxt_switches") != std::string::npos || line.starts_with("Vm") || line.starts_with("Rss");
      if (!is_own_work && !line.starts_with("SigQ:")) out += line + "\n";  // SigQ: of all that is its user's on the machine
    }
    return out;
  };
  const std::string first = numbers();
  for (int i = 0; i < 3; ++i) {
    batch.Run("fork_ok", {}, 8);
    CHECK(without_figures(numbers()) == without_figures(first));
  }
}

TEST_CASE("reused init: what a program does to the /dev/null that it was given the next one does not find, nor the host", "[kept]") {
  Batch batch;
  struct stat before {}, after {};
  REQUIRE(::stat("/dev/null", &before) == 0);
  const std::string first = batch.Run("null_streams").output;
  for (int i = 0; i < 3; ++i) CHECK(batch.Run("null_streams").output == first);
  REQUIRE(::stat("/dev/null", &after) == 0);
  CHECK(before.st_mtim.tv_sec == after.st_mtim.tv_sec);
  CHECK(before.st_mtim.tv_nsec == after.st_mtim.tv_nsec);
}

TEST_CASE("reused init: it does not outlive a program with processes that was ended", "[kept]") {
  if (!StartsThoseThatStartOthers()) TALLY_SKIP("init may not start programs with processes on this host");
  Batch batch;
  for (const char* program : {"fork_bomb", "busy_loop", "open_socket"}) {
    CAPTURE(program);
    for (int i = 0; i < 3; ++i) batch.Run("fork_ok", {}, 8);
    REQUIRE(batch.ReusedInit() > 0);
    TestRun run{.program = program, .limits = TestRun::SmallLimits()};
    run.limits.processes = 8;
    CHECK(batch.Run(run).code() != "OK");
    CHECK(batch.ReusedInit() == 0);
  }
}

TEST_CASE("reused init: it starts whatever its sandbox has, each with its own arguments, environment, limits and filters", "[kept]") {
  if (!PidsCanBeChosen()) TALLY_SKIP("init may not choose pids on this host");
  Batch batch;
  const pid_t init = batch.WarmUp("hello");
  REQUIRE(init > 0);
  for (const char* word : {"one", "two and more", ""}) {
    TestRun run{.program = "print_env", .arguments = {word}, .env = {std::string("WORD=") + word}};
    const TestResult result = batch.Run(run);
    CHECK(result.output.find(std::string("WORD=") + word + "\n") != std::string::npos);
    CHECK(batch.ReusedInit() == init);
  }
  for (const std::uint64_t memory : {32, 128, 16}) {
    TestRun run{.program = "print_limits", .memory_by = MemoryBy::kAddressSpace};
    run.limits.memory = Bytes::MiB(memory);
    const auto limits_in = [](const TestResult& result) { return result.output.substr(0, result.output.find("cpus")); };
    Batch other;
    CHECK(limits_in(batch.Run(run)) == limits_in(other.Run(run)));
    CHECK(batch.ReusedInit() == init);
  }
  CHECK(batch.Run(TestRun{.program = "hello", .counter = Counter::kTranslator}).code() == "OK");
  CHECK(batch.Run(TestRun{.program = "hello", .syscalls = SyscallCounting::kTrace}).code() == "OK");
  CHECK(batch.ReusedInit() == init);
}

// Reduced isolation has no init, and the whole policy in one filter.
TEST_CASE("reused init: what its filter lets through for the start of programs is not theirs", "[kept]") {
  const auto named = [](const TestResult& result) { return result.run.sentence.substr(0, result.run.sentence.find('(')); };  // the arguments vary
  for (const std::uint32_t processes : {1, 8}) {
    Batch batch;
    batch.WarmUp("hello");
    for (const char* call : {"clone3", "recvmsg", "setrlimit", "setns", "unshare", "setgroups", "setresgid", "setresuid", "capset", "personality", "seccomp", "dumpable",
                             "securebits", "no_new_privs", "time_stamps"}) {
      CAPTURE(call, processes);
      TestRun run{.program = "steps_of_start", .arguments = {call}, .limits = TestRun::SmallLimits()};
      run.limits.processes = processes;
      const TestResult result = batch.Run(run);
      run.isolation = Isolation::kReduced;
      const TestResult whole = RunTestProgram(run);
      CHECK(result.code() == whole.code());
      CHECK(result.output == whole.output);
      CHECK(named(result) == named(whole));
      CHECK((result.code() == "RV" || result.output.find("done") == std::string::npos));
    }
  }
}

TEST_CASE("reused init: who has it made before there is a program has it start the first one", "[kept]") {
  if (!PidsCanBeChosen()) TALLY_SKIP("init may not choose pids on this host");
  Batch usual;
  const TestResult expected = usual.Run("self_portrait");
  for (const char* sandbox : {"exec-sandbox", "interpreter-sandbox"}) {
    CAPTURE(sandbox);
    Batch batch(sandbox);
    ProcessExecutor().PrepareFirstRun(batch.sandbox());
    const pid_t init = batch.ReusedInit();
    if (batch.sandbox().spec().ShowsProc() && !CanChangeUser()) continue;
    REQUIRE(init > 0);
    const TestResult first = batch.Run("self_portrait");
    CHECK(first.ended());
    if (!batch.sandbox().spec().ShowsProc()) CHECK(first.output == expected.output);
    CHECK(batch.ReusedInit() == init);
    CHECK(batch.Run("self_portrait").output == first.output);
  }
}

TEST_CASE("reused init: what it cannot give, a changed /tmp and a broken rule need a new one", "[kept]") {
  if (!PidsCanBeChosen()) TALLY_SKIP("init may not choose pids on this host");
  Batch batch;
  pid_t init = batch.WarmUp("hello");
  REQUIRE(init > 0);
  const std::string much(300 << 10, 'x');  // more than init shares with us
  CHECK(batch.Run(TestRun{.program = "hello", .env = {"A=" + much.substr(0, 100 << 10), "B=" + much.substr(0, 100 << 10), "C=" + much.substr(0, 100 << 10)}}).ended());
  CHECK(batch.ReusedInit() != init);

  REQUIRE(batch.WarmUp("hello") > 0);
  batch.Run("writes_work_file", {"/tmp/left"});
  const TestResult after = batch.Run("list_dir", {"/tmp"});
  CHECK(after.output.find("/tmp/") == std::string::npos);

  REQUIRE(batch.WarmUp("hello") > 0);
  CHECK(batch.Run("open_socket").code() == "RV");
  CHECK(batch.ReusedInit() == 0);
}

TEST_CASE("reused init: one that has died meanwhile is replaced", "[kept]") {
  if (!PidsCanBeChosen()) TALLY_SKIP("init may not choose pids on this host");
  Batch batch;
  for (int i = 0; i < 3; ++i) {
    const pid_t init = batch.WarmUp("hello");
    REQUIRE(init > 0);
    REQUIRE(::kill(init, SIGKILL) == 0);
    const TestResult next = batch.Run("hello");
    CHECK(next.code() == "OK");
    CHECK(next.ended());
    CHECK(batch.ReusedInit() != init);
  }
}

TEST_CASE("reused init: a forked worker makes its own, and leaves ours alone", "[kept]") {
  if (!PidsCanBeChosen()) TALLY_SKIP("init may not choose pids on this host");
  Batch batch;
  const pid_t init = batch.WarmUp("hello");
  REQUIRE(init > 0);
  const pid_t worker = ::fork();
  if (worker == 0) {
    const bool ok = batch.Run("hello").code() == "OK" && batch.ReusedInit() != init;
    ::_exit(ok ? 0 : 1);
  }
  int status = -1;
  ::waitpid(worker, &status, 0);
  CHECK(status == 0);
  CHECK(batch.Run("hello").code() == "OK");
  CHECK(batch.ReusedInit() == init);
}

// As in a container whose root may do less.
void GiveUpChoosingPids() {
  __user_cap_header_struct header{_LINUX_CAPABILITY_VERSION_3, 0};
  __user_cap_data_struct sets[2]{};
  ::syscall(SYS_capget, &header, sets);
  sets[CAP_CHECKPOINT_RESTORE / 32].permitted &= ~(1u << (CAP_CHECKPOINT_RESTORE % 32));
  sets[CAP_CHECKPOINT_RESTORE / 32].effective &= ~(1u << (CAP_CHECKPOINT_RESTORE % 32));
  ::syscall(SYS_capset, &header, sets);
}

TEST_CASE("reused init: where the kernel does not give the pid, every run has a new one", "[kept]") {
  const pid_t process = ::fork();
  if (process == 0) {
    Batch batch;
    const TestResult first = batch.Run("self_portrait");
    GiveUpChoosingPids();
    bool same = true;
    for (int i = 0; i < 4; ++i) same &= batch.Run("self_portrait").output == first.output;
    ::_exit(same && first.ended() && batch.given_up() && batch.ReusedInit() == 0 ? 0 : 1);
  }
  int status = -1;
  ::waitpid(process, &status, 0);
  CHECK(status == 0);
}

TEST_CASE("reused init: it ends with its sandbox, and at the end of runs before", "[kept]") {
  if (!PidsCanBeChosen()) TALLY_SKIP("init may not choose pids on this host");
  pid_t init = 0;
  {
    Batch batch;
    init = batch.WarmUp("hello");
    REQUIRE(init > 0);
  }
  CHECK(::kill(init, 0) != 0);

  Batch batch;
  init = batch.WarmUp("hello");
  ProcessExecutor().RetireAll();
  CHECK(::kill(init, 0) != 0);
  CHECK(batch.Run("hello").code() == "OK");
}

}  // namespace
}  // namespace tally

// After a thousand runs of the rudest programs nothing is left: no process, mount, cgroup, temporary file or
// descriptor.
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <ctime>
#include <cstdlib>
#include <filesystem>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "base/sys.h"
#include "supervisor/api/cannot_execute.h"
#include "supervisor/run/process_executor.h"
#include "supervisor/sandbox/private_mounts.h"
#include "tests/support/batch.h"
#include "tests/support/catch.h"
#include "tests/support/run_program.h"
#include "tests/support/scratch_folder.h"

namespace tally {
namespace {

namespace fs = std::filesystem;

std::size_t Entries(const std::string& folder) {
  std::error_code error;
  return static_cast<std::size_t>(std::distance(fs::directory_iterator(folder, error), fs::directory_iterator()));
}

std::size_t Lines(const std::string& path) {
  const std::string text = sys::TryReadFile(path).value_or("");
  return static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n'));
}

std::size_t OurCgroups() {
  std::size_t count = 0;
  std::error_code error;
  const std::string mine = "tally-" + std::to_string(::getpid());
  const std::string leaf = mine + "-self";  // we live in it (cgroup_parent.h); the next process removes it
  for (fs::recursive_directory_iterator it("/sys/fs/cgroup", fs::directory_options::skip_permission_denied, error), end;
       it != end; it.increment(error)) {
    if (error) break;
    const std::string name = it->path().filename();
    if (name.rfind(mine, 0) == 0 && name != leaf) ++count;
  }
  return count;
}

// The test programs of this build by their inodes: other people's runs on this machine are not our leftovers.
bool IsTestProgram(const std::string& executable) {
  static const std::set<std::pair<dev_t, ino_t>> ours = [] {
    std::set<std::pair<dev_t, ino_t>> found;
    for (const auto& entry : fs::directory_iterator(BuildFolder() + "/tests/programs")) {
      struct stat status {};
      if (::stat(entry.path().c_str(), &status) == 0) found.emplace(status.st_dev, status.st_ino);
    }
    return found;
  }();
  struct stat status {};
  return ::stat(executable.c_str(), &status) == 0 && ours.contains({status.st_dev, status.st_ino});
}

// Processes below this one, and runs of the test programs, whoever adopted them.
std::size_t Descendants() {
  std::size_t count = 0;
  for (const auto& entry : fs::directory_iterator("/proc")) {
    const std::string name = entry.path().filename();
    if (name.find_first_not_of("0123456789") != std::string::npos) continue;
    const std::string status = sys::TryReadFile("/proc/" + name + "/status").value_or("");
    const bool is_child = status.find("\nPPid:\t" + std::to_string(::getpid()) + "\n") != std::string::npos;
    if (is_child || IsTestProgram("/proc/" + name + "/exe")) ++count;
  }
  return count;
}

// What we put into our own temporary folder, and what programs put into the machine's, which others use too.
std::size_t TemporaryFiles() {
  std::size_t count = Entries(fs::temp_directory_path());
  const uid_t user = ::geteuid() == 0 ? ProcessExecutor().sandboxes().user().uid() : ::geteuid();
  for (const auto& entry : fs::directory_iterator("/tmp")) {
    struct stat status {};
    const bool other_tests = entry.path().filename().string().starts_with("tally-");
    if (!other_tests && ::lstat(entry.path().c_str(), &status) == 0 && status.st_uid == user) ++count;
  }
  return count;
}

struct Traces {
  std::size_t descriptors, mounts, cgroups, processes, temporary_files;
  bool operator==(const Traces&) const = default;
};

Traces Look() {
  return {Entries("/proc/self/fd"), Lines("/proc/self/mounts"), OurCgroups(), Descendants(),
          TemporaryFiles()};
}

TEST_CASE("a thousand runs leave nothing behind", "[leftovers]") {
  struct Kind {
    const char* program;
    std::vector<std::string> arguments;
    std::uint32_t processes;
  };
  const std::vector<Kind> kinds = {{"exit_zero", {}, 1},   {"hello", {}, 1},           {"segfault_null", {}, 1},
                                   {"open_socket", {}, 1}, {"fork_once", {}, 1},       {"zombies", {"5"}, 8},
                                   {"orphans", {}, 8},     {"daemon_setsid", {}, 8},   {"stdout_flood", {"2"}, 1},
                                   {"fork_bomb", {}, 4},   {"orphan_holding_stdout", {}, 8}};
  const auto run = [&](std::size_t index) {
    const Kind& kind = kinds[index % kinds.size()];
    TestRun test{.program = kind.program, .arguments = kind.arguments};
    test.limits.processes = kind.processes;
    test.output_to_pipe = index % 5 == 0;
    RunTestProgram(test);
  };
  const ScratchFolder temporary;
  ::setenv("TMPDIR", temporary.path().c_str(), 1);
  for (std::size_t i = 0; i < kinds.size(); ++i) run(i);  // what is made once per process
  ProcessExecutor().RetireAll();
  const Traces before = Look();
  for (std::size_t i = 0; i < 1000; ++i) run(i);
  ProcessExecutor().RetireAll();
  const Traces after = Look();
  ::unsetenv("TMPDIR");
  CHECK(after.descriptors == before.descriptors);
  CHECK(after.mounts == before.mounts);
  CHECK(after.cgroups == 0);
  CHECK(after.processes == before.processes);
  CHECK(after.temporary_files <= before.temporary_files);
}

TEST_CASE("who waits for the next run holds no files and no process of the last", "[leftovers]") {
  RunTestProgram({.program = "exit_zero"});
  ProcessExecutor().RetireAll();
  const Traces before = Look();
  for (int i = 0; i < 3; ++i) {
    RunTestProgram({.program = "exit_zero"});
    ProcessExecutor().RetireRuns();
    const Traces after = Look();
    CHECK(after.mounts == before.mounts);
    CHECK(after.processes == before.processes);
  }
}

TEST_CASE("orphans are dead when the result is there", "[leftovers]") {
  for (const char* program : {"orphans", "daemon_setsid", "children_burning_cpu_after_exit"}) {
    CAPTURE(program);
    TestRun test{.program = program};
    test.limits.processes = 8;
    const std::size_t before = Descendants();  // a helper of our own may be among them (syscall_counter.cc)
    CHECK(RunTestProgram(test).code() == "OK");
    CHECK(Descendants() == before);
  }
}

TEST_CASE("without namespaces orphans are dead too", "[leftovers]") {
  TestRun test{.program = "orphans"};
  test.isolation = Isolation::kNone;
  test.limits.processes = 8;
  const std::size_t before = Descendants();
  CHECK(RunTestProgram(test).code() == "OK");
  CHECK(Descendants() == before);
}

// True when every process below us has ended; what has lost its parent comes to us.
bool EveryoneEnds() {
  const auto until = std::chrono::steady_clock::now() + std::chrono::seconds(10);
  for (;;) {
    const pid_t pid = ::waitpid(-1, nullptr, WNOHANG | __WALL);
    if (pid < 0) return true;
    if (pid == 0 && std::chrono::steady_clock::now() > until) return false;
    if (pid == 0) ::poll(nullptr, 0, 1);
  }
}

// Kills a supervisor so long after its first run; false when something of it goes on.
bool LeavesNothingWhenKilled(long microseconds) {
  sys::Pipe begun = sys::MakePipe();
  const pid_t supervisor = ::fork();
  if (supervisor == 0) {
    RunTestProgram({.program = "exit_zero"});
    begun.write_end.Reset();
    for (;;) RunTestProgram({.program = "fork_ok"});
  }
  begun.write_end.Reset();
  char unused;
  [[maybe_unused]] const ssize_t end = ::read(begun.read_end.get(), &unused, 1);
  const timespec moment{0, microseconds * 1000};
  ::nanosleep(&moment, nullptr);
  ::kill(supervisor, SIGKILL);
  return EveryoneEnds();
}

TEST_CASE("a supervisor that is killed leaves nothing running, whatever it was at", "[leftovers]") {
  // In a process that has no other children, which may be anybody's parent.
  const pid_t parent = ::fork();
  if (parent == 0) {
    ::prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0);
    for (long microseconds = 0; microseconds < 6000; microseconds += 60) {
      if (!LeavesNothingWhenKilled(microseconds)) ::_exit(1);
    }
    ::_exit(0);
  }
  int status = -1;
  ::waitpid(parent, &status, 0);
  CHECK(status == 0);
}

// Its end is told to two: to us who trace it, and to its init, on a single processor later than that.
TEST_CASE("who has other children does not wait for them after a program that cannot be executed", "[leftovers]") {
  const pid_t supervisor = ::fork();
  if (supervisor == 0) {
    ::alarm(20);
    const pid_t other = ::fork();
    if (other == 0) {
      ::prctl(PR_SET_PDEATHSIG, SIGKILL);
      for (;;) ::pause();
    }
    cpu_set_t one;
    CPU_ZERO(&one);
    CPU_SET(static_cast<std::size_t>(::sched_getcpu()), &one);
    ::sched_setaffinity(0, sizeof one, &one);
    Batch batch;
    int refused = 0;
    for (int i = 0; i < 100; ++i) {
      try {
        batch.Run("no_such_program");
      } catch (const CannotExecute&) {
        ++refused;
      }
    }
    const bool lives = ::kill(other, 0) == 0;
    ::kill(other, SIGKILL);
    ::_exit(refused == 100 && lives ? 0 : 1);
  }
  int status = -1;
  ::waitpid(supervisor, &status, 0);
  CHECK(status == 0);
}

}  // namespace
}  // namespace tally

// `tally` killed by SIGKILL at any moment of a run: none of its processes lives on, the host has no mount of it, and the next
// run removes its cgroups and folders.
//
// 60 kills; TALLY_KILLS=1000 in the environment says how many else. The moments are random, and the same each time.
#include <fcntl.h>
#include <fmt/format.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <random>
#include <string>
#include <vector>

#include "base/sys.h"
#include "tests/support/catch.h"
#include "tests/support/cli_run.h"
#include "tests/support/leftovers.h"
#include "tests/support/run_program.h"
#include "tests/support/scratch_folder.h"

namespace tally {
namespace {

constexpr unsigned kLongestEndingSeconds = 10;

[[noreturn]] void Become(const Words& command, const CliOptions& options) {
  for (const std::string& entry : options.environment) {
    const std::size_t equals = entry.find('=');
    ::setenv(entry.substr(0, equals).c_str(), entry.substr(equals + 1).c_str(), 1);
  }
  if (::chdir(options.directory.c_str()) != 0) ::_exit(126);
  const int null = ::open("/dev/null", O_RDWR);
  for (int fd = 0; fd < 3; ++fd) ::dup2(null, fd);
  std::vector<char*> argv;
  for (const std::string& word : command) argv.push_back(const_cast<char*>(word.c_str()));
  argv.push_back(nullptr);
  ::execv(argv[0], argv.data());
  ::_exit(127);
}

struct Killed {
  pid_t supervisor = 0;
  bool left_processes = false;
};

// In a process whose children are those of the run alone: who loses his parent comes to it.
Killed Kill(const Words& command, const CliOptions& options, long microseconds) {
  sys::Pipe told = sys::MakePipe();
  const pid_t nanny = ::fork();
  if (nanny == 0) {
    ::prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0);
    const pid_t supervisor = ::fork();
    if (supervisor == 0) Become(command, options);
    const timespec moment{microseconds / 1'000'000, microseconds % 1'000'000 * 1000};
    ::nanosleep(&moment, nullptr);
    ::kill(supervisor, SIGKILL);
    [[maybe_unused]] const ssize_t written = ::write(told.write_end.get(), &supervisor, sizeof supervisor);
    ::alarm(kLongestEndingSeconds);  // ends us
    while (::waitpid(-1, nullptr, __WALL) > 0 || errno == EINTR) {
    }
    ::_exit(0);
  }
  told.write_end.Reset();
  Killed out;
  [[maybe_unused]] const ssize_t size = ::read(told.read_end.get(), &out.supervisor, sizeof out.supervisor);
  int status = -1;
  ::waitpid(nanny, &status, 0);
  out.left_processes = status != 0;
  return out;
}

struct Package : ScratchFolder {
  Package() {
    for (const std::string name : {"1", "2"}) {
      Write("sums/" + name + ".in", name + " 10");
      Write("sums/" + name + ".out", "11\nEND\n");
    }
    Write("sums/tally.yml", "title: Sums\ntime_limit: 2s\nmemory_limit: 64M\n");
    Write("sum.c", "#include <stdio.h>\nint main(void) { int a, b; scanf(\"%d%d\", &a, &b); printf(\"%d\\nEND\\n\", a + b); }\n");
  }
};

TEST_CASE("who is killed at any moment leaves no process and no mount, and the next run removes the rest", "[faults][kills]") {
  const Package work;
  const ScratchFolder temporary;
  const CliOptions options{.directory = work.path(), .environment = {"TMPDIR=" + temporary.path()}};
  struct Kind {
    Words command;
    long longest;  // microseconds
  };
  const std::vector<Kind> kinds = {
      {{TallyPath(), "run", "--", TestProgram("hello")}, 30'000},
      {{TallyPath(), "run", "--memory", "64M", "--counter", "translator", "--", TestProgram("hello")}, 60'000},
      {{TallyPath(), "run", "--processes", "8", "--time", "5s", "--", TestProgram("fork_ok")}, 40'000},
      {{TallyPath(), "judge", "sums", TestProgram("sum_numbers"), "-j", "2"}, 120'000},
      {{TallyPath(), "judge", "sums", "sum.c"}, 600'000},
  };
  const char* const asked = std::getenv("TALLY_KILLS");
  const int kills = asked != nullptr ? std::atoi(asked) : 60;
  const std::string mounts = sys::ReadFile("/proc/self/mounts");
  std::mt19937 random(1);
  std::vector<pid_t> killed;
  int left_processes = 0;
  for (int i = 0; i < kills; ++i) {
    const Kind& kind = kinds[static_cast<std::size_t>(i) % kinds.size()];
    const long moment = std::uniform_int_distribution<long>(0, kind.longest)(random);
    const Killed one = Kill(kind.command, options, moment);
    INFO(fmt::format("{} us after the start of {}", moment, fmt::join(kind.command, " ")));
    CHECK_FALSE(one.left_processes);
    left_processes += one.left_processes ? 1 : 0;
    killed.push_back(one.supervisor);
  }
  CHECK(left_processes == 0);
  CHECK(sys::ReadFile("/proc/self/mounts") == mounts);
  CHECK(Tally({"judge", "sums", TestProgram("sum_numbers")}, options).status == 0);
  CHECK(LeftInFolder(temporary.path()) == "");
  CHECK(CgroupsOf(killed) == "");
}

}  // namespace
}  // namespace tally

#include "tests/support/exhausted_run.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <sstream>
#include <vector>

#include "base/error.h"
#include "base/sys.h"
#include "tests/support/leftovers.h"

namespace tally {
namespace {

constexpr long kLongestSeconds = 5;        // of a run, and until its processes are gone
constexpr std::size_t kLongestName = 200;

struct Report {
  int status = -1;  // of wait(2)
  pid_t pid = 0;
  bool hung = false;
  bool left_processes = false;
  bool left_mounts = false;
  char left_file[kLongestName] = {};
};

void Alarm() {
  struct sigaction action {};
  action.sa_handler = [](int) {};
  ::sigaction(SIGALRM, &action, nullptr);  // without SA_RESTART: who waits returns
  const itimerval timer{{1, 0}, {kLongestSeconds, 0}};
  ::setitimer(ITIMER_REAL, &timer, nullptr);
}

void KillChildren() {
  std::istringstream children(sys::TryReadFile("/proc/thread-self/children").value_or(""));
  for (pid_t child; children >> child;) ::kill(child, SIGKILL);
}

// Who does not end by itself is killed, so that the tests go on.
bool EveryoneEnds() {
  bool all = true;
  Alarm();
  for (;;) {
    if (::waitpid(-1, nullptr, __WALL) >= 0) continue;
    if (errno == ECHILD) return all;
    all = false;
    KillChildren();
  }
}

// Pipes, because a limit on the size of files reaches a file in memory, too. What the command writes is less than they hold.
struct Streams {
  sys::Pipe input = sys::MakePipe(), out = sys::MakePipe(), error = sys::MakePipe();
};

[[noreturn]] void BecomeCommand(const Words& command, const Scarcity& scarcity, const CliOptions& options, const Streams& streams) {
  for (const std::string& entry : options.environment) {
    const std::size_t equals = entry.find('=');
    ::setenv(entry.substr(0, equals).c_str(), entry.substr(equals + 1).c_str(), 1);
  }
  if (::chdir(options.directory.c_str()) != 0) ::_exit(126);
  ::dup2(streams.input.read_end.get(), STDIN_FILENO);
  ::dup2(streams.out.write_end.get(), STDOUT_FILENO);
  ::dup2(streams.error.write_end.get(), STDERR_FILENO);
  std::vector<char*> argv;
  for (const std::string& word : command) argv.push_back(const_cast<char*>(word.c_str()));
  argv.push_back(nullptr);
  if (scarcity.in_command && !scarcity.in_command()) ::_exit(126);
  ::execv(argv[0], argv.data());
  ::_exit(127);
}

std::string TemporaryFolder(const CliOptions& options) {
  for (const std::string& entry : options.environment) {
    if (entry.starts_with("TMPDIR=")) return entry.substr(7);
  }
  throw SystemError("a run with a scarcity has no TMPDIR", 0);
}

Report Watch(const Words& command, const Scarcity& scarcity, const CliOptions& options, const Streams& streams) {
  Report report;
  report.status = 126 << 8;
  ::prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0);
  if (scarcity.in_nanny && !scarcity.in_nanny()) return report;
  const std::string mounts = sys::ReadFile("/proc/self/mountinfo");
  report.pid = ::fork();
  if (report.pid == 0) BecomeCommand(command, scarcity, options, streams);
  Alarm();
  while (::waitpid(report.pid, &report.status, 0) < 0 && errno == EINTR) {
    report.hung = true;
    ::kill(report.pid, SIGKILL);
  }
  report.left_processes = !EveryoneEnds();
  report.left_mounts = sys::ReadFile("/proc/self/mountinfo") != mounts;
  LeftInFolder(TemporaryFolder(options)).copy(report.left_file, kLongestName - 1);
  return report;
}

std::string TextOf(sys::Pipe* pipe) {
  pipe->write_end.Reset();
  return sys::ReadAll(pipe->read_end.get(), "pipe");
}

}  // namespace

ScarceRun RunWithScarcity(const Words& command, const Scarcity& scarcity, const CliOptions& options) {
  Streams streams;
  streams.input.write_end.Reset();
  sys::Pipe told = sys::MakePipe();
  const pid_t nanny = ::fork();
  if (nanny == 0) {
    try {
      const Report report = Watch(command, scarcity, options, streams);
      ::_exit(::write(told.write_end.get(), &report, sizeof report) == sizeof report ? 0 : 1);
    } catch (...) {
      ::_exit(1);
    }
  }
  told.write_end.Reset();
  Report report;
  const bool is_told = ::read(told.read_end.get(), &report, sizeof report) == sizeof report;
  ::waitpid(nanny, nullptr, 0);
  if (!is_told) throw SystemError("follow a command", 0);
  ScarceRun run;
  const int status = report.status;
  run.result = {WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status), TextOf(&streams.out), TextOf(&streams.error)};
  run.pid = report.pid;
  run.hung = report.hung;
  run.left_processes = report.left_processes;
  run.left_mounts = report.left_mounts;
  run.left_file = report.left_file;
  return run;
}

}  // namespace tally

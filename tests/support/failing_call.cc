#include "tests/support/failing_call.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/time.h>
#include <sys/user.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <map>
#include <optional>
#include <set>
#include <sstream>

#include "base/error.h"
#include "base/fd.h"
#include "base/sys.h"
#include "tests/support/fallible_calls.h"

namespace tally {
namespace {

constexpr long kLongestSeconds = 10;       // of a run
constexpr long kLongestEndingSeconds = 5;  // until its processes are gone

constexpr std::uint64_t kReadyBytes = 16;  // what the program says when it is ready (supervisor/sandbox/child_steps.h, Message)

constexpr std::size_t kMostSupervisors = 8;

// What the nanny tells.
struct Report {
  int status = -1;  // of wait(2)
  pid_t supervisors[kMostSupervisors] = {};  // with zeros behind
  long call = -1;
  int error = 0;
  bool hung = false;
  bool left_processes = false;
};

void Alarm(long seconds) {
  struct sigaction action {};
  action.sa_handler = [](int) {};
  ::sigaction(SIGALRM, &action, nullptr);  // without SA_RESTART: who waits returns
  const itimerval timer{{1, 0}, {seconds, 0}};
  ::setitimer(ITIMER_REAL, &timer, nullptr);
}

class Nanny {
 public:
  Nanny(pid_t command, const Fault& fault) : command_(command), fault_(fault) {
    roles_[command] = Role::kSupervisor;
    NoteSupervisor(command);
  }

  Report Watch() {
    Alarm(kLongestSeconds);
    while (!ended_) {
      int status = 0;
      const pid_t pid = ::waitpid(-1, &status, __WALL);
      if (pid < 0 && errno != EINTR) break;
      if (pid < 0) {
        report_.hung = true;
        ::kill(command_, SIGKILL);
        is_over_ = true;
      } else if (WIFSTOPPED(status)) {
        OnStop(pid, status);
      } else if (pid == command_) {
        report_.status = status;
        ended_ = true;
      }
    }
    report_.left_processes = !EveryoneEnds();
    return report_;
  }

 private:
  enum class Role { kSupervisor, kInit, kProgram, kHelper };

  // Who does not is killed, so that the tests go on.
  bool EveryoneEnds() {
    is_over_ = true;
    bool all = true;
    Alarm(kLongestEndingSeconds);
    for (;;) {
      int status = 0;
      const pid_t pid = ::waitpid(-1, &status, __WALL);
      if (pid < 0 && errno == ECHILD) return all;
      if (pid < 0) {
        all = false;
        KillChildren();
      } else if (WIFSTOPPED(status)) {
        OnStop(pid, status);
      }
    }
  }

  static void KillChildren() {
    std::istringstream children(sys::TryReadFile("/proc/thread-self/children").value_or(""));
    for (pid_t child; children >> child;) ::kill(child, SIGKILL);
  }

  void OnStop(pid_t pid, int status) {
    const int event = status >> 16;
    if (event == PTRACE_EVENT_FORK || event == PTRACE_EVENT_VFORK || event == PTRACE_EVENT_CLONE) OnNewProcess(pid, event);
    if (event == PTRACE_EVENT_STOP && roles_.count(pid) == 0) {
      waiting_.insert(pid);
      return;
    }
    const bool at_call = WSTOPSIG(status) == (SIGTRAP | 0x80);
    if (at_call) OnCall(pid);
    GoOn(pid, event == 0 && !at_call ? WSTOPSIG(status) : 0);
  }

  void GoOn(pid_t pid, int signal) {
    const bool let_go = is_over_ || roles_[pid] == Role::kHelper;
    ::ptrace(let_go ? PTRACE_DETACH : PTRACE_SYSCALL, pid, nullptr, signal);
  }

  void OnNewProcess(pid_t parent, int event) {
    unsigned long child = 0;
    ::ptrace(PTRACE_GETEVENTMSG, parent, nullptr, &child);
    const auto pid = static_cast<pid_t>(child);
    const auto call = static_cast<long>(::ptrace(PTRACE_PEEKUSER, parent, offsetof(user_regs_struct, orig_rax), nullptr));
    Role role = Role::kHelper;
    if (roles_[parent] == Role::kSupervisor && event == PTRACE_EVENT_FORK) {
      role = call == SYS_clone3 ? Role::kInit : Role::kSupervisor;
      if (role == Role::kSupervisor) NoteSupervisor(pid);
    } else if (roles_[parent] == Role::kInit && event == PTRACE_EVENT_VFORK) {
      role = Role::kProgram;
    }
    roles_[pid] = role;
    if (waiting_.erase(pid) > 0) GoOn(pid, 0);
  }

  void NoteSupervisor(pid_t pid) {
    for (pid_t& known : report_.supervisors) {
      if (known == 0) {
        known = pid;
        return;
      }
    }
  }

  void OnCall(pid_t pid) {
    __ptrace_syscall_info info{};
    ::ptrace(PTRACE_GET_SYSCALL_INFO, pid, sizeof info, &info);
    if (info.op == PTRACE_SYSCALL_INFO_EXIT && break_ && break_->first == pid) RestoreBreak();
    if (info.op == PTRACE_SYSCALL_INFO_EXIT && refused_ && refused_->first == pid) SayError();
    if (info.op != PTRACE_SYSCALL_INFO_ENTRY || is_over_) return;
    const auto number = static_cast<long>(info.entry.nr);
    const Role role = roles_[pid];
    // main begins with the question whether the standard streams are open (cli/main.cc); what is before that is libc's.
    if (pid == command_ && number == SYS_fcntl) in_main_ = true;
    if (role == Role::kHelper || !in_main_) return;
    // Of ptrace(2), only to begin can be refused; the rest is about one that is ours and stands still.
    const bool no_fault = number == SYS_ptrace && info.entry.args[0] != PTRACE_SEIZE;
    const FallibleCall* const call = no_fault ? nullptr : FindFallibleCall(number);
    if (call != nullptr && static_cast<int>(role) == static_cast<int>(fault_.in) && ++calls_ == fault_.number) {
      Refuse(pid, *call);
      return;
    }
    if (role != Role::kSupervisor && number == SYS_write && info.entry.args[2] == kReadyBytes) roles_[pid] = Role::kHelper;
  }

  void Refuse(pid_t pid, const FallibleCall& call) {
    user_regs_struct registers{};
    ::ptrace(PTRACE_GETREGS, pid, nullptr, &registers);
    if (call.number == SYS_brk) {
      // It fails by saying where the end is (brk(2), "C library/kernel differences").
      break_ = {pid, registers.rdi};
      registers.rdi = 0;
    } else {
      registers.orig_rax = ~0ULL;
      refused_ = {pid, call.error};
    }
    ::ptrace(PTRACE_SETREGS, pid, nullptr, &registers);
    report_.call = call.number;
    report_.error = call.error;
  }

  // At the call's end: a filter that knows no such number has said another one (init's, sandbox/seccomp/policy.h).
  void SayError() {
    ::ptrace(PTRACE_POKEUSER, refused_->first, offsetof(user_regs_struct, rax), static_cast<long>(-refused_->second));
    refused_.reset();
    is_over_ = true;
  }

  // Who calls has its argument still.
  void RestoreBreak() {
    ::ptrace(PTRACE_POKEUSER, break_->first, offsetof(user_regs_struct, rdi), break_->second);
    break_.reset();
    is_over_ = true;
  }

  const pid_t command_;
  const Fault fault_;
  Report report_;
  std::map<pid_t, Role> roles_;
  std::set<pid_t> waiting_;  // seen before their parent's word about them
  std::optional<std::pair<pid_t, unsigned long long>> break_;  // whose brk is to fail, and what was asked of it
  std::optional<std::pair<pid_t, int>> refused_;  // who is being told which error
  bool in_main_ = false;
  bool is_over_ = false;  // everybody is let go
  bool ended_ = false;
  unsigned calls_ = 0;
};

Fd MemoryFile(const std::string& text = "") {
  Fd fd(::memfd_create("faulty", MFD_CLOEXEC));
  sys::WriteAll(fd.get(), text, "memfd");
  ::lseek(fd.get(), 0, SEEK_SET);
  return fd;
}

std::string TextOf(const Fd& file) {
  ::lseek(file.get(), 0, SEEK_SET);
  return sys::ReadAll(file.get(), "memfd");
}

struct Streams {
  Fd input, out = MemoryFile(), error = MemoryFile();
};

[[noreturn]] void BecomeCommand(const Words& command, const CliOptions& options, const Streams& streams, int go) {
  char unused;
  if (::read(go, &unused, 1) != 1) ::_exit(126);
  for (const std::string& entry : options.environment) {
    const std::size_t equals = entry.find('=');
    ::setenv(entry.substr(0, equals).c_str(), entry.substr(equals + 1).c_str(), 1);
  }
  if (!options.directory.empty() && ::chdir(options.directory.c_str()) != 0) ::_exit(126);
  ::dup2(streams.input.get(), STDIN_FILENO);
  ::dup2(streams.out.get(), STDOUT_FILENO);
  ::dup2(streams.error.get(), STDERR_FILENO);
  std::vector<char*> argv;
  for (const std::string& word : command) argv.push_back(const_cast<char*>(word.c_str()));
  argv.push_back(nullptr);
  ::execv(argv[0], argv.data());
  ::_exit(127);
}

[[noreturn]] void BeNanny(const Words& command, const Fault& fault, const CliOptions& options, const Streams& streams, int report) {
  ::prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0);
  const sys::Pipe go = sys::MakePipe();
  const pid_t pid = ::fork();
  if (pid == 0) BecomeCommand(command, options, streams, go.read_end.get());
  constexpr long kOptions = PTRACE_O_EXITKILL | PTRACE_O_TRACESYSGOOD | PTRACE_O_TRACEEXEC | PTRACE_O_TRACEFORK |
                            PTRACE_O_TRACEVFORK | PTRACE_O_TRACECLONE;
  if (::ptrace(PTRACE_SEIZE, pid, nullptr, kOptions) != 0) ::_exit(1);
  [[maybe_unused]] ssize_t written = ::write(go.write_end.get(), "g", 1);
  const Report said = Nanny(pid, fault).Watch();
  written = ::write(report, &said, sizeof said);
  ::_exit(0);
}

}  // namespace

FaultyRun RunWithFault(const Words& command, const Fault& fault, const CliOptions& options) {
  const Streams streams{.input = MemoryFile(options.input)};
  ::fcntl(streams.out.get(), F_SETFL, O_APPEND);
  ::fcntl(streams.error.get(), F_SETFL, O_APPEND);
  sys::Pipe report = sys::MakePipe();
  const pid_t nanny = ::fork();
  if (nanny == 0) BeNanny(command, fault, options, streams, report.write_end.get());
  report.write_end.Reset();
  Report said;
  const bool told = ::read(report.read_end.get(), &said, sizeof said) == sizeof said;
  ::waitpid(nanny, nullptr, 0);
  if (!told) throw SystemError("follow a command", 0);
  FaultyRun run;
  run.result = {WIFEXITED(said.status) ? WEXITSTATUS(said.status) : 128 + WTERMSIG(said.status), TextOf(streams.out),
                TextOf(streams.error)};
  for (const pid_t pid : said.supervisors) {
    if (pid != 0) run.supervisors.push_back(pid);
  }
  run.came_to_it = said.call >= 0;
  if (run.came_to_it) run.call = FindFallibleCall(said.call)->name;
  run.error = said.error;
  run.hung = said.hung;
  run.left_processes = said.left_processes;
  return run;
}

}  // namespace tally

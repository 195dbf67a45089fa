// What docs/isolation.md promises: forbidden calls are rule violations with a name, and what a program may do
// shows it nothing of the host and changes nothing there.
#include <fcntl.h>
#include <signal.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

#include "base/sys.h"
#include "tests/support/catch.h"
#include "tests/support/open_to_others.h"
#include "tests/support/run_program.h"
#include "tests/support/skip.h"
#include "tests/support/this_machine.h"

namespace tally {
namespace {

struct Forbidden {
  const char* program;
  std::vector<std::string> arguments;
  const char* call;
};

TEST_CASE("signals: what who starts a run blocks and ignores, its program does not", "[isolation]") {
  const std::string before = RunTestProgram({.program = "self_portrait"}).output;
  sigset_t some, old;
  sigemptyset(&some);
  for (const int number : {SIGUSR1, SIGTERM, SIGRTMAX}) sigaddset(&some, number);
  ::sigprocmask(SIG_BLOCK, &some, &old);
  for (const int number : {SIGINT, SIGUSR2, SIGRTMIN}) ::signal(number, SIG_IGN);
  const TestResult after = RunTestProgram({.program = "self_portrait"});
  for (const int number : {SIGINT, SIGUSR2, SIGRTMIN}) ::signal(number, SIG_DFL);
  ::sigprocmask(SIG_SETMASK, &old, nullptr);
  CHECK(after.ended());
  CHECK(after.output == before);
}

TEST_CASE("RV: every forbidden call ends the program before it is executed, and the sentence names it",
          "[isolation]") {
  const std::vector<Forbidden> table = {
      {"open_socket", {}, "socket"},
      {"connect_loopback", {}, "socket"},
      {"unix_socket_abstract", {}, "socket"},
      {"ptrace_parent", {}, "ptrace"},
      {"ptrace_traceme", {}, "ptrace"},
      {"kill_parent", {}, "kill"},
      {"kill_all", {}, "kill"},
      {"kill_group", {}, "kill"},
      {"sigio_kill_parent", {}, "fcntl"},
      {"fork_bomb", {}, "clone"},
      {"fork_once", {}, "clone"},
      {"fork_ok", {}, "clone"},
      {"threads_ok", {}, "clone"},
      {"clone_thread", {}, "clone"},
      {"vfork_once", {}, "vfork"},
      {"clone_flag_trick", {}, "clone"},
      {"execve_shell", {}, "execve"},
      {"execve_self", {}, "execve"},
      {"execve_launch_path", {}, "execve"},
      {"exec_chain", {}, "execve"},
      {"memfd_fexecve", {}, "memfd_create"},
      {"memfd_fill", {}, "memfd_create"},
      {"int80_getpid", {}, "getpid (i386)"},
      {"int80_execve", {}, "execve (i386)"},
      {"x32_getpid", {}, "getpid (x32)"},
      {"mount_something", {}, "mount"},
      {"pivot_root_call", {}, "pivot_root"},
      {"chroot_escape", {}, "chroot"},
      {"unshare_userns", {}, "unshare"},
      {"setns_call", {}, "setns"},
      {"bpf_call", {}, "bpf"},
      {"perf_open", {}, "perf_event_open"},
      {"keyctl_call", {}, "keyctl"},
      {"userfaultfd_call", {}, "userfaultfd"},
      {"io_uring_setup_call", {}, "io_uring_setup"},
      {"process_vm_readv_parent", {}, "process_vm_readv"},
      {"kcmp_parent", {}, "kcmp"},
      {"personality_change", {}, "personality"},
      {"seccomp_new_filter", {}, "seccomp"},
      {"setuid_call", {}, "setuid"},
      {"prctl_call", {"ptracer"}, "prctl"},
      {"prctl_call", {"dumpable"}, "prctl"},
      {"ioctl_tiocsti", {}, "ioctl"},
      {"reboot_call", {}, "reboot"},
      {"sethostname_call", {}, "sethostname"},
      {"syslog_call", {}, "syslog"},
      {"device_nodes", {}, "mknod"},
      {"ipc_sysv", {}, "shmget"},
      {"load_module", {}, "module"},
      {"modify_ldt_call", {}, "modify_ldt"},
      {"compat_mode_getpid", {}, "getpid (i386)"},
      {"file_handles", {}, "name_to_handle_at"},
      {"fork_hopping", {}, "clone"},
      {"io_ports", {}, "ioperm"},
      {"network_interfaces", {}, "socket"},
      {"pidfd_steal", {}, "pidfd_open"},
      {"probe_pids", {}, "kill"},
      {"set_clock", {}, "settimeofday"},
  };
  if (!RunsI386()) std::printf("SKIPPED: this kernel has no 32-bit system calls: int 0x80 is a fault here\n");
  for (const Forbidden& row : table) {
    CAPTURE(row.program, row.arguments);
    if (!RunsI386() && std::string_view(row.call).find("(i386)") != std::string_view::npos) continue;
    const TestResult result = RunTestProgram({.program = row.program, .arguments = row.arguments});
    CAPTURE(result.run.sentence, result.output, result.error_output);
    CHECK(result.code() == "RV");
    const bool is_second_task = std::string_view(row.call) == "vfork" || std::string_view(row.call) == "clone";
    CHECK(result.run.sentence.starts_with(is_second_task ? "process limit exceeded: a second " : "intercepted forbidden syscall "));
    CHECK(result.run.sentence.find(row.call) != std::string::npos);
    CHECK_FALSE(result.ended());
  }
}

TEST_CASE("processes: one more than allowed is RV, as many as allowed is not", "[isolation]") {
  TestRun run{.program = "fork_ok"};
  run.limits.processes = 4;
  CHECK(RunTestProgram(run).code() == "OK");
  run.program = "fork_bomb";
  const TestResult bomb = RunTestProgram(run);
  CHECK(bomb.code() == "RV");
  CHECK(bomb.run.sentence == "process limit exceeded: more than 4 processes and threads (processes: 4)");
}

TEST_CASE("processes: one that has called exit does not count, however quickly the next ones follow", "[isolation]") {
  TestRun run{.program = "orphans_pass_on", .arguments = {"200"}};  // emulated processors take 10 ms for each
  // Two live at a time beside the first, but for those that have not come to their exit yet where others have the processor: a few.
  run.limits.processes = 16;
  for (int i = 0; i < 5; ++i) {
    const TestResult result = RunTestProgram(run);
    CAPTURE(result.run.sentence);
    CHECK(result.code() == "OK");
  }
  run.limits.processes = 2;
  CHECK(RunTestProgram(run).code() == "RV");
}

TEST_CASE("processes: one too many is RV soon, though all others stop all the time", "[isolation]") {
  // Half as many tell how fast this machine is.
  TestRun run{.program = "one_too_many_beside_floods", .arguments = {"30"}, .syscalls = SyscallCounting::kTrace};
  run.limits.processes = 31;
  const TestResult half = RunTestProgram(run);
  CHECK(half.code() == "RV");
  run.arguments = {"60"};
  run.limits.processes = 61;
  const TestResult result = RunTestProgram(run);
  CAPTURE(result.run.sentence);
  CHECK(result.code() == "RV");
  CHECK(result.output.empty());
  CHECK(result.run.wall_time < 10 * half.run.wall_time);  // most of it to make them
}

TEST_CASE("processes: where threads alone are allowed, a second process is RV, however it is made", "[isolation]") {
  TestRun run{.program = "threads_ok"};
  run.limits.processes = 16;
  run.limits.threads_only = true;
  CHECK(RunTestProgram(run).code() == "OK");
  for (const char* program : {"fork_once", "vfork_once"}) {
    CAPTURE(program);
    run.program = program;
    const TestResult result = RunTestProgram(run);
    CHECK(result.code() == "RV");
    CHECK(result.run.sentence == "process limit exceeded: a second process, where threads alone are allowed");
  }
}

TEST_CASE("processes: with permission for processes, other namespaces stay forbidden", "[isolation]") {
  TestRun run{.program = "clone_namespaces"};
  run.limits.processes = 4;
  const TestResult result = RunTestProgram(run);
  CAPTURE(result.run.sentence, result.output);
  CHECK(result.code() == "RV");
  CHECK(result.run.sentence.find("clone") != std::string::npos);
}

TEST_CASE("signals: with permission for processes, killing everything kills nobody outside", "[isolation]") {
  for (const char* program : {"kill_all", "kill_parent", "kill_group"}) {
    CAPTURE(program);
    TestRun run{.program = program};
    run.limits.processes = 4;
    const TestResult result = RunTestProgram(run);
    CAPTURE(result.run.sentence, result.output);
    CHECK((result.code() == "OK" || result.code() == "RE"));  // we are still here to say so
  }
}

TEST_CASE("host files: what is not mounted is not there", "[isolation]") {
  const TestResult result = RunTestProgram({.program = "read_etc_passwd"});
  CAPTURE(result.output);
  CHECK(result.code() == "OK");
  CHECK(result.output.find("root:x:") == std::string::npos);
  const TestResult listed = RunTestProgram({.program = "list_dir", .arguments = {"/"}});
  CHECK(listed.code() == "OK");
  for (const char* name : {"/home", "/root", "/etc/passwd", "/var", "/boot", "/srv", "/sys"}) {
    CAPTURE(name, listed.output);
    CHECK(listed.output.find(std::string(name) + " ") == std::string::npos);
  }
}

TEST_CASE("host files: nothing can be written but the run's own /tmp", "[isolation]") {
  const TestResult result = RunTestProgram({.program = "write_host_files"});
  CAPTURE(result.output, result.run.sentence);
  CHECK(result.code() == "OK");
  for (const char* folder : {"/usr", "/bin", "/lib", "/dev", "/"}) {
    CHECK_FALSE(RunTestProgram({.program = "writes_work_file", .arguments = {std::string(folder) + "/tally-test"}})
                    .ended());
  }
  CHECK(RunTestProgram({.program = "writes_work_file", .arguments = {"/tmp/tally-test"}}).ended());
}

TEST_CASE("host files: what one run writes into /tmp the next one does not see", "[isolation]") {
  RunTestProgram({.program = "file_flood", .arguments = {"1", "/tmp"}});
  const TestResult result = RunTestProgram({.program = "list_dir", .arguments = {"/tmp"}});
  CHECK(result.output.find("/tmp/") == std::string::npos);
}

TEST_CASE("probes: what looks for a way out finds none, comes to its end, and leaves us here to say so",
          "[isolation]") {
  for (const char* program :
       {"cgroup_escape", "change_modes", "clone3_once", "cwd_escape", "descriptor_flood",
        "link_tricks", "lock_input", "many_files", "print_limits", "random_probe", "raw_syscall", "read_proc",
        "read_stdout", "rlimit_raise", "run_as_root", "set_priority", "timing_probe", "write_stdin"}) {
    CAPTURE(program);
    const TestResult result = RunTestProgram({.program = program});
    CAPTURE(result.run.sentence, result.output);
    CHECK(result.code() == "OK");
    CHECK(result.ended());
  }
}

TEST_CASE("report: a program finds no descriptor to write a verdict of its own into", "[isolation]") {
  const TestResult result = RunTestProgram({.program = "forge_report"});
  CAPTURE(result.run.sentence);
  CHECK(result.output.find("forged 0 times") != std::string::npos);
}

TEST_CASE("privileges: an unprivileged user, no capabilities, no new privileges, no groups", "[isolation]") {
  TestRun run{.program = "print_ids"};
  run.sandbox = "interpreter-sandbox";  // has a /proc to look into
  const TestResult result = RunTestProgram(run);
  CAPTURE(result.output, result.run.sentence);
  CHECK(result.code() == "OK");
  CHECK(result.output.find("60000") != std::string::npos);
  for (const char* line : {"CapInh:\t0000000000000000", "CapPrm:\t0000000000000000", "CapEff:\t0000000000000000",
                           "CapAmb:\t0000000000000000", "NoNewPrivs:\t1", "Seccomp:\t2"}) {
    CAPTURE(line);
    std::string text = result.output;
    std::erase(text, '\t');
    std::erase(text, ' ');
    std::string wanted = line;
    std::erase(wanted, '\t');
    CHECK(text.find(wanted) != std::string::npos);
  }
}

TEST_CASE("privileges: a setuid program runs as nobody special", "[isolation]") {
  TestRun run{.program = "setuid_binary_check"};
  run.limits.processes = 4;
  run.limits.idle_time.reset();  // the host may be long in reading it from its disk
  run.limits.wall_time = std::chrono::seconds(10);
  const TestResult result = RunTestProgram(run);
  CAPTURE(result.output, result.error_output, result.run.sentence);
  CHECK(result.code() == "OK");
  CHECK(result.output.find("uid 0") == std::string::npos);
  CHECK(result.output.find("uid=0") == std::string::npos);
}

TEST_CASE("processes: a program sees the run's own and no others", "[isolation]") {
  TestRun run{.program = "see_processes"};
  run.sandbox = "interpreter-sandbox";
  const TestResult result = RunTestProgram(run);
  CAPTURE(result.output);
  CHECK(result.code() == "OK");
  CHECK(std::count(result.output.begin(), result.output.end(), '\n') <= 5);
}

TEST_CASE("proc: where a sandbox shows it, it tells of processes and not of this machine, and cannot be written to", "[isolation]") {
  TestRun run{.program = "looks_into_machine"};
  run.sandbox = "interpreter-sandbox";
  const TestResult result = RunTestProgram(run);
  CAPTURE(result.output, result.run.sentence);
  CHECK(result.ended());
  CHECK(result.output.find("told") == std::string::npos);
  CHECK(result.output.find("cpuinfo: there") != std::string::npos);
  CHECK(result.output.find("meminfo: there") != std::string::npos);
  CHECK(result.output.find("clear_refs: refused") != std::string::npos);
  CHECK(result.output.find("interfaces: 1") != std::string::npos);  // lo
}

TEST_CASE("processes: the sandbox's init cannot be looked into through /proc", "[isolation]") {
  TestRun run{.program = "proc_escape"};
  run.sandbox = "interpreter-sandbox";
  const TestResult result = RunTestProgram(run);
  CAPTURE(result.output, result.run.sentence);
  CHECK(result.output.find("/proc/1/mem: allowed") == std::string::npos);
  CHECK(result.output.find("/proc/1/root: allowed") == std::string::npos);
  CHECK(result.output.find("/proc/1/mem") != std::string::npos);
}

TEST_CASE("descriptors: a program finds 0, 1 and 2 and no others", "[isolation]") {
  const Fd not_for_it = sys::Open("/etc/passwd", O_RDONLY);
  const TestResult result = RunTestProgram({.program = "print_fds"});
  CAPTURE(result.output);
  CHECK(result.code() == "OK");
  CHECK(result.output.find("fd 3") == std::string::npos);
  CHECK(result.output.find("3 descriptors") != std::string::npos);
}

TEST_CASE("environment: the sandbox's and the request's, nothing of the judge's", "[isolation]") {
  ::setenv("TALLY_TEST_SECRET", "token", 1);
  TestRun run{.program = "print_env"};
  run.env = {"GIVEN=yes"};
  const TestResult result = RunTestProgram(run);
  ::unsetenv("TALLY_TEST_SECRET");
  CHECK(result.output.find("TALLY_TEST_SECRET") == std::string::npos);
  CHECK(result.output.find("GIVEN=yes") != std::string::npos);
}

TEST_CASE("terminal: a program has none", "[isolation]") {
  CHECK(RunTestProgram({.program = "print_tty"}).code() == "OK");
}

TEST_CASE("32-bit programs: RV without the permission, OK with it", "[isolation]") {
  if (TestProgram("hello_32").empty()) TALLY_SKIP("32-bit programs could not be built here (gcc-multilib)");
  if (!RunsI386()) TALLY_SKIP("this kernel does not execute 32-bit programs");
  CHECK(RunTestProgram({.program = "hello_32"}).code() == "RV");
  TestRun run{.program = "hello_32"};
  run.sandbox = "checker-sandbox";
  const TestResult result = RunTestProgram(run);
  CAPTURE(result.run.sentence);
  CHECK(result.code() == "OK");
  run.counter = Counter::kTranslator;
  run.virtual_cpu.model = CpuModel::kV2;  // that every processor has
  const TestResult translated = RunTestProgram(run);
  CHECK(translated.code() == "RV");
  CHECK(translated.run.sentence.find("compile it for x86-64") != std::string::npos);
}

TEST_CASE("reduced isolation: who may write files changes the mode, the owner and the times of none", "[isolation]") {
  const OpenToOthers open({"change_attributes"});
  const ScratchFolder folder;
  const std::string file = folder.Write("file", "not the program's\n");
  TestRun run{.program = "change_attributes", .arguments = {file}};
  run.permissions.emplace().file_writes = true;
  for (const Isolation isolation : {Isolation::kReduced, Isolation::kFull}) {
    run.isolation = isolation;
    const TestResult result = RunTestProgram(run);
    CAPTURE(static_cast<int>(isolation), result.run.sentence);
    CHECK(result.code() == "OK");
    CHECK(result.output == "END\n");
  }
}

TEST_CASE("reduced isolation: the same calls are forbidden, unmounted files cannot be opened", "[isolation]") {
  std::vector<std::string> forbidden{"open_socket", "ptrace_parent", "kill_parent", "fork_once"};
  if (RunsI386()) forbidden.emplace_back("int80_getpid");
  std::vector<std::string> programs{"read_etc_passwd", "hello"};
  programs.insert(programs.end(), forbidden.begin(), forbidden.end());
  const OpenToOthers open(programs);  // the sandbox's user goes the host's way to them
  TestRun run{.program = "read_etc_passwd"};
  run.isolation = Isolation::kReduced;
  const TestResult files = RunTestProgram(run);
  CAPTURE(files.output, files.run.sentence);
  CHECK(files.output.find("root:x:") == std::string::npos);
  for (const std::string& program : forbidden) {
    CAPTURE(program);
    run.program = program;
    CHECK(RunTestProgram(run).code() == "RV");
  }
  run.program = "hello";
  const TestResult hello = RunTestProgram(run);
  CHECK(hello.code() == "OK");
  CHECK(hello.run.isolation.find("reduced") == 0);
}

}  // namespace
}  // namespace tally

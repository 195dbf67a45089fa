// As root programs become a user of their executor's own (supervisor/sandbox/sandbox_user.h).
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>
#include <functional>
#include <string>

#include "base/sys.h"
#include "supervisor/run/process_executor.h"
#include "supervisor/sandbox/private_mounts.h"
#include "tests/support/catch.h"
#include "tests/support/run_program.h"
#include "tests/support/skip.h"

namespace tally {
namespace {

// A fork that runs programs of its own. Killed with this object.
class OtherExecutor {
 public:
  explicit OtherExecutor(const std::function<void()>& act) : pid_(::fork()) {
    if (pid_ != 0) return;
    act();
    ProcessExecutor().RetireAll();
    ::_exit(0);
  }
  ~OtherExecutor() {
    ::kill(pid_, SIGKILL);
    ::waitpid(pid_, nullptr, 0);
  }
  OtherExecutor(const OtherExecutor&) = delete;
  OtherExecutor& operator=(const OtherExecutor&) = delete;

 private:
  pid_t pid_;
};

bool ChangesUser() { return ProgramsChangeUser(Isolation::kFull); }

// Waits until the status file of some process has this line.
bool ComesTrue(const std::string& line) {
  for (const Nanoseconds end = sys::MonotonicNow() + std::chrono::seconds(5); sys::MonotonicNow() < end; ::usleep(1000)) {
    for (const auto& entry : std::filesystem::directory_iterator("/proc")) {
      if (sys::TryReadFile(entry.path().string() + "/status").value_or("").find(line) != std::string::npos) return true;
    }
  }
  return false;
}

TEST_CASE("sandbox user: executors at the same time have different ones, the first free one again later", "[user]") {
  if (!ChangesUser()) TALLY_SKIP("programs run as the user who started this test");
  const uid_t ours = ProcessExecutor().sandboxes().user().uid();
  const auto user_of_another = [] {
    sys::Pipe pipe = sys::MakePipe();
    const OtherExecutor other([&] { sys::WriteAll(pipe.write_end.get(), std::to_string(ProcessExecutor().sandboxes().user().uid()), "pipe"); });
    pipe.write_end.Reset();
    return sys::ReadAll(pipe.read_end.get(), "pipe");
  };
  const std::string first = user_of_another();
  CHECK(first != std::to_string(ours));
  CHECK(std::stoul(first) >= kSandboxUid);
  CHECK(user_of_another() == first);
}

TEST_CASE("sandbox user: whichever it is, a program sees 60000", "[user]") {
  const std::string here = RunTestProgram({.program = "print_ids"}).output;
  CHECK(here.find("60000") != std::string::npos);
  sys::Pipe pipe = sys::MakePipe();
  const OtherExecutor other([&] { sys::WriteAll(pipe.write_end.get(), RunTestProgram({.program = "print_ids"}).output, "pipe"); });
  pipe.write_end.Reset();
  CHECK(sys::ReadAll(pipe.read_end.get(), "pipe") == here);
}

// The kernel counts pending signals by user: a program that has all it may have would leave none for the other's.
TEST_CASE("sandbox user: what one program has of a user's limits, another beside it does not lack", "[user]") {
  if (!ChangesUser()) TALLY_SKIP("programs run as the user who started this test");
  CHECK(RunTestProgram({.program = "queues_signals", .arguments = {"1025"}}).code() == "RE");
  const TestRun waits{.program = "queues_signals", .arguments = {"1024", "wait"}, .input_stays_open = true};
  const OtherExecutor other([&] { RunTestProgram(waits); });
  REQUIRE(ComesTrue("\nSigQ:\t1024/1024\n"));
  const TestResult result = RunTestProgram({.program = "queues_signals", .arguments = {"1024"}});
  CAPTURE(result.error_output);
  CHECK(result.code() == "OK");
  CHECK(result.ended());
}

}  // namespace
}  // namespace tally

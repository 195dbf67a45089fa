#include "supervisor/translator/turns/turn_processor.h"

#include <sched.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <thread>

#include "supervisor/resources/sched_times.h"
#include "tests/support/catch.h"
#include "tests/support/skip.h"

namespace tally {
namespace {

class Child {
 public:
  enum class Does : std::uint8_t { kSleep, kUseItsProcessor };
  explicit Child(Does what) : pid_(::fork()) {
    if (pid_ != 0) return;
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);
    while (what == Does::kSleep) ::pause();
    for (volatile int i = 0;;) i = 1 - i;
  }
  ~Child() {
    ::kill(pid_, SIGKILL);
    ::waitpid(pid_, nullptr, 0);
  }
  Child(const Child&) = delete;
  Child& operator=(const Child&) = delete;
  [[nodiscard]] pid_t pid() const { return pid_; }
  // Has it run, as far as the kernel says?
  [[nodiscard]] bool HasRun() const {
    for (int i = 0; i < 1000 && !SchedTimesOf(pid_); ++i) std::this_thread::sleep_for(std::chrono::milliseconds(1));
    return SchedTimesOf(pid_).has_value();
  }

 private:
  pid_t pid_;
};

cpu_set_t ProcessorsOf(pid_t task) {
  cpu_set_t set;
  CPU_ZERO(&set);
  ::sched_getaffinity(task, sizeof set, &set);
  return set;
}

void CheckMayBeWhere(pid_t task, const cpu_set_t& before) {
  const cpu_set_t now = ProcessorsOf(task);
  CHECK(CPU_EQUAL(&now, &before));
}

TEST_CASE("turns: tasks are kept on our processor, and with us may be where they might be when they are let go", "[turns]") {
  const Child one(Child::Does::kSleep), other(Child::Does::kSleep);
  if (!one.HasRun() || !other.HasRun()) TALLY_SKIP("this kernel does not say how long a task waits for a processor");
  const cpu_set_t before = ProcessorsOf(0);
  {
    TurnProcessor processor;
    for (int round = 0; round < 2; ++round) {
      for (const pid_t task : {one.pid(), other.pid(), one.pid()}) CHECK(processor.Keep(task));
      CHECK(processor.keeps());
      const cpu_set_t ours = ProcessorsOf(0);
      CHECK(CPU_COUNT(&ours) == 1);
      for (const pid_t task : {one.pid(), other.pid()}) CheckMayBeWhere(task, ours);
      if (round == 0) processor.LetGo();
    }
  }
  for (const pid_t task : {0, one.pid(), other.pid()}) CheckMayBeWhere(task, before);
}

TEST_CASE("turns: a task that others keep from our processor is left to the kernel, also where tasks begin and end all the time", "[turns]") {
  const bool others_end = GENERATE(false, true);
  CAPTURE(others_end);
  const Child task(Child::Does::kUseItsProcessor), other(Child::Does::kUseItsProcessor);
  if (!task.HasRun()) TALLY_SKIP("this kernel does not say how long a task waits for a processor");
  const cpu_set_t before = ProcessorsOf(0);
  TurnProcessor processor;
  bool is_kept = processor.Keep(task.pid());
  CHECK(is_kept);
  const cpu_set_t ours = ProcessorsOf(0);
  ::sched_setaffinity(other.pid(), sizeof ours, &ours);
  for (int i = 0; i < 100 && is_kept; ++i) {
    std::this_thread::sleep_for(TurnProcessor::kTogether + std::chrono::milliseconds(5));
    if (others_end) processor.LetGo();
    is_kept = processor.Keep(task.pid());
  }
  CHECK_FALSE(is_kept);
  CHECK_FALSE(processor.keeps());
  CheckMayBeWhere(task.pid(), before);
  CheckMayBeWhere(0, before);
}

}  // namespace
}  // namespace tally

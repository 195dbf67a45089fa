// What an observer of system calls is told, with the translator writing the calls down (supervisor/api/call_observer.h).

#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <fstream>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "supervisor/api/call_observer.h"
#include "supervisor/resources/cpu_clock.h"
#include "tests/support/catch.h"
#include "tests/support/run_program.h"
#include "tests/support/skip.h"

namespace tally {
namespace {

class Notes : public CallObserver {
 public:
  // Called with the program's id when it begins.
  std::function<void(pid_t)> on_begin;

  struct Task {
    Ticks begin = 0, end = 0;
    bool is_thread = false;
    std::vector<ObservedCall> calls;
    std::uint64_t unfinished = ~0ULL;  // its number
    Ticks stopped = 0;
  };

  void Began(pid_t first, Ticks when) override {
    tasks[first].begin = when;
    if (on_begin) on_begin(first);
  }
  void TaskBegan(pid_t task, pid_t parent, bool is_thread, bool /*shares_descriptors*/, Ticks when) override {
    CHECK(tasks.contains(parent));
    tasks[task] = {.begin = when, .is_thread = is_thread};
  }
  void TaskEnded(pid_t task, const ObservedCall* unfinished, Ticks when) override {
    tasks[task].end = when;
    if (unfinished != nullptr) tasks[task].unfinished = unfinished->number;
  }
  void Named(pid_t /*task*/, std::uint64_t /*number*/, std::string_view name) override { names.emplace_back(name); }
  void Called(pid_t task, std::span<const ObservedCall> calls) override {
    auto& known = tasks[task].calls;
    known.insert(known.end(), calls.begin(), calls.end());
  }
  void Stopped(pid_t task, Ticks begin, Ticks end) override { tasks[task].stopped += end - begin; }
  void Translated(pid_t /*task*/, Ticks /*begin*/, Ticks /*end*/, Nanoseconds while_going) override { idle += while_going; }
  void Clock(Ticks begin, Ticks end, std::uint64_t nanoseconds) override {
    ticks_per_second = static_cast<double>(end - begin) * 1e9 / static_cast<double>(nanoseconds);
  }

  std::map<pid_t, Task> tasks;
  std::vector<std::string> names;
  Nanoseconds idle{0};  // while it went on
  double ticks_per_second = 0;
};

TestResult Observe(const std::string& program, Notes* notes, std::vector<std::string> arguments = {}, std::uint32_t processes = 1) {
  TestRun run{.program = program, .arguments = std::move(arguments)};
  run.counter = Counter::kTranslator;
  run.call_observer = notes;
  run.syscalls = SyscallCounting::kAuto;
  run.limits.user_time.reset();
  run.limits.cpu_time.reset();
  run.limits.idle_time.reset();
  run.limits.wall_time = std::chrono::seconds(30);
  run.limits.processes = processes;
  run.virtual_cpu.rules.Remove(VirtualRule::kTime);
  return RunTestProgram(run);
}

void CheckOrder(const Notes& notes) {
  for (const auto& [tid, task] : notes.tasks) {
    Ticks last = task.begin;
    bool in_order = true;
    for (const ObservedCall& call : task.calls) {
      in_order = in_order && call.begin >= last && call.end >= call.begin;
      last = call.end;
    }
    CHECK(in_order);
    CHECK(task.end >= last);
  }
}

const ObservedCall* Find(const Notes::Task& task, std::uint64_t number) {
  for (const ObservedCall& call : task.calls) {
    if (call.number == number) return &call;
  }
  return nullptr;
}

TEST_CASE("observed calls: each with what it was, what it gave, and when", "[observer]") {
  Notes notes;
  const TestResult got = Observe("hello", &notes);
  REQUIRE(got.code() == "OK");
  REQUIRE(notes.tasks.size() == 1);
  const Notes::Task& task = notes.tasks.begin()->second;
  const ObservedCall* const write = Find(task, SYS_write);
  REQUIRE(write != nullptr);
  CHECK(write->arguments[0] == 1);
  CHECK(write->result == static_cast<std::int64_t>(got.output.size()));
  CHECK(task.unfinished == SYS_exit_group);
  CHECK(task.calls.size() + 1 == got.run.syscalls.value());
  CheckOrder(notes);
  CHECK(notes.ticks_per_second > 1e8);
}

TEST_CASE("observed calls: more of them than the log holds are all there", "[observer]") {
  Notes notes;
  const TestResult got = Observe("syscalls_n", &notes, {"20000"});
  REQUIRE(got.code() == "OK");
  CHECK(notes.tasks.begin()->second.calls.size() + 1 == got.run.syscalls.value());
  CheckOrder(notes);
}

TEST_CASE("observed calls: a sleep is as long as it was", "[observer]") {
  Notes notes;
  REQUIRE(Observe("sleeps_briefly", &notes).code() == "OK");
  const Notes::Task& task = notes.tasks.begin()->second;
  const ObservedCall* sleep = Find(task, SYS_clock_nanosleep);
  if (sleep == nullptr) sleep = Find(task, SYS_nanosleep);
  REQUIRE(sleep != nullptr);
  CHECK(static_cast<double>(sleep->end - sleep->begin) / notes.ticks_per_second > 0.001);
}

TEST_CASE("observed calls: opened files have their names", "[observer]") {
  Notes notes;
  Observe("read_etc_passwd", &notes);
  CHECK(std::find(notes.names.begin(), notes.names.end(), "/etc/passwd") != notes.names.end());
}

TEST_CASE("observed calls: threads and children begin and end", "[observer]") {
  Notes notes;
  REQUIRE(Observe("threads_ok", &notes, {}, 16).code() == "OK");
  CHECK(notes.tasks.size() > 1);
  std::size_t threads = 0;
  for (const auto& [tid, task] : notes.tasks) {
    if (task.is_thread) ++threads;
    CHECK(task.end > task.begin);
  }
  CHECK(threads + 1 == notes.tasks.size());
  CheckOrder(notes);

  Notes forks;
  REQUIRE(Observe("fork_ok", &forks, {}, 4).code() == "OK");
  CHECK(forks.tasks.size() > 1);
  CheckOrder(forks);
}

// From a process that is nobody's child here, while the program runs.
void Later(const std::function<void()>& action) {
  const pid_t child = ::fork();
  if (child == 0) {
    if (::fork() == 0) action();
    ::_exit(0);
  }
  ::waitpid(child, nullptr, 0);
}

constexpr const char* kLong = "300000000";  // turns of known_loop: some tenths of a second

// Until it is in the middle of its loop: whoever is frozen while the supervisor has it do something is not noticed.
void AwaitComputing(pid_t program) {
  const auto computes = [program] {
    const auto clocks = ReadCpuClocks(program);
    return !clocks || clocks->exact >= Milliseconds(30);
  };
  while (!computes()) ::usleep(1'000);
}

TEST_CASE("observed calls: who was stopped by a signal is said, and for how long", "[observer]") {
  Notes notes;
  notes.on_begin = [](pid_t program) {
    Later([program] {
      AwaitComputing(program);
      ::kill(program, SIGSTOP);
      ::usleep(50'000);
      ::kill(program, SIGCONT);
    });
  };
  REQUIRE(Observe("known_loop", &notes, {kLong}).code() == "OK");
  CHECK(static_cast<double>(notes.tasks.begin()->second.stopped) / notes.ticks_per_second > 0.04);
}

TEST_CASE("observed calls: who was frozen with its cgroup is said to have been stopped", "[observer]") {
  const std::string group = "/sys/fs/cgroup/freezer/tally-test-" + std::to_string(::getpid());
  if (::mkdir(group.c_str(), 0755) != 0) TALLY_SKIP("no cgroup v1 freezer that we may write");
  const auto write = [&](const char* file, const std::string& text) { std::ofstream(group + "/" + file) << text; };
  Notes notes;
  notes.on_begin = [&](pid_t program) {
    write("cgroup.procs", std::to_string(program));
    Later([&write, program] {
      AwaitComputing(program);
      write("freezer.state", "FROZEN");
      ::usleep(50'000);
      write("freezer.state", "THAWED");
    });
  };
  const TestResult got = Observe("known_loop", &notes, {kLong});
  ::rmdir(group.c_str());
  REQUIRE(got.code() == "OK");
  CHECK(static_cast<double>(notes.tasks.begin()->second.stopped) / notes.ticks_per_second > 0.03);
  CHECK(notes.idle < std::chrono::milliseconds(40));  // that is told already
}

TEST_CASE("observed calls: neither what a program does nor its count is another", "[observer]") {
  std::ifstream list(BuildFolder() + "/tests/programs/translator/programs.txt");
  for (std::string name; std::getline(list, name);) {
    if (name.find("thread") != std::string::npos || name.starts_with("timer") || name == "moved_code") continue;
    TestRun run{.program = "translator/" + name};
    run.counter = Counter::kTranslator;
    run.limits.user_time.reset();
    run.limits.cpu_time.reset();
    run.limits.idle_time.reset();
    run.limits.wall_time = std::chrono::seconds(60);
    run.limits.processes = name.starts_with("fork") || name.starts_with("vfork") || name == "executes_itself" ? 4 : 1;
    const TestResult expected = RunTestProgram(run);
    Notes notes;
    run.call_observer = &notes;
    const TestResult got = RunTestProgram(run);
    CAPTURE(name, got.run.sentence, expected.run.sentence);
    CHECK(got.code() == expected.code());
    CHECK(got.output == expected.output);
    REQUIRE(got.run.instructions.has_value());
    const bool varies = name.find("fork") != std::string::npos;  // who waits for whom
    if (!varies) CHECK(got.run.instructions.value().count == expected.run.instructions.value().count);
    CheckOrder(notes);
  }
}

}  // namespace
}  // namespace tally

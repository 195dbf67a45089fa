// Threads and processes that take turns (translator/turns/): whose turn it is, and that a program of several tasks has one count
// and one outcome for each seed.
#include <fmt/format.h>
#include <sched.h>

#include <set>
#include <string>
#include <utility>
#include <vector>

#include "supervisor/run/process_executor.h"
#include "supervisor/translator/turns/futexes.h"
#include "supervisor/translator/turns/turns.h"
#include "tests/support/catch.h"
#include "tests/support/run_program.h"

namespace tally {
namespace {

constexpr Nanoseconds kNow{1000};

TEST_CASE("turns: they go round, in the order in which tasks were made", "[turns]") {
  Turns turns(0);
  for (const pid_t task : {30, 10, 20}) turns.Add(task);
  std::vector<pid_t> order;
  for (int i = 0; i < 5; ++i) {
    order.push_back(turns.Choose(kNow).value());
    turns.End();
  }
  CHECK(order == std::vector<pid_t>{30, 10, 20, 30, 10});
}

TEST_CASE("turns: who waits until a moment goes on when it has come, and is late then", "[turns]") {
  Turns turns(0);
  turns.Add(1);
  turns.Add(2);
  CHECK(turns.Choose(kNow) == 1);
  turns.WaitUntil(Nanoseconds(5000));
  CHECK(turns.Choose(kNow) == 2);
  turns.WaitUntil(Nanoseconds(3000));
  CHECK(turns.Choose(kNow) == std::nullopt);
  CHECK(turns.NextMoment() == Nanoseconds(3000));
  CHECK(turns.Choose(Nanoseconds(3000)) == 2);
  CHECK(turns.IsLate(2));
  turns.End();
  turns.Release(1);
  CHECK(turns.Choose(Nanoseconds(3000)) == 1);
  CHECK(!turns.IsLate(1));
}

TEST_CASE("turns: who tries again does so when another has executed something, not before", "[turns]") {
  Turns turns(0);
  turns.Add(1);
  turns.Add(2);
  CHECK(turns.Choose(kNow) == 1);
  turns.TryAgain(std::nullopt, false);
  CHECK(turns.Choose(kNow) == 2);
  turns.TryAgain(std::nullopt, true);
  CHECK(turns.Choose(kNow) == std::nullopt);
  turns.NoteChange();
  CHECK(turns.Choose(kNow) == 1);
  turns.TryAgain(std::nullopt, false);
  CHECK(turns.Choose(kNow) == 2);
  turns.TryAgain(std::nullopt, true);
  CHECK(turns.ChooseForOutside() == 2);
  turns.TryAgain(std::nullopt, false);
  CHECK(turns.ChooseForOutside() == std::nullopt);
}

TEST_CASE("turns: nobody goes on while one is at its end", "[turns]") {
  Turns turns(0);
  turns.Add(1);
  turns.Add(2);
  CHECK(turns.Choose(kNow) == 1);
  turns.Leave(1);
  CHECK(turns.Choose(kNow) == std::nullopt);
  turns.Remove(1);
  CHECK(turns.Choose(kNow) == 2);
}

TEST_CASE("turns: a seed decides whose they are and how long, the same each time", "[turns]") {
  const auto draw = [](std::uint64_t seed) {
    Turns turns(seed);
    for (pid_t task = 1; task <= 4; ++task) turns.Add(task);
    std::vector<std::uint64_t> drawn;
    for (int i = 0; i < 20; ++i) {
      drawn.push_back(static_cast<std::uint64_t>(turns.Choose(kNow).value()));
      drawn.push_back(turns.length());
      turns.End();
    }
    return drawn;
  };
  CHECK(draw(7) == draw(7));
  CHECK(draw(7) != draw(8));
}

TEST_CASE("futexes: who came first is woken first, and only those that wait for one of the bits", "[turns]") {
  Futexes futexes;
  const FutexWord a{1, 0x1000}, b{1, 0x2000}, other_memory{2, 0x1000};
  futexes.Wait(1, a, ~0U);
  futexes.Wait(2, a, 2);
  futexes.Wait(3, a, ~0U);
  futexes.Wait(4, other_memory, ~0U);
  CHECK(futexes.Wake(a, 2, 1) == std::vector<pid_t>{1, 3});
  CHECK(futexes.Wake(a, 1, 1).empty());
  CHECK(futexes.Requeue(a, b, 10) == 1);
  CHECK(!futexes.HasWaiters(a));
  CHECK(futexes.Wake(b, 10, 2) == std::vector<pid_t>{2});
  futexes.Remove(4);
  CHECK(!futexes.HasWaiters(other_memory));
}

TestRun ByTurns(const std::string& program, std::uint64_t seed) {
  TestRun run{.program = program};
  run.counter = Counter::kTranslator;
  run.limits.user_time.reset();
  run.limits.cpu_time.reset();
  run.limits.idle_time = std::chrono::seconds(10);
  run.limits.wall_time = std::chrono::seconds(60);
  run.limits.processes = 20;
  run.virtual_cpu.schedule_seed = seed;
  return run;
}

TEST_CASE("turns: programs of several threads and processes have one count and one output for each seed", "[turns]") {
  for (const char* program : {"threads", "many_short_threads", "one_thread_at_a_time", "threads_fresh_code", "threads_rewrite_code",
                              "threads_that_fork", "fork_and_wait", "fork_copies_code", "fork_then_new_code", "fork_then_calls_by_number",
                              "fork_then_thread_maps_code", "vfork_and_exec", "executes_itself", "asks_clocks", "signal_handlers"}) {
    for (const std::uint64_t seed : {0, 5}) {
      std::optional<TestResult> first;
      for (int i = 0; i < 3; ++i) {
        TestRun run = ByTurns(std::string("translator/") + program, seed);
        // Nothing may depend on how the code is translated.
        if (i == 1) run.translation = {.eager = 0, .most_pending = 0, .variants = 0, .unrolled = 0, .way_back = 0, .by_eip = 0, .bmi2 = false};
        if (i == 2) run.translation = {.eager = 50, .most_pending = 100, .variants = 8, .unrolled = 100, .way_back = 40, .by_eip = 1};
        const TestResult result = RunTestProgram(run);
        CAPTURE(program, seed, i, result.run.sentence, result.output);
        CHECK(result.code() == "OK");
        CHECK(result.run.count_varies.empty());
        if (!first) first = result;
        CHECK(result.run.instructions.value().count == first->run.instructions.value().count);
        CHECK(result.output == first->output);
      }
    }
  }
}

TEST_CASE("turns: timers of all kinds go off by the virtual clock, however the code is translated", "[turns]") {
  std::optional<TestResult> first;
  for (int i = 0; i < 3; ++i) {
    TestRun run = ByTurns("virtual_timers", 0);
    if (i == 1) run.translation = {.eager = 0, .most_pending = 0, .variants = 0, .unrolled = 0, .way_back = 0, .by_eip = 0, .bmi2 = false};
    const TestResult result = RunTestProgram(run);
    CAPTURE(i, result.run.sentence, result.output);
    REQUIRE(result.code() == "OK");
    CHECK(result.run.count_varies.empty());
    if (!first) first = result;
    CHECK(result.output == first->output);
    CHECK(result.run.instructions.value().count == first->run.instructions.value().count);
  }
  const std::string& output = first->output;
  const auto has = [&](const char* line) {
    CAPTURE(output, line);
    CHECK(output.find(std::string(line) + "\n") != std::string::npos);
  };
  for (const char* line : {"left of it: 100", "setitimer: 1 after 20 ms", "left: 5 of 5 ms", "setitimer, again and again: 4 after 40 ms",
                           "of the processor's time: 1 after 60 ms", "to profile: 1 after 80 ms", "pause: 1 after 2080 ms",
                           "timer_create: 1 after 2090 ms", "timerfd, read: 8", "3", "timerfd, poll: 0", "epoll: 1", "set anew: 0"}) {
    has(line);
  }
  CHECK(first->run.wall_time < std::chrono::seconds(10));
}

TEST_CASE("turns: a program of one task that has a timer takes turns with nobody, and has one count", "[turns]") {
  TestRun run = ByTurns("signals_ok", 0);
  run.limits.processes = 1;
  const TestResult first = RunTestProgram(run), second = RunTestProgram(run);
  CAPTURE(first.run.sentence, first.output);
  CHECK(first.code() == "OK");
  CHECK(first.run.count_varies.empty());
  CHECK(first.run.instructions.value().count == second.run.instructions.value().count);
}

// The program and its arguments.
using Words = std::vector<std::string>;

// What two native runs in a row say: natively the time is the machine's, and once in hundreds of runs a timer of timers_at_length goes off too
// seldom there.
TestResult RunNatively(TestRun run) {
  run.counter = Counter::kNone;
  TestResult last = RunTestProgram(run);
  for (int more = 0; more < 4; ++more) {
    TestResult next = RunTestProgram(run);
    if (next.output == last.output) return next;
    last = std::move(next);
  }
  return last;
}

TEST_CASE("turns: what tasks wait for, and what ends a wait, is as natively", "[turns]") {
  for (const Words& words : {Words{"locks_outlive_owners"}, Words{"signals_end_waits"}, Words{"long_writes"}, Words{"long_writes", "sockets"},
                             Words{"timers_at_length"}, Words{"stopped_child"}, Words{"ends_of_waits"}, Words{"turns_end_anywhere"}}) {
    TestRun run = ByTurns(words[0], 0);
    run.arguments = Words(words.begin() + 1, words.end());
    run.permissions = SyscallPermissions{.processes = true, .sockets = true};
    const TestResult wanted = RunNatively(run);
    CAPTURE(words, wanted.run.sentence, wanted.output);
    REQUIRE(wanted.code() == "OK");
    for (const std::uint64_t seed : {0, 1, 2, 5}) {
      run.virtual_cpu.schedule_seed = seed;
      const TestResult result = RunTestProgram(run);
      CAPTURE(seed, result.run.sentence);
      CHECK(result.code() == "OK");
      CHECK(result.output == wanted.output);
    }
  }
}

TEST_CASE("turns: however a program of several tasks ends, we may use all processors", "[turns]") {
  cpu_set_t before;
  cpu_set_t after;
  REQUIRE(::sched_getaffinity(0, sizeof before, &before) == 0);
  for (const char* program : {"threads_ok", "deadlock", "crash_in_thread", "busy_threads"}) {
    TestRun run = ByTurns(program, 0);
    run.permissions = SyscallPermissions{.processes = true};
    run.limits.wall_time = std::chrono::milliseconds(500);
    CAPTURE(program, RunTestProgram(run).code());
    REQUIRE(::sched_getaffinity(0, sizeof after, &after) == 0);
    CHECK(CPU_EQUAL(&before, &after));
  }
}

TEST_CASE("turns: who waits for the lock of a file lets its owner sleep, and have its turn", "[turns]") {
  TestRun run = ByTurns("locks_of_files", 0);
  run.permissions = SyscallPermissions{.processes = true, .file_writes = true};
  const TestResult result = RunTestProgram(run);
  CAPTURE(result.run.sentence, result.output);
  CHECK(result.code() == "OK");
  CHECK(result.output == "30\nEND\n");
}

TEST_CASE("turns: who waits in a call that turns do not know does not hold up the others", "[turns]") {
  const TestResult result = RunTestProgram(ByTurns("waits_in_preadv2", 0));
  CAPTURE(result.run.sentence);
  CHECK(result.code() == "OK");
  CHECK(result.output == "the child read 4 bytes: abcd\nEND\n");
  CHECK(result.run.count_varies == "a thread or process waited in a system call that turns do not know while there were others");
}

TEST_CASE("turns: tasks that wait for each other are TLE at once, with a sentence of its own", "[turns]") {
  TestRun run = ByTurns("waits_in_a_ring", 0);
  for (const char* how : {"locks", "pipes", "children"}) {
    run.arguments = {how};
    const TestResult result = RunTestProgram(run);
    CAPTURE(how, result.output);
    CHECK(result.code() == "TLE");
    CHECK(result.run.sentence == "deadlock: all threads and processes wait for each other");
    CHECK(result.run.wall_time < std::chrono::seconds(5));
    CHECK(result.run.count_varies.empty());
  }
}

TEST_CASE("turns: a process that ends while its threads wait for each other is no deadlock", "[turns]") {
  for (int i = 0; i < 40; ++i) {
    TestRun run = ByTurns("ends_beside_waiters", 0);
    run.limits.processes = 30;
    const TestResult result = RunTestProgram(run);
    CAPTURE(i, result.run.sentence);
    REQUIRE(result.code() == "OK");
  }
}

TEST_CASE("turns: a handler that comes in front of a system call finds what the program had in the registers", "[turns]") {
  for (const std::uint64_t seed : {0, 1, 2}) CHECK(RunTestProgram(ByTurns("signal_in_call", seed)).output == "5 of 5, 5 handled, child 0\nEND\n");
}

// Outcome and count tell where each turn ended.
TEST_CASE("turns: where they end does not depend on how the program is translated", "[turns]") {
  for (const char* const program : {"races", "threads_in_short_calls", "turns_end_anywhere"}) {
    for (const int margin : {0, 64}) {
      std::set<std::string> outcomes;
      for (const int how : {0, 3, 5, 6, 8, 16}) {
        TestRun run = ByTurns(program, 0);
        run.translation.turn = 1777;
        run.translation.turn_margin = margin;
        if ((how & 1) != 0) run.translation.unrolled = 1;
        if ((how & 2) != 0) run.translation.eager = 0, run.translation.variants = 1;
        if ((how & 4) != 0) run.translation.most_pending = 5;
        if ((how & 8) != 0) run.translation.way_back = 0;
        if ((how & 16) != 0) run.translation.way_back = 50, run.translation.by_eip = 1;
        const TestResult result = RunTestProgram(run);
        CAPTURE(program, margin, how, result.run.sentence);
        REQUIRE(result.code() == "OK");
        outcomes.insert(std::to_string(result.run.instructions.value().count) + " " + result.output);
      }
      CAPTURE(program, margin, outcomes.size(), *outcomes.begin(), *outcomes.rbegin());
      CHECK(outcomes.size() == 1);
    }
  }
}

// The answer of translated code went on in the middle of the call, which added to the result.
TEST_CASE("turns: a system call whose number is known only when it is made has its result", "[turns]") {
  for (const char* const how : {"threads", "timer"}) {
    for (const std::uint64_t seed : {0, 3}) {
      TestRun run = ByTurns("calls_by_number", seed);
      run.arguments = {how};
      const TestResult result = RunTestProgram(run);
      CAPTURE(how, seed, result.run.sentence);
      CHECK(result.output == (std::string(how) == "timer" ? "a timer: 0 wrong\nEND\n" : "thread: 0 wrong\nmain: 0 wrong\nEND\n"));
    }
  }
}

TEST_CASE("turns: a race has one outcome for each seed, and not the same for all", "[turns]") {
  std::set<std::string> outcomes;
  for (std::uint64_t seed = 0; seed < 12; ++seed) {
    const TestResult first = RunTestProgram(ByTurns("races", seed));
    const TestResult second = RunTestProgram(ByTurns("races", seed));
    CAPTURE(seed, first.run.sentence, second.run.sentence, first.output, second.output);
    CHECK(first.code() == "OK");
    CHECK(first.output == second.output);
    CHECK(first.run.instructions.value().count == second.run.instructions.value().count);
    outcomes.insert(first.output);
  }
  CHECK(outcomes.count("8000 400\nEND\n") == 1);  // without a seed nobody is interrupted so soon
  CHECK(outcomes.size() > 3);
}

}  // namespace
}  // namespace tally

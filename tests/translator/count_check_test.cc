// What a count must look like to be believed, and that a program which could write to it is found out.
#include "supervisor/translator/guest/count_check.h"

#include <signal.h>
#include <sched.h>
#include <sys/mman.h>

#include <atomic>
#include <cstdio>
#include <fstream>
#include <string>
#include <thread>

#include "base/mapping.h"
#include "supervisor/translator/cache/code_space.h"
#include "tests/support/catch.h"
#include "tests/support/run_program.h"

namespace tally {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

TEST_CASE("count check: a count that grows as time goes by is believed", "[translator]") {
  CountCheck check;
  for (const std::uint64_t second : {0, 1, 2, 10}) {
    check.See(second * 5'000'000'000);
    check.Compare(seconds(second));
  }
  check.See(50'000'000'000 - 200);  // a signal took back what was added ahead
  check.Compare(seconds(10));
  check.See(50'000'000'000 - 200);
  check.Compare(seconds(1'000'000));  // one instruction may take long
  CHECK(check.why().empty());
}

TEST_CASE("count check: a count that went back is not believed", "[translator]") {
  CountCheck check;
  check.See(1'000'000);
  check.See(900'000);
  CHECK(check.why() == "the instruction count went back from 1,000,000 to 900,000: the program wrote to it");
}

TEST_CASE("count check: more than a processor executes in that time is not believed", "[translator]") {
  CountCheck check;
  check.See(100'000'000'000);
  check.Compare(seconds(1));
  CHECK(check.why() == "100,000,000,000 instructions in 1.00 s of CPU time: the program wrote to the count");
}

TEST_CASE("count check: a count below nothing is not believed", "[translator]") {
  CountCheck check;
  check.See(0 - std::uint64_t{1'000'000});
  check.Compare(milliseconds(500));
  CHECK_FALSE(check.why().empty());
}

// The page of the run's only task, which the supervisor, this process, has mapped; invalid: not yet. A mapping of our
// own outlives the run's.
Mapping PageOfTheRun() {
  constexpr std::size_t kPageAt = CodeSpace::kControlOffset + control::kTablesBytes;
  std::ifstream maps("/proc/self/maps");
  for (std::string line; std::getline(maps, line);) {
    unsigned long begin = 0;
    unsigned long end = 0;
    if (line.find("/memfd:") == std::string::npos || std::sscanf(line.c_str(), "%lx-%lx", &begin, &end) != 2) continue;
    if (end - begin != CodeSpace::MemorySize(1, false)) continue;
    void* const page = reinterpret_cast<void*>(begin + kPageAt);  // NOLINT: an address of ours
    void* const again = ::mremap(page, 0, control::kPageBytes, MREMAP_MAYMOVE);  // of a size of 0: a second mapping
    if (again != MAP_FAILED) return {again, control::kPageBytes};
  }
  return {};
}

// While it lives, all that this process starts runs on one processor, one after the other. From another processor a store
// to what the program adds to all the time may never be seen: each addition takes its own last result.
class OneProcessor {
 public:
  OneProcessor() {
    ::sched_getaffinity(0, sizeof before_, &before_);
    cpu_set_t one;
    CPU_ZERO(&one);
    CPU_SET(::sched_getcpu(), &one);
    ::sched_setaffinity(0, sizeof one, &one);
  }
  ~OneProcessor() { ::sched_setaffinity(0, sizeof before_, &before_); }
  OneProcessor(const OneProcessor&) = delete;
  OneProcessor& operator=(const OneProcessor&) = delete;

 private:
  cpu_set_t before_{};
};

// Runs an endless loop, 2 s at most, while `write` is called for its counters again and again.
template <typename Write>
TestResult RunWhile(Write write) {
  const OneProcessor here;
  sigset_t all;  // the signals that wake the supervisor are for its own thread
  ::sigfillset(&all);
  sigset_t before;
  ::pthread_sigmask(SIG_SETMASK, &all, &before);
  std::atomic<bool> over{false};
  std::thread writer([&] {
    Mapping area;
    while (area.data() == nullptr && !over) area = PageOfTheRun();
    auto* const counters = reinterpret_cast<volatile std::uint64_t*>(static_cast<char*>(area.data()) + control::kCounters);
    for (; !over; std::this_thread::sleep_for(milliseconds(5))) write(counters);
  });
  ::pthread_sigmask(SIG_SETMASK, &before, nullptr);
  TestRun run{.program = "busy_loop"};
  run.counter = Counter::kTranslator;
  run.limits = Limits{};
  run.limits.wall_time = seconds(2);
  run.limits.idle_time = milliseconds(200);  // looked at four times as often
  TestResult result;
  try {
    result = RunTestProgram(run);
  } catch (...) {
    over = true;
    writer.join();
    throw;
  }
  over = true;
  writer.join();
  return result;
}

TEST_CASE("count check: a program whose count goes back is a rule violation", "[translator]") {
  int times = 0;
  const TestResult result = RunWhile([&](volatile std::uint64_t* counters) {
    if (++times % 20 != 0) return;
    for (std::uint32_t slot = 0; slot < control::kCounterSlots; ++slot) counters[slot] = 0;
    // Its alarm has it take turns: what was executed is what was given less what is left.
    const auto word = [counters](std::uint32_t offset) { return counters - (control::kCounters - offset) / 8; };
    *word(control::kTurnGiven) = *word(control::kTurnBudget);
  });
  CAPTURE(result.run.sentence);
  CHECK(result.code() == "RV");
  CHECK(result.run.sentence.find("the program wrote to") != std::string::npos);
}

TEST_CASE("count check: a program whose count is far below nothing is a rule violation", "[translator]") {
  const TestResult result = RunWhile([](volatile std::uint64_t* counters) { counters[3] = 0 - (std::uint64_t{1} << 60); });
  CAPTURE(result.run.sentence);
  CHECK(result.code() == "RV");
  CHECK(result.run.sentence.find("the program wrote to the count") != std::string::npos);
}

}  // namespace
}  // namespace tally

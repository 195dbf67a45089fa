// What a count must look like to be believed, and that a program which could write to it is found out.
#include "supervisor/translator/count_check.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/mman.h>

#include <atomic>
#include <filesystem>
#include <string>
#include <thread>

#include "base/fd.h"
#include "base/mapping.h"
#include "supervisor/translator/control_area.h"
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

// The run's control area, of which the supervisor, this process, has a descriptor; invalid: not yet. A mapping of our own
// outlives the run's.
Mapping ControlAreaOfTheRun() {
  for (const auto& entry : std::filesystem::directory_iterator("/proc/self/fd")) {
    std::error_code gone;
    const std::string file = std::filesystem::read_symlink(entry.path(), gone);
    if (gone || file.find("memfd:tally-control") == std::string::npos) continue;
    const Fd fd(::open(entry.path().c_str(), O_RDWR | O_CLOEXEC));
    void* const at = ::mmap(nullptr, control::kSize, PROT_READ | PROT_WRITE, MAP_SHARED, fd.get(), 0);
    if (at != MAP_FAILED) return {at, control::kSize};
  }
  return {};
}

// Runs an endless loop, 2 s at most, while `write` is called for its counters again and again.
template <typename Write>
TestResult RunWhile(Write write) {
  sigset_t all;  // the signals that wake the supervisor are for its own thread
  ::sigfillset(&all);
  sigset_t before;
  ::pthread_sigmask(SIG_SETMASK, &all, &before);
  std::atomic<bool> over{false};
  std::thread writer([&] {
    Mapping area;
    while (area.data() == nullptr && !over) area = ControlAreaOfTheRun();
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

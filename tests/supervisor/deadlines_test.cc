#include "supervisor/run/deadlines.h"

#include <algorithm>

#include "tests/support/catch.h"

namespace tally {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

TEST_CASE("deadlines: without limits nobody looks for an hour", "[deadlines]") {
  CHECK(NextCheck(Limits{}, Usage{}, 1) == kLongestInterval);
}

TEST_CASE("deadlines: a CPU limit cannot be passed before what is left of it has gone by on every core",
          "[deadlines]") {
  Limits limits;
  limits.user_time = seconds(1);
  Usage usage;
  usage.cpu.user = milliseconds(400);
  CHECK(NextCheck(limits, usage, 1) == milliseconds(600));
  CHECK(NextCheck(limits, usage, 2) == milliseconds(300));
}

TEST_CASE("deadlines: at the limit the next look is the shortest one", "[deadlines]") {
  Limits limits;
  limits.user_time = seconds(1);
  Usage usage;
  usage.cpu.user = seconds(1);
  CHECK(NextCheck(limits, usage, 1) == kShortestInterval);
  CHECK_FALSE(PassedLimit(limits, usage).has_value());
  usage.cpu.user += Nanoseconds(1);
  CHECK(PassedLimit(limits, usage) == LimitKind::kUserTime);
}

TEST_CASE("deadlines: the nearest of several limits decides", "[deadlines]") {
  Limits limits;
  limits.user_time = seconds(10);
  limits.wall_time = seconds(3);
  limits.idle_time = seconds(2);
  CHECK(NextCheck(limits, Usage{}, 1) == milliseconds(250));
  limits.idle_time = milliseconds(400);
  CHECK(NextCheck(limits, Usage{}, 1) == milliseconds(100));  // a quarter of the idle limit
  limits.idle_time.reset();
  CHECK(NextCheck(limits, Usage{}, 1) == seconds(3));
}

// When a program that computes for `busy` and then sleeps is ended for its idle limit; it is looked at as
// Watch does.
Nanoseconds EndsAt(Nanoseconds busy, Nanoseconds idle_limit) {
  Limits limits;
  limits.idle_time = idle_limit;
  IdleWatch idle;
  for (Usage usage;;) {
    usage.cpu.user = std::min(usage.wall, busy);
    usage.idle = idle.Sample(usage.wall, usage.cpu.total());
    if (PassedLimit(limits, usage)) return usage.wall;
    usage.wall += NextCheck(limits, usage, 1);
  }
}

TEST_CASE("deadlines: an idle period passes its limit by no more than a quarter of it, and by at most 250 ms",
          "[deadlines]") {
  for (const auto limit :
       {milliseconds(100), milliseconds(2'000), milliseconds(9'000), milliseconds(600'000)}) {
    for (const auto busy : {milliseconds(0), milliseconds(1), milliseconds(249), milliseconds(10'010)}) {
      CAPTURE(limit.count(), busy.count());
      const Nanoseconds end = EndsAt(busy, limit);
      CHECK(end >= busy + limit);
      CHECK(end <= busy + limit + std::min<Nanoseconds>(limit / 4, milliseconds(250)));
    }
  }
}

TEST_CASE("deadlines: memory is looked at before it can be filled", "[deadlines]") {
  Limits limits;
  limits.memory = Bytes::MiB(400);
  Usage usage;
  usage.memory = Bytes::MiB(0);
  CHECK(NextCheck(limits, usage, 1) < milliseconds(200));
  usage.memory.reset();  // the kernel enforces it: no look needed
  CHECK(NextCheck(limits, usage, 1) == kLongestInterval);
}

TEST_CASE("idle watch: time without CPU time adds up until the CPU time advances", "[deadlines]") {
  IdleWatch idle;
  CHECK(idle.Sample(milliseconds(10), milliseconds(5)) == Nanoseconds(0));
  CHECK(idle.Sample(milliseconds(500), milliseconds(5)) == milliseconds(490));
  CHECK(idle.Sample(milliseconds(900), milliseconds(5)) == milliseconds(890));
  CHECK(idle.Sample(milliseconds(950), milliseconds(6)) == Nanoseconds(0));
}

}  // namespace
}  // namespace tally

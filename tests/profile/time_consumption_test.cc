// How a run's time is given to what it went to.
#include <linux/futex.h>

#include "profile/timeline/time_sweep.h"
#include "tests/profile/timeline_script.h"
#include "tests/support/catch.h"

namespace tally {
namespace {

constexpr pid_t kMain = TimelineScript::kFirst, kOther = 101;

TimeConsumption Parts(std::uint64_t cpu, std::uint64_t file, std::uint64_t network, std::uint64_t waiting, std::uint64_t sleep,
                      std::uint64_t stopped) {
  return {{cpu, file, network, 0, waiting, sleep, stopped}};
}

TEST_CASE("time: between calls it is the processor's, in a call its resource's", "[timeline][time]") {
  TimelineScript run;
  run.Call(kMain, SYS_write, {1}, 10, 30, 1);
  run.Call(kMain, SYS_futex, {0, FUTEX_WAIT}, 40, 70, 0);
  run.Call(kMain, SYS_nanosleep, {}, 70, 90, 0);
  run.Call(kMain, SYS_poll, {0, 0, 5}, 90, 95, 0);  // of nothing: asleep
  run.End(kMain, 100);
  const TimelineFile file = run.File(100);
  CHECK(file.tables().time == Parts(25, 20, 0, 30, 25, 0));
  CHECK(file.tables().threads[0].time == file.tables().time);
}

TEST_CASE("time: a stop between calls is stopped, and not the processor's", "[timeline][time]") {
  TimelineScript run;
  run.Stop(kMain, 20, 60);
  run.End(kMain, 100);
  CHECK(run.File(100).tables().time == Parts(60, 0, 0, 0, 0, 40));
}

TEST_CASE("time: a stop inside a call is taken off it; a call that merely blocks keeps its time", "[timeline][time]") {
  TimelineScript run({ObjectKind::kPipe, ObjectKind::kFile, ObjectKind::kFile});
  run.Call(kMain, SYS_read, {0}, 0, 100, 1);    // stopped for 30, twice
  run.Call(kMain, SYS_read, {0}, 100, 200, 1);  // blocks as long
  run.Stop(kMain, 20, 35);
  run.Stop(kMain, 50, 65);
  run.End(kMain, 200);
  const TimelineFile file = run.File(200);
  CHECK(file.tables().time == Parts(0, 0, 0, 170, 0, 30));
  CHECK(file.tables().usage[Resource::kWaiting].nanoseconds == 170);
  std::vector<std::uint64_t> stopped;
  file.ForEach(0, 200, [&](const TimelineRecord& record) {
    if (file.tables().kinds[record.event].name == "pipe.read") stopped.push_back(record.stopped);
  });
  CHECK(stopped == std::vector<std::uint64_t>{30, 0});
}

TEST_CASE("time: a stop inside a sleep costs nothing", "[timeline][time]") {
  TimelineScript run;
  run.Call(kMain, SYS_nanosleep, {}, 10, 90, 0);
  run.Stop(kMain, 20, 50);
  run.End(kMain, 100);
  const TimelineFile file = run.File(100);
  CHECK(file.tables().time == Parts(20, 0, 0, 0, 80, 0));
  CHECK(file.tables().usage[Resource::kSleep].nanoseconds == 80);
}

TEST_CASE("time: a stop that goes on behind a call or a sleep is stopped from there", "[timeline][time]") {
  TimelineScript run;
  run.Call(kMain, SYS_nanosleep, {}, 10, 50, 0);
  run.Stop(kMain, 40, 80);
  run.End(kMain, 100);
  CHECK(run.File(100).tables().time == Parts(30, 0, 0, 0, 40, 30));
}

TEST_CASE("time: each moment of the run counts once: cpu, file, network, Tally's, waiting, sleep, stopped", "[timeline][time]") {
  TimelineScript run;
  run.Thread(kOther, kMain, 10);
  run.Call(kMain, SYS_futex, {0, FUTEX_WAIT}, 10, 100, 0);
  run.Call(kOther, SYS_write, {1}, 20, 40, 1);
  run.Call(kOther, SYS_nanosleep, {}, 40, 60, 0);
  run.Stop(kOther, 70, 80);
  run.End(kOther, 90);
  run.End(kMain, 100);
  const TimelineFile file = run.File(100);
  // cpu 0-20, file 20-40, the main thread waits 40-60 while the other sleeps, cpu 60-70, waits 70-80, cpu, waits 90-100
  CHECK(file.tables().time == Parts(40, 20, 0, 40, 0, 0));
  CHECK(file.tables().threads[0].time == Parts(10, 0, 0, 90, 0, 0));
  CHECK(file.tables().threads[1].time == Parts(30, 20, 0, 0, 20, 10));
  CHECK(Sum(file.tables().time) == file.tables().duration);
}

TEST_CASE("time: what translation takes is Tally's own, not the program's; who waits or sleeps meanwhile does that", "[timeline][time]") {
  TimelineScript run;
  run.Translated(kMain, 0, 10);
  run.Call(kMain, SYS_write, {1}, 20, 40, 1);
  run.Translated(kMain, 25, 30);  // it names something
  run.Call(kMain, SYS_futex, {0, FUTEX_WAIT}, 50, 70, 0);
  run.Translated(kMain, 55, 60);
  run.Translated(kMain, 80, 95);
  run.End(kMain, 100);
  const TimelineFile file = run.File(100);
  CHECK(file.tables().time == TimeConsumption{{10 + 10 + 10 + 5, 15, 0, 10 + 5 + 15, 20, 0, 0}});
  CHECK(file.tables().usage[Resource::kFile].nanoseconds == 15);
  CHECK(file.tables().usage[Resource::kWaiting].nanoseconds == 20);
}

TEST_CASE("time: a thread that was idle before anybody knew that it stands stood already, but for the calls in which it blocked", "[timeline][time]") {
  TimelineScript run;
  run.Translated(kMain, 10, 20);
  run.Translated(kMain, 50, 60, 12);  // from 38 on
  run.Call(kMain, SYS_read, {0}, 65, 75, 1);  // blocks
  run.Translated(kMain, 100, 110, 14);  // from 96 on
  run.Call(kMain, SYS_write, {1}, 120, 150, 1);
  run.Translated(kMain, 130, 140, 25);  // it stopped in the call, and computed before
  run.Call(kMain, SYS_write, {1}, 160, 190, 1);
  run.Translated(kMain, 195, 199, 99);  // never before the last call's end
  run.End(kMain, 200);
  const TimelineFile file = run.File(200);
  // tally: 10-20, 38-60, 96-110, 120-140, 190-199; file: 65-75, 140-150, 160-190
  CHECK(file.tables().time == TimeConsumption{{10 + 18 + 5 + 21 + 10 + 10 + 1, 10 + 10 + 30, 0, 10 + 22 + 14 + 20 + 9, 0, 0, 0}});
}

TEST_CASE("time: all stopped is stopped", "[timeline][time]") {
  TimelineScript run;
  run.Thread(kOther, kMain, 0);
  run.Stop(kMain, 20, 60);
  run.Stop(kOther, 30, 70);
  run.End(kOther, 100);
  run.End(kMain, 100);
  CHECK(run.File(100).tables().time == Parts(70, 0, 0, 0, 0, 30));
}

TEST_CASE("time: the parts sum up to the real time, to the nanosecond, also by a clock of odd ticks", "[timeline][time]") {
  TimelineScript run;
  run.Thread(kOther, kMain, 7);
  for (Ticks i = 1; i < 3000; ++i) {
    run.Call(i % 3 == 0 ? kOther : kMain, i % 2 == 0 ? SYS_write : SYS_nanosleep, {1}, i * 1001, i * 1001 + 997, 1);
    if (i % 5 == 0) run.Stop(kOther, i * 1001 + 300, i * 1001 + 1300);
  }
  run.End(kOther, 3'000'000);
  run.End(kMain, 3'100'007);
  const TimelineFile file(run.Finish(3'100'007, 1'234'567));
  CHECK(file.tables().duration == 1'234'567);
  CHECK(Sum(file.tables().time) == 1'234'567);
  for (const TimelineThread& thread : file.tables().threads) CHECK(Sum(thread.time) == thread.end - thread.begin);
}

TEST_CASE("time: a counter that goes back, and a thread that nobody saw end, break nothing", "[timeline][time]") {
  TimelineScript run;
  run.Call(kMain, SYS_write, {1}, 50, 40, 1);
  run.Call(kMain, SYS_write, {1}, 30, 60, 1);
  run.Thread(kOther, 999, 20);
  run.Call(kOther, SYS_write, {1}, 10, 15, 1);
  const TimelineFile file = run.File(100);
  CHECK(Sum(file.tables().time) == 100);
  CHECK(EventsOf(file).size() == 7);
}

}  // namespace
}  // namespace tally

// What becomes of the calls that a run tells: events, times and totals, in runs made up for the purpose.
#include "profile/timeline/timeline.h"

#include <fcntl.h>
#include <linux/futex.h>

#include <cerrno>

#include "tests/profile/timeline_script.h"
#include "tests/support/catch.h"

namespace tally {
namespace {

constexpr pid_t kMain = TimelineScript::kFirst, kOther = 101;
using Lines = std::vector<std::string>;

TEST_CASE("timeline: a call has its time, its return, its amount and its file", "[timeline]") {
  TimelineScript run;
  run.Open(kMain, "out.txt", 3, 10);
  run.Call(kMain, SYS_write, {3, 0, 8}, 20, 25, 8);
  run.Call(kMain, SYS_close, {3}, 30, 31, 0);
  run.End(kMain, 100);
  const TimelineFile file = run.File(100);
  CHECK(EventsOf(file) == Lines{"process.begin", "file.open out.txt", "file.write 8 out.txt", "file.close out.txt", "process.end"});
  file.ForEach(20, 21, [&](const TimelineRecord& record) {
    CHECK(record.begin == 20);
    CHECK(record.end == 25);
    CHECK(record.result == 8);
  });
  const CallUsage& usage = ObjectNamed(file, "out.txt").usage;
  CHECK(usage.opens == 1);
  CHECK(usage.calls == 3);
  CHECK(usage.bytes_written == 8);
  CHECK(usage.nanoseconds == 1 + 5 + 1);
  CHECK(file.tables().usage[Resource::kFile].bytes_written == 8);
  CHECK(file.tables().threads[0].usage[Resource::kFile].opens == 1);
  CHECK(file.tables().threads[0].name == "program");
}

TEST_CASE("timeline: calls that use nothing are counted, and make no event", "[timeline]") {
  TimelineScript run;
  run.Call(kMain, SYS_getpid, {}, 10, 20, 100);
  run.Call(kMain, SYS_mmap, {}, 30, 40, 0x1000);
  run.Call(kMain, SYS_futex, {0, FUTEX_WAKE | FUTEX_PRIVATE_FLAG}, 50, 60, 1);
  run.End(kMain, 100);
  const TimelineFile file = run.File(100);
  CHECK(EventsOf(file) == Lines{"process.begin", "process.end"});
  CHECK(file.tables().calls == 3);
  CHECK(file.tables().time[Resource::kCpu] == 100);
}

TEST_CASE("timeline: a failed call is an event without an amount, and what failed to open is no open", "[timeline]") {
  TimelineScript run;
  run.NamedCall(kMain, SYS_open, "absent", {}, 10, 12, -ENOENT);
  run.Call(kMain, SYS_read, {0}, 20, 21, -EINTR);
  run.End(kMain, 30);
  const TimelineFile file = run.File(30);
  CHECK(EventsOf(file) == Lines{"process.begin", "file.open", "file.read stdin", "process.end"});
  CHECK(file.tables().usage[Resource::kFile].failed == 2);
  CHECK(file.tables().usage[Resource::kFile].opens == 0);
  CHECK(file.tables().usage[Resource::kFile].bytes_read == 0);
}

TEST_CASE("timeline: a call that a thread does not come back from ends with the thread", "[timeline]") {
  TimelineScript run;
  run.EndIn(kMain, SYS_read, {0}, 10, 70);
  const TimelineFile file = run.File(70);
  file.ForEach(15, 16, [&](const TimelineRecord& record) {
    CHECK(record.Has(TimelineRecord::kUnfinished));
    CHECK(record.end == 70);
    CHECK(record.amount == 0);
  });
  CHECK(file.tables().time[Resource::kFile] == 60);
  CHECK(Sum(file.tables().time) == 70);
}

TEST_CASE("timeline: what a descriptor stands for decides what reading it is", "[timeline]") {
  TimelineScript run({ObjectKind::kTerminal, ObjectKind::kPipe, ObjectKind::kFile});
  run.Call(kMain, SYS_read, {0}, 1, 2, 5);
  run.Call(kMain, SYS_write, {1}, 3, 4, 5);
  run.Call(kMain, SYS_pipe2, {0, O_CLOEXEC}, 5, 6, 0);
  run.Call(kMain, SYS_read, {3}, 7, 8, 5);
  run.Call(kMain, SYS_write, {4}, 9, 10, 5);
  run.Call(kMain, SYS_socketpair, {1, 1}, 11, 12, 0);
  run.Call(kMain, SYS_read, {5}, 13, 14, 5);
  run.Call(kMain, SYS_sendto, {6}, 15, 16, 5);
  run.Call(kMain, SYS_eventfd2, {0, 0}, 17, 18, 7);
  run.Call(kMain, SYS_read, {7}, 19, 20, 8);
  run.Open(kMain, "/dev/null", 8, 21);
  run.Call(kMain, SYS_read, {8}, 23, 24, 0);
  run.Call(kMain, SYS_read, {77}, 25, 26, 3);
  run.End(kMain, 30);
  const TimelineFile file = run.File(30);
  CHECK(EventsOf(file) == Lines{"process.begin", "terminal.read 5 stdin", "pipe.write 5 stdout", "pipe.open pipe 1",
                                "pipe.read 5 pipe 1", "pipe.write 5 pipe 1", "socket.open socket 1", "socket.read 5 socket 1",
                                "socket.send 5 socket 2", "event.open event 1", "event.read 8 event 1", "file.open /dev/null",
                                "device.read /dev/null", "unknown.read 3 descriptor 77", "process.end"});
  CHECK(file.tables().time[Resource::kWaiting] == 4);  // terminal, pipe, and the eventfd, made and read
  CHECK(file.tables().time[Resource::kNetwork] == 3);
  CHECK(ObjectNamed(file, "pipe 1").usage.bytes_read == 5);
  CHECK(ObjectNamed(file, "pipe 1").usage.bytes_written == 5);
}

TEST_CASE("timeline: descriptors are duplicated, moved and closed as the calls say", "[timeline]") {
  TimelineScript run;
  run.Open(kMain, "a", 3, 1);
  run.Call(kMain, SYS_dup2, {3, 1}, 3, 4, 1);
  run.Call(kMain, SYS_fcntl, {3, F_DUPFD_CLOEXEC, 10}, 5, 6, 10);
  run.Call(kMain, SYS_close_range, {3, 9, 0}, 7, 8, 0);
  run.Open(kMain, "b", 3, 9);
  run.Call(kMain, SYS_write, {1}, 11, 12, 1);
  run.Call(kMain, SYS_write, {10}, 13, 14, 2);
  run.Call(kMain, SYS_write, {3}, 15, 16, 4);
  run.End(kMain, 20);
  const TimelineFile file = run.File(20);
  CHECK(ObjectNamed(file, "a").usage.bytes_written == 3);
  CHECK(ObjectNamed(file, "b").usage.bytes_written == 4);
}

TEST_CASE("timeline: a child process has a copy of the descriptors, a thread has the same", "[timeline]") {
  TimelineScript run;
  run.Open(kMain, "a", 3, 1);
  run.Process(kOther, kMain, 5);
  run.Thread(102, kMain, 6);
  run.Call(kOther, SYS_close, {3}, 10, 11, 0);
  run.Open(kOther, "b", 3, 12);
  run.Open(102, "c", 4, 14);
  run.Call(kMain, SYS_write, {3}, 20, 21, 1);   // still a
  run.Call(kMain, SYS_write, {4}, 22, 23, 2);   // c, which the thread opened
  run.Call(kOther, SYS_write, {3}, 24, 25, 4);  // b
  for (const pid_t task : {102, 101, 100}) run.End(task, 30);
  const TimelineFile file = run.File(30);
  CHECK(ObjectNamed(file, "a").usage.bytes_written == 1);
  CHECK(ObjectNamed(file, "c").usage.bytes_written == 2);
  CHECK(ObjectNamed(file, "b").usage.bytes_written == 4);
  CHECK(file.tables().threads[1].process == 1);
  CHECK(file.tables().threads[2].process == 0);
  CHECK(file.tables().threads[2].parent == 0);
}

TEST_CASE("timeline: a program that is executed finds what was not close-on-exec", "[timeline]") {
  TimelineScript run;
  run.Open(kMain, "kept", 3, 1);
  run.Open(kMain, "closed", 4, 3, O_CLOEXEC);
  run.NamedCall(kMain, SYS_execve, "/bin/other", {}, 5, 6, 0);
  run.Call(kMain, SYS_pipe, {}, 7, 8, 0);  // 4 and 5
  run.Call(kMain, SYS_write, {5}, 9, 10, 1);
  run.Call(kMain, SYS_write, {3}, 11, 12, 2);
  run.End(kMain, 20);
  const TimelineFile file = run.File(20);
  CHECK(ObjectNamed(file, "pipe 1").usage.bytes_written == 1);
  CHECK(ObjectNamed(file, "kept").usage.bytes_written == 2);
  CHECK(file.tables().threads[0].name == "other");
}

TEST_CASE("timeline: sockets are told apart, and have the addresses they were given", "[timeline]") {
  TimelineScript run;
  run.Call(kMain, SYS_socket, {2, 1}, 1, 2, 3);
  run.NamedCall(kMain, SYS_connect, "127.0.0.1:80", {3}, 3, 4, -EINPROGRESS);
  run.Call(kMain, SYS_socket, {2, 1}, 5, 6, 4);
  run.NamedCall(kMain, SYS_bind, "/run/socket", {4}, 7, 8, 0);
  run.Call(kMain, SYS_accept, {4}, 9, 20, 5);
  run.Call(kMain, SYS_recvfrom, {5}, 21, 22, 9);
  run.End(kMain, 30);
  const TimelineFile file = run.File(30);
  CHECK(ObjectNamed(file, "socket 1 to 127.0.0.1:80").usage.opens == 1);
  CHECK(ObjectNamed(file, "socket 2 at /run/socket").usage.calls == 3);
  CHECK(ObjectNamed(file, "socket 3 from socket 2 at /run/socket").usage.bytes_read == 9);
}

TEST_CASE("timeline: bytes that one call moves are read there and written here", "[timeline]") {
  TimelineScript run;
  run.Open(kMain, "in", 3, 1);
  run.Call(kMain, SYS_sendfile, {1, 3}, 5, 6, 100);
  run.End(kMain, 10);
  const TimelineFile file = run.File(10);
  CHECK(ObjectNamed(file, "in").usage.bytes_read == 100);
  CHECK(ObjectNamed(file, "stdout").usage.bytes_written == 100);
}

TEST_CASE("timeline: a name is that of its own call, also where a call was told of twice or never returned", "[timeline]") {
  TimelineScript run;
  run.Name(kMain, SYS_execve, "/bin/gone", 1);  // never told
  run.Name(kMain, SYS_open, "fifo", 3);         // interrupted, and made again
  run.NamedCall(kMain, SYS_open, "fifo", {}, 2, 6, 3);
  run.Call(kMain, SYS_open, {}, 7, 8, -EFAULT);  // named nothing
  run.NamedCall(kMain, SYS_open, "next", {}, 9, 10, 4);
  run.End(kMain, 20);
  const TimelineFile file = run.File(20);
  CHECK(EventsOf(file) == Lines{"process.begin", "file.open fifo", "file.open", "file.open next", "process.end"});
}

TEST_CASE("timeline: a path beside an open folder is the folder's", "[timeline]") {
  TimelineScript run;
  run.Open(kMain, "/data", 3, 1);
  run.NamedCall(kMain, SYS_openat, "in.txt", {3}, 5, 6, 4);
  run.End(kMain, 10);
  CHECK(ObjectNamed(run.File(10), "/data/in.txt").usage.opens == 1);
}

TEST_CASE("timeline: each of very many files and sockets has a row of its own, in the order of first use", "[timeline]") {
  TimelineScript run;
  constexpr int kFiles = 20'000;
  Ticks when = 1;
  for (int round = 0; round < 2; ++round) {
    for (int i = 0; i < kFiles; ++i, when += 10) {
      run.Open(kMain, "file " + std::to_string(i), 3, when);
      run.Call(kMain, SYS_write, {3}, when + 2, when + 3, 2);
      run.Call(kMain, SYS_close, {3}, when + 4, when + 5, 0);
    }
  }
  run.End(kMain, when);
  const TimelineFile file = run.File(when);
  CHECK(file.objects() == kFiles + 3);
  int next = -3;  // stdin, stdout, stderr
  file.ForEachObject([&](ObjectNumber number, const TimelineObject& object) {
    const int i = next++;
    REQUIRE(static_cast<int>(number) == i + 3);
    if (i < 0) return;
    REQUIRE(object.name == "file " + std::to_string(i));
    REQUIRE(object.usage.opens == 2);
    REQUIRE(object.usage.bytes_written == 4);
  });
  CHECK(next == kFiles);
  CHECK(file.tables().usage[Resource::kFile].bytes_written == 4 * kFiles);
}

TEST_CASE("timeline: ticks become nanoseconds by the run's own clock", "[timeline]") {
  TimelineScript run;
  run.Call(kMain, SYS_write, {1}, 3000, 6000, 1);
  run.End(kMain, 30'000);
  const TimelineFile file(run.Finish(30'000, 10'000));
  file.ForEach(1, 1500, [&](const TimelineRecord& record) {
    CHECK(record.begin == 1000);
    CHECK(record.end == 2000);
  });
  CHECK(file.tables().duration == 10'000);
}

}  // namespace
}  // namespace tally

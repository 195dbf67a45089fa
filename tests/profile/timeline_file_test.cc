// A timeline of a million records: what is in memory, what is looked at, and files that are damaged.
#include "profile/timeline/timeline_file.h"

#include <malloc.h>

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <cstdlib>
#include <map>
#include <new>

#include "base/error.h"
#include "base/sys.h"
#include "profile/timeline/tables.h"
#include "profile/timeline/timeline_writer.h"
#include "tests/profile/timeline_script.h"
#include "tests/support/catch.h"

namespace {

std::size_t in_use = 0, most_in_use = 0;  // bytes

void* Allocate(std::size_t size) {
  void* block = std::malloc(size);
  if (block == nullptr) throw std::bad_alloc();
  in_use += ::malloc_usable_size(block);
  most_in_use = std::max(most_in_use, in_use);
  return block;
}

void Free(void* block) {
  in_use -= block == nullptr ? 0 : ::malloc_usable_size(block);
  std::free(block);
}

}  // namespace

// Every allocation of this executable is counted: what is in memory is a promise.
void* operator new(std::size_t size) { return Allocate(size); }
void* operator new[](std::size_t size) { return Allocate(size); }
// libstdc++'s calls the first, a sanitizer's does not.
void* operator new(std::size_t size, const std::nothrow_t&) noexcept { return Allocate(size); }
void operator delete(void* block) noexcept { Free(block); }
void operator delete[](void* block) noexcept { Free(block); }
void operator delete(void* block, std::size_t) noexcept { Free(block); }
void operator delete[](void* block, std::size_t) noexcept { Free(block); }

namespace tally {
namespace {

constexpr pid_t kMain = TimelineScript::kFirst, kOther = 101;

// Two threads: one waits all the while, one writes so often.
void WriteOften(TimelineScript* run, std::uint64_t often) {
  run->Thread(kOther, kMain, 10);
  run->Call(kMain, SYS_wait4, {}, 20, often * 100 + 200, 101);
  std::vector<ObservedCall> calls(1000);
  for (std::uint64_t done = 0; done < often; done += calls.size()) {
    for (std::size_t i = 0; i < calls.size(); ++i) {
      calls[i].number = SYS_write;
      calls[i].arguments[0] = 1;
      calls[i].begin = TimelineScript::kOrigin + (done + i + 1) * 100;
      calls[i].end = calls[i].begin + 40;
      calls[i].result = 8;
    }
    run->timeline().Called(kOther, calls);
  }
  run->End(kOther, often * 100 + 150);
  run->End(kMain, often * 100 + 300);
}

TEST_CASE("timeline file: a million events need no more memory than ten thousand", "[timeline][file]") {
  std::map<std::uint64_t, std::size_t> most;
  for (const std::uint64_t often : {10'000U, 1'000'000U}) {
    TimelineScript run;
    const std::size_t before = most_in_use = in_use;
    WriteOften(&run, often);
    const TimelineFile file = run.File(often * 100 + 300);
    std::uint64_t events = 0;
    file.ForEach(0, TimelineFile::kEver, [&](const TimelineRecord&) { ++events; });
    CHECK(events == often + 5);  // two beginnings, two ends, and the wait
    CHECK(file.tables().events == events);
    most[often] = most_in_use - before;
  }
  CHECK(most[1'000'000] <= most[10'000] + 4096);
  CHECK(most[1'000'000] < 1'000'000);
}

TEST_CASE("timeline file: an interval in a million events is found by some looks, not by reading", "[timeline][file]") {
  TimelineScript run;
  WriteOften(&run, 1'000'000);
  const TimelineFile file = run.File(100'000'300);
  for (const std::uint64_t from : {0ULL, 1ULL, 5'000'000ULL, 50'000'020ULL, 99'999'990ULL, 100'000'299ULL}) {
    CAPTURE(from);
    const std::uint64_t before = file.looked_at();
    const std::vector<std::string> events = EventsOf(file, from, from + 200);
    CHECK(file.looked_at() - before < 2 * TimelineWriter::kBlock);
    CHECK(events.size() >= 1);
    CHECK(events.size() <= 5);
    // The call that waits all the while is in every interval.
    if (from > 20 && from < 100'000'200) CHECK(std::count(events.begin(), events.end(), "wait.child") == 1);
  }
  CHECK(EventsOf(file, 50'000'050, 50'000'060).size() == 1);  // between two writes: only who waits
  CHECK(EventsOf(file, 100'000'301, TimelineFile::kEver).empty());
  CHECK(EventsOf(file, 10, 10).empty());
}

TEST_CASE("timeline file: any interval has what a search through everything finds in it", "[timeline][file]") {
  TimelineScript run;
  std::uint64_t random = 1;
  const auto next = [&random](std::uint64_t below) {
    random = random * 6364136223846793005ULL + 1442695040888963407ULL;
    return (random >> 33) % below;
  };
  for (pid_t task = 101; task < 140; ++task) run.Thread(task, kMain, 0);
  std::map<pid_t, Ticks> time;
  for (int i = 0; i < 20'000; ++i) {
    const pid_t task = static_cast<pid_t>(100 + next(40));
    const Ticks begin = time[task] + next(50), end = begin + (next(100) == 0 ? 20'000 : next(60));
    run.Call(task, SYS_write, {1}, begin, end, static_cast<std::int64_t>(i + 1));
    time[task] = end;
  }
  const TimelineFile file = run.File(2'000'000);
  std::vector<TimelineRecord> all;
  file.ForEach(0, TimelineFile::kEver, [&](const TimelineRecord& record) { all.push_back(record); });
  CHECK(all.size() == 20'000 + 40 + 40);
  CHECK(std::is_sorted(all.begin(), all.end(), [](const auto& a, const auto& b) { return a.begin < b.begin; }));
  for (int i = 0; i < 200; ++i) {
    const std::uint64_t from = next(400'000), to = from + next(3000);
    CAPTURE(from, to);
    std::vector<std::uint64_t> expected, got;
    for (const TimelineRecord& record : all) {
      const bool inside = from < to && record.begin < to && (record.end > from || record.begin >= from);
      if (inside) expected.push_back(record.amount);
    }
    file.ForEach(from, to, [&](const TimelineRecord& record) { got.push_back(record.amount); });
    std::sort(expected.begin(), expected.end());
    std::sort(got.begin(), got.end());
    CHECK(got == expected);
  }
}

std::string Mistake(const std::string& path) {
  try {
    const TimelineFile file(path);
    file.ForEach(0, TimelineFile::kEver, [](const TimelineRecord&) {});
    file.ForEachObject([](ObjectNumber, const TimelineObject&) {});
  } catch (const UserError& error) {
    const std::string text = error.what();
    return text.starts_with(path + ": ") ? text.substr(path.size() + 2) : text;
  }
  return "";
}

TEST_CASE("timeline file: what is no timeline file, or a damaged one, is told in a sentence with its name", "[timeline][file]") {
  TimelineScript run;
  WriteOften(&run, 1000);
  const std::string good = sys::ReadFile(run.Finish(100'300, 100'300));
  const ScratchFolder folder;
  const auto with = [&](std::size_t at, const std::string& bytes) {
    std::string changed = good;
    changed.replace(at, bytes.size(), bytes);
    return Mistake(folder.Write("changed", changed));
  };
  CHECK(Mistake(folder.path() + "/absent") == "No such file or directory");
  CHECK(Mistake(folder.path()) == "not a timeline file");
  CHECK(Mistake(folder.Write("empty", "")) == "not a timeline file");
  CHECK(Mistake(folder.Write("text", std::string(1000, 'x'))) == "not a timeline file");
  CHECK(Mistake(folder.Write("good", good)).empty());
  CHECK(with(8, "\x01") == "a timeline file of version 1; this Tally reads version 3");
  CHECK(Mistake(folder.Write("short", good.substr(0, good.size() - 1))) ==
        "this timeline file is damaged: it is not as long as its header says");
  CHECK(with(64 + 3 * 64 + 60, "\xff\xff") == "this timeline file is damaged: record 3 is not possible");  // its event
  CHECK(with(64 + 3 * 64 + 48, "\xff\xff") == "this timeline file is damaged: record 3 is not possible");  // its thread
  TimelineHeader header;
  std::memcpy(&header, good.data(), sizeof header);
  REQUIRE(header.objects == 3);
  const std::size_t rows = sizeof header + header.records * sizeof(TimelineRecord), tables = rows + 3 * sizeof(ObjectRow) + header.names_size;
  CHECK(with(tables, std::string(8, '\xff')) == "this timeline file is damaged: its tables end too early");  // the length of the program's name
  for (const std::size_t at : {std::size_t{1}, std::size_t{6}, std::size_t{15}}) {  // its kind, the length of its name, and where that is
    CHECK(with(rows + sizeof(ObjectRow) + at, "\x01") == "this timeline file is damaged: object 1 is not possible");
  }
  // The number of objects, and of records, are any number.
  for (const std::size_t at : {offsetof(TimelineHeader, objects), offsetof(TimelineHeader, records), offsetof(TimelineHeader, names_size), offsetof(TimelineHeader, tables_size)}) {
    for (const std::string& number : {std::string(8, '\xff'), std::string(7, '\0') + "\x40"}) {
      CHECK(with(at, number) == "this timeline file is damaged: it is not as long as its header says");
    }
  }
}

TEST_CASE("timeline file: parts of a time that are more than the time are damage, and nothing is drawn of them", "[timeline][file]") {
  const auto mistake = [](const TimelineTables& tables) -> std::string {
    try {
      DecodeTables(EncodeTables(tables), "f");
    } catch (const UserError& error) {
      return error.what();
    }
    return "";
  };
  TimelineTables tables;
  tables.duration = 10;
  tables.time[Resource::kCpu] = 6;
  tables.time[Resource::kFile] = 4;
  CHECK(mistake(tables).empty());
  tables.time[Resource::kStopped] = 1;
  CHECK(mistake(tables) == "f: this timeline file is damaged: its time is more than its duration");
  tables.time = {};
  tables.threads.push_back({.tid = 7, .begin = 5, .end = 8});
  tables.threads[0].time[Resource::kSleep] = 3;
  CHECK(mistake(tables).empty());
  tables.threads[0].time[Resource::kSleep] = ~0ULL;
  CHECK(mistake(tables) == "f: this timeline file is damaged: thread 7 is not possible");
}

}  // namespace
}  // namespace tally

// A run that never was: a test says what its threads did and when, and gets the timeline file. A tick is a nanosecond
// unless the test says otherwise, and the first instruction is at kOrigin.
#pragma once

#include <sys/syscall.h>

#include <initializer_list>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "profile/timeline/timeline.h"
#include "profile/timeline/timeline_file.h"
#include "tests/support/scratch_folder.h"

namespace tally {

class TimelineScript {
 public:
  static constexpr Ticks kOrigin = 1'000'000;
  static constexpr pid_t kFirst = 100;

  explicit TimelineScript(const StreamKinds& streams = {ObjectKind::kFile, ObjectKind::kFile, ObjectKind::kFile})
      : timeline_(folder_.path(), "/box/program", streams, [] { return now_; }) {
    timeline_.Began(kFirst, kOrigin);
  }

  using Arguments = std::vector<std::uint64_t>;
  // Times are since the first instruction.
  void Call(pid_t task, std::uint64_t number, const Arguments& arguments, Ticks begin, Ticks end, std::int64_t result) {
    const ObservedCall call = Shape(number, arguments, begin, end, result);
    timeline_.Called(task, {&call, 1});
  }
  void NamedCall(pid_t task, std::uint64_t number, const std::string& name, const Arguments& arguments, Ticks begin,
                 Ticks end, std::int64_t result) {
    Name(task, number, name, begin);
    Call(task, number, arguments, begin, end, result);
  }
  void Name(pid_t task, std::uint64_t number, const std::string& name, Ticks when) {
    now_ = kOrigin + when;
    timeline_.Named(task, number, name);
  }
  void Open(pid_t task, const std::string& path, int fd, Ticks when, std::uint64_t flags = 0) {
    NamedCall(task, SYS_openat, path, {static_cast<std::uint64_t>(-100), 0, flags}, when, when + 1, fd);
  }
  void Thread(pid_t task, pid_t parent, Ticks when) { timeline_.TaskBegan(task, parent, true, true, kOrigin + when); }
  void Process(pid_t task, pid_t parent, Ticks when) { timeline_.TaskBegan(task, parent, false, false, kOrigin + when); }
  void End(pid_t task, Ticks when) { timeline_.TaskEnded(task, nullptr, kOrigin + when); }
  void EndIn(pid_t task, std::uint64_t number, const Arguments& arguments, Ticks begin, Ticks when) {
    const ObservedCall call = Shape(number, arguments, begin, 0, 0);
    timeline_.TaskEnded(task, &call, kOrigin + when);
  }
  void Stop(pid_t task, Ticks begin, Ticks end) { timeline_.Stopped(task, kOrigin + begin, kOrigin + end); }
  void Translated(pid_t task, Ticks begin, Ticks end, std::int64_t idle = 0) { timeline_.Translated(task, kOrigin + begin, kOrigin + end, Nanoseconds(idle)); }
  Timeline& timeline() { return timeline_; }

  // The run is over.
  std::string Finish(Ticks end, std::uint64_t nanoseconds) {
    timeline_.Clock(kOrigin, kOrigin + end, nanoseconds);
    timeline_.Merge(path());
    return path();
  }
  TimelineFile File(Ticks end) { return TimelineFile(Finish(end, end)); }
  [[nodiscard]] std::string path() const { return folder_.path() + "/timeline"; }

 private:
  static ObservedCall Shape(std::uint64_t number, const Arguments& arguments, Ticks begin, Ticks end, std::int64_t result) {
    ObservedCall call;
    call.number = number;
    for (std::size_t i = 0; i < arguments.size(); ++i) call.arguments[i] = arguments[i];
    call.begin = kOrigin + begin;
    call.end = kOrigin + end;
    call.result = result;
    return call;
  }

  static inline Ticks now_ = 0;
  ScratchFolder folder_;
  Timeline timeline_;
};

// "file.write 8 out.txt", one for each event in order; thread and times where asked.
inline std::vector<std::string> EventsOf(const TimelineFile& file, std::uint64_t from = 0,
                                         std::uint64_t to = TimelineFile::kEver) {
  std::vector<std::string> out;
  file.ForEach(from, to, [&](const TimelineRecord& record) {
    std::string text = file.tables().kinds[record.event].name;
    if (record.amount != 0) text += " " + std::to_string(record.amount);
    if (record.object != kNoObject) text += " " + file.Object(record.object).name;
    out.push_back(std::move(text));
  });
  return out;
}

inline std::uint64_t Sum(const TimeConsumption& time) {
  std::uint64_t sum = 0;
  for (const std::uint64_t part : time) sum += part;
  return sum;
}

inline TimelineObject ObjectNamed(const TimelineFile& file, std::string_view name) {
  std::optional<TimelineObject> found;
  file.ForEachObject([&](ObjectNumber, const TimelineObject& object) {
    if (object.name == name) found = object;
  });
  if (found) return *found;
  throw std::runtime_error("no object " + std::string(name));
}

}  // namespace tally

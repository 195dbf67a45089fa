// The timeline of a run: every thread's beginning and end, every call that used something, every stop.
//
// Theory of operation. While the program runs, hardly anything is done: what the run tells is written as it comes into
// files of each thread's own (spool.h), in a folder that is the caller's. No thread's telling waits for another's.
// Afterwards those files, each in order of time, are merged into one (merge.h): there the descriptors are followed, calls
// become events, and time is added up. What is in memory meanwhile is a row for each thread, for each file and socket up
// to some thousands (objects.h), and one piece of each file of a thread that lives at the moment looked at.
#pragma once

#include <array>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "profile/timeline/call_table.h"
#include "profile/timeline/spool.h"
#include "profile/timeline/thread_cursor.h"
#include "supervisor/api/call_observer.h"

namespace tally {

using StreamKinds = std::array<ObjectKind, 3>;  // of stdin, stdout and stderr

// Of a descriptor of ours, by what it is.
ObjectKind KindOfDescriptor(int fd);
Ticks TicksNow();

class Timeline : public CallObserver {
 public:
  // `folder` is the caller's, empty, and stays until Merge has returned. `program` is what it is called.
  Timeline(const std::string& folder, std::string program, const StreamKinds& streams, Ticks (*now)() = TicksNow)
      : spool_(folder), program_(std::move(program)), streams_(streams), now_(now) {}

  void Began(pid_t first, Ticks when) override;
  void TaskBegan(pid_t task, pid_t parent, bool is_thread, bool shares_descriptors, Ticks when) override;
  void TaskEnded(pid_t task, const ObservedCall* unfinished, Ticks when) override;
  void Named(pid_t task, std::uint64_t number, std::string_view name) override;
  void Called(pid_t task, std::span<const ObservedCall> calls) override;
  void Stopped(pid_t task, Ticks begin, Ticks end) override;
  void Translated(pid_t task, Ticks begin, Ticks end, Nanoseconds idle) override;
  void Clock(Ticks begin, Ticks end, std::uint64_t nanoseconds) override;

  // After the run: writes the timeline file. SystemError where the disk is full.
  void Merge(const std::string& path);

 private:
  static constexpr std::size_t kNamesKept = 8192;  // bytes of each thread's names that wait to be written
  static constexpr std::size_t kTranslationsKept = 512;

  std::uint32_t Add(const SpooledThread& thread);
  [[nodiscard]] std::uint32_t NumberOf(pid_t task) const;
  void WriteNames(std::uint32_t thread);
  void WriteTranslations(std::uint32_t thread);

  Spool spool_;
  std::string program_;
  StreamKinds streams_;
  Ticks (*now_)();
  std::vector<SpooledThread> threads_;
  std::unordered_map<pid_t, std::uint32_t> living_;
  std::unordered_map<std::uint32_t, std::string> names_;
  std::unordered_map<std::uint32_t, std::vector<SpooledStop>> translations_;
  TickScale scale_;
  Ticks over_ = 0;  // when the run was
};

}  // namespace tally

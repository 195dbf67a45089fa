// What one thread did, step by step, from its spooled files: calls and stops in nanoseconds since the program's first
// instruction. Times never go back, whatever the counter of another processor said.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "profile/timeline/spool.h"
#include "supervisor/api/call_observer.h"

namespace tally {

// How ticks become nanoseconds.
struct TickScale {
  Ticks origin = 0;  // the first instruction
  Ticks ticks = 1;
  std::uint64_t nanoseconds = 1;
  [[nodiscard]] std::uint64_t ToNanoseconds(Ticks when) const;
};

// A thread as the run has told of it.
struct SpooledThread {
  static constexpr std::uint32_t kNone = ~0U;
  pid_t tid = 0;
  std::uint32_t parent = kNone;
  bool is_thread = false;
  bool shares_descriptors = false;
  bool ended = false;
  bool unfinished = false;  // its last call is one that it did not come back from
  Ticks begin = 0, end = 0;
};

struct TimedCall {
  ObservedCall call;
  std::uint64_t begin = 0, end = 0;
  bool unfinished = false;
};

struct TimedStop {
  std::uint64_t begin = 0, end = 0;
};

class ThreadCursor {
 public:
  ThreadCursor(const Spool& spool, std::uint32_t number, const SpooledThread& thread, const TickScale& scale);

  // The next call that was not skipped, and the next stop; nullptr: there is none.
  const TimedCall* Call();
  void SkipCall() { call_.reset(); }
  const TimedStop* Stop();
  void SkipStop() { stop_.reset(); }
  // Of the call that Call gives.
  std::optional<std::string> Name();
  // Nanoseconds of the next stops that lie between.
  [[nodiscard]] std::uint64_t StoppedWithin(std::uint64_t begin, std::uint64_t end);

 private:
  static std::optional<TimedStop> Next(SpooledThings<SpooledStop>* stops, const TickScale& scale, std::uint64_t* last_end);

  SpooledThings<ObservedCall> calls_;
  SpooledThings<SpooledStop> stops_;
  SpooledNames names_;
  TickScale scale_;
  bool unfinished_;
  std::uint64_t last_call_, last_stop_;
  std::optional<TimedCall> call_;
  std::optional<TimedStop> stop_;
};

}  // namespace tally

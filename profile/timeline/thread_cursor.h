// What one thread did, step by step, from its spooled files: calls and stops in nanoseconds since the program's first
// instruction. Times never go back, whatever the counter of another processor said.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>

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
  const TimedStop* Stop() { return stops_.Peek(scale_); }
  void SkipStop() { stops_.Skip(); }
  const TimedStop* Translation() { return translations_.Peek(scale_); }
  void SkipTranslation() { translations_.Skip(); }
  // Of the call that Call gives.
  std::optional<std::string> Name();
  // Nanoseconds of the next ones that lie between.
  [[nodiscard]] std::uint64_t StoppedWithin(std::uint64_t begin, std::uint64_t end) { return stops_.Within(begin, end, scale_); }
  [[nodiscard]] std::uint64_t TranslatedWithin(std::uint64_t begin, std::uint64_t end) { return translations_.Within(begin, end, scale_); }

 private:
  // Stretches one after the other. Each begins as much earlier as the thread was idle before, but for what calls account for: it stood already, and
  // nobody knew. A call into which the stretch falls is one that stopped, and not one that blocked.
  class Stretches {
   public:
    Stretches(std::string path, std::string calls, std::uint64_t begin) : spooled_(std::move(path)), calls_(std::move(calls)), last_end_(begin) {}
    const TimedStop* Peek(const TickScale& scale);
    void Skip() { next_.reset(); }
    [[nodiscard]] std::uint64_t Within(std::uint64_t begin, std::uint64_t end, const TickScale& scale);

   private:
    std::uint64_t BeginOf(const SpooledStop& spooled, const TickScale& scale);

    SpooledThings<SpooledStop> spooled_;
    SpooledThings<ObservedCall> calls_;  // that a stretch may lie behind
    std::uint64_t last_end_;
    std::optional<TimedStop> next_;
  };

  SpooledThings<ObservedCall> calls_;
  Stretches stops_, translations_;
  SpooledNames names_;
  TickScale scale_;
  bool unfinished_;
  std::uint64_t last_call_;
  std::optional<TimedCall> call_;
};

}  // namespace tally

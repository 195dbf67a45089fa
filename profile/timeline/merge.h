// Merges the threads' spooled files into one timeline file, in one pass over all of them in order of time, with a cursor
// for each thread that lives then.
//
// A call has two moments: at its beginning the event is written and its descriptor looked up, at its end what it did to
// the descriptors happens. So a descriptor that one thread opens and another uses is the right one, as long as the
// program does not use it before the call that opens it has returned.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "profile/timeline/call_effects.h"
#include "profile/timeline/descriptors.h"
#include "profile/timeline/record.h"
#include "profile/timeline/thread_cursor.h"
#include "profile/timeline/time_sweep.h"
#include "profile/timeline/timeline.h"
#include "profile/timeline/timeline_writer.h"

namespace tally {

class TimelineMerge {
 public:
  // Borrows the spool. `threads` in the order in which they began.
  TimelineMerge(const Spool* spool, const std::vector<SpooledThread>& threads, const TickScale& scale,
                const std::string& program, const StreamKinds& streams);
  void WriteTo(const std::string& path);

 private:
  struct Living {
    ThreadCursor cursor;
    std::shared_ptr<Descriptors> descriptors;  // threads have them in common
    std::uint64_t end;
    bool in_call = false, in_stop = false, in_translation = false;
    Resource of_call = Resource::kCpu;
    std::uint64_t since;       // the thread is in this state
    Resource state = Resource::kCpu;
    OpenedObjects opened;      // by the call, at its end
  };
  struct Moment {
    std::uint64_t when;
    bool is_begin;  // ends come first
    std::uint32_t thread;
    bool operator>(const Moment& other) const {
      if (when != other.when) return when > other.when;
      return is_begin != other.is_begin ? is_begin : thread > other.thread;
    }
  };

  void Begin(std::uint32_t number);
  void End(std::uint32_t number, std::uint64_t now);
  [[nodiscard]] Moment NextOf(std::uint32_t number);
  void Step(const Moment& moment);
  void SetState(std::uint32_t number, std::uint64_t now);

  void BeginCall(std::uint32_t number, std::uint64_t now);
  void BeginStop(std::uint32_t number, std::uint64_t now);
  void AddUsage(const TimelineRecord& record, const CallRow& row, const TimedCall& call, Resource resource);
  std::uint16_t KindNumber(const std::string& name, Resource resource);
  void Mark(std::uint32_t number, std::uint64_t now, const char* what);

  const Spool* spool_;
  const std::vector<SpooledThread>& threads_;
  TickScale scale_;
  StreamKinds streams_;
  TimelineTables tables_;
  TimelineObjects objects_;  // in the spool's folder
  CallEffects effects_{&objects_};
  TimeSweep sweep_;
  std::map<std::uint32_t, Living> living_;
  std::map<std::string, std::uint16_t, std::less<>> kinds_;
  std::unique_ptr<TimelineWriter> writer_;
};

}  // namespace tally

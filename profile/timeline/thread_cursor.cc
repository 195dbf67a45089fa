#include "profile/timeline/thread_cursor.h"

#include <algorithm>
#include <limits>

namespace tally {

std::uint64_t TickScale::ToNanoseconds(Ticks when) const {
  __extension__ using Wide = unsigned __int128;
  if (when <= origin) return 0;
  return static_cast<std::uint64_t>(static_cast<Wide>(when - origin) * nanoseconds / std::max<Ticks>(ticks, 1));
}

ThreadCursor::ThreadCursor(const Spool& spool, std::uint32_t number, const SpooledThread& thread, const TickScale& scale)
    : calls_(spool.CallsOf(number)),
      stops_(spool.StopsOf(number)),
      names_(spool.NamesOf(number)),
      scale_(scale),
      unfinished_(thread.unfinished),
      last_call_(scale.ToNanoseconds(thread.begin)),
      last_stop_(last_call_) {}

const TimedCall* ThreadCursor::Call() {
  if (call_) return &*call_;
  const ObservedCall* next = calls_.Peek();
  if (next == nullptr) return nullptr;
  TimedCall timed{*next, std::max(scale_.ToNanoseconds(next->begin), last_call_), 0, false};
  timed.end = std::max(scale_.ToNanoseconds(next->end), timed.begin);
  last_call_ = timed.end;
  calls_.Skip();
  timed.unfinished = unfinished_ && calls_.Peek() == nullptr;
  call_ = timed;
  return &*call_;
}

std::optional<TimedStop> ThreadCursor::Next(SpooledThings<SpooledStop>* stops, const TickScale& scale,
                                            std::uint64_t* last_end) {
  const SpooledStop* next = stops->Peek();
  if (next == nullptr) return std::nullopt;
  TimedStop timed{std::max(scale.ToNanoseconds(next->begin), *last_end), 0};
  timed.end = std::max(scale.ToNanoseconds(next->end), timed.begin);
  *last_end = timed.end;
  stops->Skip();
  return timed;
}

const TimedStop* ThreadCursor::Stop() {
  if (!stop_) stop_ = Next(&stops_, scale_, &last_stop_);
  return stop_ ? &*stop_ : nullptr;
}

std::optional<std::string> ThreadCursor::Name() {
  const Ticks returned = call_->unfinished ? std::numeric_limits<Ticks>::max() : call_->call.end;
  return names_.NameFor(call_->call.number, returned);
}

std::uint64_t ThreadCursor::StoppedWithin(std::uint64_t begin, std::uint64_t end) {
  const TimedStop* first = Stop();
  if (first == nullptr || first->begin >= end) return 0;
  // Looked at ahead of time: each of these comes as a stop of its own, too.
  SpooledThings<SpooledStop> ahead = stops_;
  std::uint64_t last_end = last_stop_, sum = 0;
  for (std::optional<TimedStop> stop = *first; stop && stop->begin < end; stop = Next(&ahead, scale_, &last_end)) {
    sum += std::min(stop->end, end) - std::min(std::max(stop->begin, begin), std::min(stop->end, end));
  }
  return sum;
}

}  // namespace tally

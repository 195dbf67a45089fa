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
      stops_(spool.StopsOf(number), "", scale.ToNanoseconds(thread.begin)),
      translations_(spool.TranslationsOf(number), spool.CallsOf(number), scale.ToNanoseconds(thread.begin)),
      names_(spool.NamesOf(number)),
      scale_(scale),
      unfinished_(thread.unfinished),
      last_call_(scale.ToNanoseconds(thread.begin)) {}

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

const TimedStop* ThreadCursor::Stretches::Peek(const TickScale& scale) {
  if (next_) return &*next_;
  const SpooledStop* const spooled = spooled_.Peek();
  if (spooled == nullptr) return nullptr;
  next_.emplace(TimedStop{BeginOf(*spooled, scale), 0});
  next_->end = std::max(scale.ToNanoseconds(spooled->end), next_->begin);
  last_end_ = next_->end;
  spooled_.Skip();
  return &*next_;
}

std::uint64_t ThreadCursor::Stretches::BeginOf(const SpooledStop& spooled, const TickScale& scale) {
  const std::uint64_t heard = std::max(scale.ToNanoseconds(spooled.begin), last_end_);
  std::uint64_t idle = spooled.idle, earliest = last_end_;
  if (idle == 0) return heard;
  for (const ObservedCall* call = calls_.Peek(); call != nullptr; call = calls_.Peek()) {
    const std::uint64_t begin = scale.ToNanoseconds(call->begin), end = scale.ToNanoseconds(call->end);
    if (begin >= heard) break;
    if (end > heard) {
      earliest = std::max(earliest, begin);
      break;
    }
    idle -= std::min(idle, end - std::min(end, std::max(begin, last_end_)));
    earliest = std::max(earliest, end);
    calls_.Skip();
  }
  return heard - std::min(idle, heard - std::min(heard, earliest));
}

// Looked at ahead of time: each of these comes by itself, too.
std::uint64_t ThreadCursor::Stretches::Within(std::uint64_t begin, std::uint64_t end, const TickScale& scale) {
  const TimedStop* const first = Peek(scale);
  if (first == nullptr || first->begin >= end) return 0;
  Stretches ahead = *this;
  std::uint64_t sum = 0;
  for (const TimedStop* one = ahead.Peek(scale); one != nullptr && one->begin < end; one = ahead.Peek(scale)) {
    sum += std::min(one->end, end) - std::min(std::max(one->begin, begin), std::min(one->end, end));
    ahead.Skip();
  }
  return sum;
}

std::optional<std::string> ThreadCursor::Name() {
  const Ticks returned = call_->unfinished ? std::numeric_limits<Ticks>::max() : call_->call.end;
  return names_.NameFor(call_->call.number, returned);
}

}  // namespace tally

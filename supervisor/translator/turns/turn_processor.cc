#include "supervisor/translator/turns/turn_processor.h"

#include "base/sys.h"

namespace tally {

bool TurnProcessor::Keep(pid_t task) {
  const Nanoseconds now = sys::MonotonicNow();
  if (together_ && now - begin_ > kTogether) LetGo();
  if (now < apart_until_) return false;
  if (!together_) {
    together_.emplace();
    begin_ = now;
  }
  if (waited_before_.contains(task)) return true;
  if (files_.size() >= kMostFiles) files_.clear();
  const std::optional<SchedTimes> times = files_[task].Of(task);
  if (!times) {  // it is gone, or nobody would see it wait
    apart_until_ = now + kApart;
    LetGo();
    return false;
  }
  waited_before_.emplace(task, times->waiting);
  together_->Add(task);
  return true;
}

void TurnProcessor::LetGo() {
  const Nanoseconds now = sys::MonotonicNow();
  if (together_ && now - begin_ > kTogether && HaveWaited(now)) apart_until_ = now + kApart;
  together_.reset();
  waited_before_.clear();
}

bool TurnProcessor::HaveWaited(Nanoseconds now) {
  Nanoseconds sum{0};
  for (const auto& [task, before] : waited_before_) {
    if (const std::optional<SchedTimes> times = files_[task].Of(task)) sum += times->waiting - before;
  }
  return sum * kGoodPart > now - begin_;
}

}  // namespace tally

#include "dispatcher/instance_pool.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/error.h"

namespace tally {
namespace {

constexpr Nanoseconds kFirstPause = Milliseconds(100);
constexpr Nanoseconds kLongestPause = std::chrono::seconds(10);

}  // namespace

InstancePool::InstancePool(Settings settings, const WorkerFolder& folder, WorkerLog* log, WorkerMetrics* metrics)
    : settings_(std::move(settings)), folder_(folder), log_(log), metrics_(metrics), slots_(settings_.instances) {}

std::size_t InstancePool::Count(State state) const {
  return static_cast<std::size_t>(
      std::count_if(slots_.begin(), slots_.end(), [state](const Slot& slot) { return slot.state == state; }));
}

bool InstancePool::HasIdle() const { return Count(State::kIdle) > 0; }
std::size_t InstancePool::busy() const { return Count(State::kBusy); }
std::size_t InstancePool::alive() const { return Count(State::kIdle) + busy(); }

void InstancePool::Give(std::uint64_t request, FrameKind kind, std::string_view body, std::optional<std::string_view> user, Nanoseconds now) {
  const auto slot =
      std::find_if(slots_.begin(), slots_.end(), [](const Slot& one) { return one.state == State::kIdle; });
  slot->state = State::kBusy;
  slot->request = request;
  slot->too_long = false;
  slot->too_long_at = now + settings_.longest_request;
  if (user) slot->process->Give(FrameKind::kUser, *user);
  slot->process->Give(kind, body);
}

void InstancePool::Abandon() {
  for (Slot& slot : slots_) {
    if (slot.state != State::kBusy) continue;
    slot.state = State::kAbandoned;
    slot.process->Kill();
  }
}

void InstancePool::AddTo(std::vector<pollfd>* fds) const {
  for (const Slot& slot : slots_) {
    if (slot.process) slot.process->AddTo(fds);
  }
}

std::optional<Nanoseconds> InstancePool::next() const {
  std::optional<Nanoseconds> first;
  const auto sooner = [&first](Nanoseconds time) { first = std::min(first.value_or(Nanoseconds::max()), time); };
  for (const Slot& slot : slots_) {
    if (slot.state == State::kBusy && !slot.too_long) sooner(slot.too_long_at);
    if (slot.state == State::kAbsent) sooner(slot.start_at);
  }
  return first;
}

std::vector<InstancePool::Done> InstancePool::Move(Nanoseconds now) {
  std::vector<Done> done;
  for (std::size_t i = 0; i < slots_.size(); ++i) MoveSlot(i, now, &done);
  return done;
}

void InstancePool::MoveSlot(std::size_t number, Nanoseconds now, std::vector<Done>* done) {
  Slot& slot = slots_[number];
  if (slot.state == State::kAbsent && now >= slot.start_at) Start(number, now);
  if (!slot.process) return;
  InstanceProcess::News news = slot.process->Move();
  for (const std::string& line : news.said) {
    log_->Warning("an instance says", {{"instance", number}, {"text", line}});
  }
  if (news.ready && slot.state == State::kStarting) {
    slot.state = State::kIdle;
    slot.failed_starts = 0;
    log_->Info("an instance is ready", {{"instance", number}, {"cpu_quota", *news.ready}});
  }
  if (news.answer && slot.state == State::kBusy) {
    slot.state = State::kIdle;
    done->push_back({slot.request, Done::How::kAnswered, *std::move(news.answer)});
  }
  if (news.ended) return Ended(&slot, *news.ended, now, done);
  if (slot.state == State::kBusy && !slot.too_long && now >= slot.too_long_at) {
    slot.too_long = true;
    slot.process->Kill();  // its end comes as news
  }
}

void InstancePool::Ended(Slot* slot, const std::string& how, Nanoseconds now, std::vector<Done>* done) {
  const State state = std::exchange(slot->state, State::kAbsent);
  slot->process.reset();
  slot->start_at = now;
  metrics_->CountInstanceEnd();
  if (state == State::kBusy) {
    done->push_back({slot->request, slot->too_long ? Done::How::kTooLong : Done::How::kDied, how});
  } else if (state == State::kStarting) {
    log_->Error("an instance cannot start", {{"ended", how}});
    StartFailed(slot, now);
  } else if (state == State::kIdle) {
    log_->Warning("an idle instance ended", {{"ended", how}});
    StartFailed(slot, now);
  }
}

void InstancePool::Start(std::size_t number, Nanoseconds now) {
  Slot& slot = slots_[number];
  try {
    slot.process = std::make_unique<InstanceProcess>(number, folder_, settings_.for_instances);
    slot.state = State::kStarting;
  } catch (const SystemError& error) {
    log_->Error("an instance cannot start", {{"reason", error.what()}});
    StartFailed(&slot, now);
  }
}

// Not again and again without a pause.
void InstancePool::StartFailed(Slot* slot, Nanoseconds now) {
  slot->start_at = now + std::min<Nanoseconds>(kLongestPause, kFirstPause * (1LL << std::min(slot->failed_starts++, 10u)));
}

}  // namespace tally

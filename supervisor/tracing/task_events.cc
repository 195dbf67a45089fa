#include "supervisor/tracing/task_events.h"

#include "supervisor/tracing/waits.h"

namespace tally {
namespace {

// A tracer is told of stops whatever it asked for (kernel/exit.c, wait_task_stopped): one that came just now.
std::optional<TaskEvents::Event> AnyEnd() {
  const auto event = waits::AnyEnd();
  return event && !event->second.IsEnd() ? waits::TakeAnyStop() : event;
}

}  // namespace

// Stops first: they are many.
std::optional<TaskEvents::Event> TaskEvents::Next() {
  if (auto event = NextInTurn()) return event;
  std::optional<Event> event = Postponed(postponed_.Longest());
  if (!event) event = waits::TakeAnyStop();
  if (!event) event = AnyEnd();
  if (!event) event = Postponed(postponed_.LongestHeld());
  if (!event) return std::nullopt;
  if (tasks_.size() > 1 && ++taken_ >= tasks_.size()) {
    taken_ = 0;
    to_ask_ = tasks_.All();
  }
  return event;
}

std::optional<TaskEvents::Event> TaskEvents::NextInTurn() {
  while (!to_ask_.empty()) {
    const pid_t tid = to_ask_.back();
    to_ask_.pop_back();
    if (postponed_.IsHeld(tid)) continue;
    if (auto event = Of(tid)) return event;
  }
  return std::nullopt;
}

std::optional<TaskEvents::Event> TaskEvents::Postponed(std::optional<pid_t> tid) {
  return tid ? Of(*tid) : std::nullopt;
}

std::optional<TaskEvents::Event> TaskEvents::Of(pid_t tid) {
  const std::optional<WaitStatus> postponed = postponed_.Take(tid);
  const std::optional<WaitStatus> news = waits::LookAt(tid).event;
  const std::optional<WaitStatus> event = !news ? postponed : news->IsEnd() ? news : waits::TakeStop(tid).stop;
  if (!event) return std::nullopt;
  return {{tid, *event}};
}

}  // namespace tally

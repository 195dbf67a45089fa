#include "supervisor/tracing/task_events.h"

#include <signal.h>
#include <sys/wait.h>

namespace tally {
namespace {

std::optional<TaskEvents::Event> Ask(idtype_t whom, pid_t id, int what) {
  siginfo_t info{};
  if (::waitid(whom, static_cast<id_t>(id), &info, what | WNOHANG | __WALL) != 0 || info.si_pid == 0) return std::nullopt;
  switch (info.si_code) {
    case CLD_EXITED: return {{info.si_pid, WaitStatus(W_EXITCODE(info.si_status, 0))}};
    case CLD_KILLED:
    case CLD_DUMPED: return {{info.si_pid, WaitStatus(info.si_status)}};
    default: return {{info.si_pid, WaitStatus::FromStop(info.si_status)}};
  }
}

std::optional<TaskEvents::Event> AnyStop() { return Ask(P_ALL, 0, WSTOPPED); }

// A tracer is told of stops whatever it asked for (kernel/exit.c, wait_task_stopped): one that came just now.
std::optional<TaskEvents::Event> AnyEnd() {
  const auto event = Ask(P_ALL, 0, WEXITED | WNOWAIT);
  return event && !event->second.IsEnd() ? AnyStop() : event;
}

}  // namespace

// Stops first: they are many.
std::optional<TaskEvents::Event> TaskEvents::Next() {
  if (auto event = NextInTurn()) return event;
  std::optional<Event> event = Postponed();
  if (!event) event = AnyStop();
  if (!event) event = AnyEnd();
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
    if (auto event = Of(tid)) return event;
  }
  return std::nullopt;
}

std::optional<TaskEvents::Event> TaskEvents::Postponed() {
  const std::optional<pid_t> tid = postponed_.Longest();
  return tid ? Of(*tid) : std::nullopt;
}

std::optional<TaskEvents::Event> TaskEvents::Of(pid_t tid) {
  const std::optional<WaitStatus> postponed = postponed_.Take(tid);
  const auto news = Ask(P_PID, tid, WEXITED | WNOWAIT);
  if (news) return news->second.IsEnd() ? news : Ask(P_PID, tid, WSTOPPED);
  if (postponed) return {{tid, *postponed}};
  return std::nullopt;
}

}  // namespace tally

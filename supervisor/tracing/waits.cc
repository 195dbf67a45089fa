#include "supervisor/tracing/waits.h"

#include <sys/wait.h>

#include <cerrno>
#include <csignal>

namespace tally::waits {
namespace {

struct Answer {
  int error;  // 0: none
  siginfo_t info;
};

Answer Ask(idtype_t whom, pid_t id, int what) {
  Answer out{};
  if (::waitid(whom, static_cast<id_t>(id), &out.info, what | __WALL) != 0) out.error = errno;
  return out;
}

bool HasNews(const Answer& answer) { return answer.error == 0 && answer.info.si_pid != 0; }

WaitStatus StatusOf(const siginfo_t& info) {
  switch (info.si_code) {
    case CLD_EXITED:
      return WaitStatus(W_EXITCODE(info.si_status, 0));
    case CLD_KILLED:
    case CLD_DUMPED:
      return WaitStatus(info.si_status);
    default:
      return WaitStatus::FromStop(info.si_status);
  }
}

std::optional<Event> EventOf(const Answer& answer) {
  if (!HasNews(answer)) return std::nullopt;
  return {{answer.info.si_pid, StatusOf(answer.info)}};
}

}  // namespace

Sight LookAt(pid_t tid) {
  const Answer answer = Ask(P_PID, tid, WSTOPPED | WEXITED | WNOHANG | WNOWAIT);
  if (!HasNews(answer)) return {answer.error == 0 || answer.error == EINTR, std::nullopt};
  return {true, StatusOf(answer.info)};
}

std::optional<Event> AnyEnd() { return EventOf(Ask(P_ALL, 0, WEXITED | WNOHANG | WNOWAIT)); }

Taken TakeStop(pid_t tid) {
  const Answer answer = Ask(P_PID, tid, WSTOPPED | WNOHANG);
  if (!HasNews(answer)) return {answer.error == 0, std::nullopt};
  return {true, StatusOf(answer.info)};
}

std::optional<Event> TakeAnyStop() { return EventOf(Ask(P_ALL, 0, WSTOPPED | WNOHANG)); }

std::optional<WaitStatus> AwaitAndTakeStop(pid_t tid) {
  const Answer answer = Ask(P_PID, tid, WSTOPPED);
  errno = answer.error;
  if (!HasNews(answer)) return std::nullopt;
  return StatusOf(answer.info);
}

std::optional<Event> AwaitAny() {
  for (;;) {
    const Answer answer = Ask(P_ALL, 0, WSTOPPED | WEXITED);
    if (answer.error != EINTR) return EventOf(answer);
  }
}

bool Reap(pid_t child) {
  const Answer answer = Ask(P_PID, child, WEXITED | WNOHANG);
  return answer.error != 0 || HasNews(answer);
}

bool IsOurs(int handle) { return Ask(P_PIDFD, handle, WEXITED | WNOHANG | WNOWAIT).error == 0; }

void AwaitEnd(pid_t child) {
  while (Ask(P_PID, child, WEXITED).error == EINTR) {
  }
}

}  // namespace tally::waits

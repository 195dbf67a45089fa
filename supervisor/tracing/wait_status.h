// The raw status of wait(2), read once: after this nobody looks at WIFSTOPPED bits again, and a switch over
// Kind covers every case. Stop kinds follow ptrace(2), "Stopped states", for tasks attached by PTRACE_SEIZE.
#pragma once

#include <sys/ptrace.h>
#include <sys/wait.h>

#include <csignal>
#include <cstdint>

namespace tally {

class WaitStatus {
 public:
  enum class Kind : std::uint8_t {
    kExited,        // exit_code()
    kKilled,        // signal()
    kSignalStop,    // signal() is about to be delivered
    kGroupStop,     // stopped by a stop signal
    kEvent,         // event(): PTRACE_EVENT_*
    kSyscallStop,   // PTRACE_O_TRACESYSGOOD
    kUnknown,
  };

  explicit WaitStatus(int raw) : raw_(raw) {}
  // From waitid's si_status of a stop, which lacks the low byte.
  static WaitStatus FromStop(int stop) { return WaitStatus((stop << 8) | 0x7f); }

  [[nodiscard]] Kind kind() const {
    if (WIFEXITED(raw_)) return Kind::kExited;
    if (WIFSIGNALED(raw_)) return Kind::kKilled;
    if (!WIFSTOPPED(raw_)) return Kind::kUnknown;
    if (WSTOPSIG(raw_) == (SIGTRAP | 0x80)) return Kind::kSyscallStop;
    if (event() == PTRACE_EVENT_STOP) {
      return WSTOPSIG(raw_) == SIGTRAP ? Kind::kEvent : Kind::kGroupStop;
    }
    return event() != 0 ? Kind::kEvent : Kind::kSignalStop;
  }
  [[nodiscard]] bool IsEnd() const { return !WIFSTOPPED(raw_); }
  [[nodiscard]] int exit_code() const { return WEXITSTATUS(raw_); }
  [[nodiscard]] int signal() const { return WIFSIGNALED(raw_) ? WTERMSIG(raw_) : WSTOPSIG(raw_); }
  [[nodiscard]] int event() const { return (raw_ >> 16) & 0xff; }
  [[nodiscard]] int raw() const { return raw_; }

 private:
  int raw_;
};

}  // namespace tally

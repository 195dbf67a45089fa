#include "front_ends/sio2jail/report.h"

#include <fmt/format.h>

#include <csignal>

namespace tally::sio2jail {
namespace {

std::int64_t Milliseconds(Nanoseconds time) { return std::chrono::duration_cast<tally::Milliseconds>(time).count(); }

std::int64_t VirtualMilliseconds(const RunResult& r) { return r.instructions.has_value() ? VirtualTime(r.instructions.value()).count() : 0; }

std::uint64_t Kib(const RunResult& r) { return r.memory.has_value() ? r.memory.value().kib() : 0; }

std::uint64_t Syscalls(const RunResult& r) { return r.syscalls.has_value() ? r.syscalls.value() : 0; }

std::string LimitMessage(LimitKind limit) {
  switch (limit) {
    case LimitKind::kInstructions: return "time limit exceeded";
    case LimitKind::kWallTime:
    case LimitKind::kIdleTime:
    case LimitKind::kDeadlock: return "real time limit exceeded";
    case LimitKind::kUserTime: return "user time limit exceeded";
    case LimitKind::kSystemTime: return "system time limit exceeded";
    case LimitKind::kCpuTime: return "user+system time limit exceeded";
    case LimitKind::kMemory:
    case LimitKind::kStack: return "memory limit exceeded";
    case LimitKind::kOutput: return "output limit exceeded";
    case LimitKind::kProcesses: return "threads limit exceeded";
    // Its sentences know of threads and of forbidden calls.
    case LimitKind::kSecondProcess: return "intercepted forbidden syscall clone(56)";
  }
  return "";
}

// oiaug and its kin: the exit status as a shell has it.
int ExitStatus(const RunResult& r) {
  constexpr int kSignalled = 128;
  return r.exit_code ? *r.exit_code : kSignalled + r.signal.value_or(SIGKILL);
}

// oitt.
int OittCode(const RunResult& r) {
  constexpr int kExited = 200;
  switch (r.code) {
    case ResultCode::kOk: return 0;
    case ResultCode::kOle: return 120;
    case ResultCode::kRv: return 121;
    case ResultCode::kMle: return 124;
    case ResultCode::kTle: return 125;
    default: return r.signal ? *r.signal : kExited + r.exit_code.value_or(0);
  }
}

std::string Augmented(const RunResult& r, std::int64_t milliseconds) {
  return fmt::format("{} {} {} 0 {} {}\n{}\n", Name(r.code), ExitStatus(r), milliseconds, Kib(r), Syscalls(r), Message(r));
}

}  // namespace

std::string Message(const RunResult& r) {
  if (r.limit) return LimitMessage(*r.limit);
  if (r.forbidden_call) return fmt::format("intercepted forbidden syscall {}({}) ({})", r.forbidden_call->name, r.forbidden_call->number, fmt::join(r.forbidden_call->arguments, ", "));
  if (r.code == ResultCode::kRe && r.signal) return fmt::format("process exited due to signal {}", *r.signal);
  return r.sentence;  // "ok" and "runtime error 3" are the same words
}

std::string Report(Format format, const RunResult& r) {
  switch (format) {
    case Format::kOitt: return fmt::format("__RESULT__ {} {} 0 {} {}\n{}\n", OittCode(r), VirtualMilliseconds(r), Kib(r), Syscalls(r), Message(r));
    case Format::kOiaug: return Augmented(r, VirtualMilliseconds(r));
    case Format::kOiuser: return Augmented(r, Milliseconds(r.user_time));
    case Format::kOireal: return Augmented(r, Milliseconds(r.wall_time));
    case Format::kHuman:
      return fmt::format("\n-------------------------\nResult: {}\nTime used: {:g}s\nMemory used: {}MiB\n", Message(r),
                         static_cast<double>(VirtualMilliseconds(r)) / 1000, Kib(r) >> 10);
  }
  return "";
}

}  // namespace tally::sio2jail

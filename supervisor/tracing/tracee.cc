#include "supervisor/tracing/tracee.h"

#include <sys/uio.h>

#include <array>
#include <cerrno>
#include <climits>
#include <cstddef>
#include <cstring>

#include "base/error.h"
#include "supervisor/tracing/int_arguments.h"

namespace tally {
namespace {

bool AliveOrThrow(long result, const char* what) {
  if (result >= 0) return true;
  if (errno == ESRCH) return false;
  throw SystemError(what, errno);
}

// What another's memory answers: how much there is of it. That it cannot be asked is our failure, and none of its own; but a
// program that executes a file it may not read takes its memory from everybody (ptrace(2), "Ptrace access mode checking").
std::size_t AnsweredOrThrow(ssize_t n, const char* call) {
  if (n >= 0) return static_cast<std::size_t>(n);
  if (errno != EFAULT && errno != ESRCH && errno != EPERM) throw SystemError(call, errno);
  return 0;
}

// One by one.
bool SetChangedRegisters(pid_t tid, const user_regs_struct& registers) {
  user_regs_struct now{};
  if (!Registers(tid, &now)) return false;
  constexpr std::size_t kWords = sizeof registers / sizeof(std::uint64_t);
  std::array<std::uint64_t, kWords> is{};
  std::array<std::uint64_t, kWords> wanted{};
  std::memcpy(is.data(), &now, sizeof now);
  std::memcpy(wanted.data(), &registers, sizeof registers);
  for (std::size_t i = 0; i < kWords; ++i) {
    if (is[i] == wanted[i]) continue;
    const long result = ::ptrace(PTRACE_POKEUSER, tid, i * sizeof(std::uint64_t), wanted[i]);
    if (result != 0 && errno == EIO) throw RegisterRefused{};
    if (!AliveOrThrow(result, "ptrace(PTRACE_POKEUSER)")) return false;
  }
  return true;
}

}  // namespace

void Seize(pid_t tid, unsigned long options) {
  if (::ptrace(PTRACE_SEIZE, tid, nullptr, options | PTRACE_O_EXITKILL) != 0) {
    throw SystemError("ptrace(PTRACE_SEIZE) the program (is ptrace allowed here? see `tally check-host`)", errno);
  }
}

bool ResumeIfStopped(__ptrace_request how, pid_t tid, int signal) {
  return AliveOrThrow(::ptrace(how, tid, nullptr, signal), "ptrace: resume the program");
}

// It fails for one that is dead.
void StopAgain(pid_t tid) { ::ptrace(PTRACE_INTERRUPT, tid, nullptr, nullptr); }

bool EventMessage(pid_t tid, std::uint64_t* message) {
  return AliveOrThrow(::ptrace(PTRACE_GETEVENTMSG, tid, nullptr, message), "ptrace(PTRACE_GETEVENTMSG)");
}

bool Registers(pid_t tid, user_regs_struct* registers) {
  return AliveOrThrow(::ptrace(PTRACE_GETREGS, tid, nullptr, registers), "ptrace(PTRACE_GETREGS)");
}

bool SetRegisters(pid_t tid, const user_regs_struct& registers) {
  const long result = ::ptrace(PTRACE_SETREGS, tid, nullptr, &registers);
  if (result == 0 || errno != EIO) return AliveOrThrow(result, "ptrace(PTRACE_SETREGS)");
  return SetChangedRegisters(tid, registers);
}

bool InstructionPointer(pid_t tid, std::uint64_t* pc) {
  errno = 0;
  *pc = static_cast<std::uint64_t>(::ptrace(PTRACE_PEEKUSER, tid, offsetof(user_regs_struct, rip), nullptr));
  return AliveOrThrow(errno == 0 ? 0 : -1, "ptrace(PTRACE_PEEKUSER)");
}

namespace {

bool SetRegister(pid_t tid, std::size_t offset, std::uint64_t value) {
  return AliveOrThrow(::ptrace(PTRACE_POKEUSER, tid, offset, value), "ptrace(PTRACE_POKEUSER)");
}

}  // namespace

bool SetInstructionPointer(pid_t tid, std::uint64_t pc) { return SetRegister(tid, offsetof(user_regs_struct, rip), pc); }

std::size_t TryWriteTracee(pid_t tid, std::uint64_t address, const void* data, std::size_t size) {
  const iovec local{const_cast<void*>(data), size};
  const iovec remote{reinterpret_cast<void*>(address), size};  // NOLINT: an address in the program
  return AnsweredOrThrow(::process_vm_writev(tid, &local, 1, &remote, 1, 0), "process_vm_writev");
}

void WriteTracee(pid_t tid, std::uint64_t address, const void* data, std::size_t size) {
  if (TryWriteTracee(tid, address, data, size) != size) throw SystemError("process_vm_writev", errno);
}

std::size_t ReadTracee(pid_t tid, std::uint64_t address, void* buffer, std::size_t size) {
  const iovec local{buffer, size};
  const iovec remote{reinterpret_cast<void*>(address), size};  // NOLINT: an address in the program
  return AnsweredOrThrow(::process_vm_readv(tid, &local, 1, &remote, 1, 0), "process_vm_readv");
}

std::string ReadTraceePath(pid_t tid, std::uint64_t address) {
  std::array<char, PATH_MAX> text{};
  const std::size_t read = ReadTracee(tid, address, text.data(), text.size());
  return {text.data(), ::strnlen(text.data(), read)};
}

bool CurrentCall(pid_t tid, StoppedCall* call) {
  __ptrace_syscall_info info{};
  const long size = ::ptrace(PTRACE_GET_SYSCALL_INFO, tid, sizeof info, &info);
  if (!AliveOrThrow(size, "ptrace(PTRACE_GET_SYSCALL_INFO)")) return false;
  if (info.op != PTRACE_SYSCALL_INFO_SECCOMP) return false;  // a SIGKILL took it out of the stop meanwhile
  const auto& args = info.seccomp.args;
  *call = MakeStoppedCall(info.arch, info.seccomp.nr, {args[0], args[1], args[2], args[3], args[4], args[5]}, static_cast<std::uint16_t>(info.seccomp.ret_data));
  return true;
}

bool AnswerCall(pid_t tid, std::int64_t result) {
  // No call (kernel/seccomp.c, __seccomp_filter: "Skip the syscall if skip").
  return SetRegister(tid, offsetof(user_regs_struct, orig_rax), ~0ULL) && SetRegister(tid, offsetof(user_regs_struct, rax), static_cast<std::uint64_t>(result));
}

}  // namespace tally

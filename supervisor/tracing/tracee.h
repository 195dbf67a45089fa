// Two kinds of ptrace calls: those that may race with the task's death (a SIGKILL ends a stop at any moment)
// return false then, and the task's exit status will follow; every other failure is our bug and a SystemError.
#pragma once

#include <sys/ptrace.h>
#include <sys/types.h>
#include <sys/user.h>

#include <cstdint>
#include <stdexcept>
#include <string>

namespace tally {

// Attaches without stopping the task. Seized tasks die with us (PTRACE_O_EXITKILL).
void Seize(pid_t tid, unsigned long options);

// PTRACE_CONT, PTRACE_SINGLESTEP, PTRACE_LISTEN.
bool ResumeIfStopped(__ptrace_request how, pid_t tid, int signal);

// A task that stopped with its whole process (WaitStatus::Kind::kGroupStop) and is let go on nevertheless stops once more
// before it executes anything: in the same way if its process is stopped still, else as by an interrupt (ptrace(2),
// PTRACE_INTERRUPT).
void StopAgain(pid_t tid);

// In cs of a task that executes 32-bit code: __USER32_CS (arch/x86/include/asm/segment.h).
inline constexpr std::uint64_t kCodeSegment32 = 0x23;

bool EventMessage(pid_t tid, std::uint64_t* message);
bool Registers(pid_t tid, user_regs_struct* registers);
// The kernel refuses some values that a program can give its registers itself: a null selector other than 0 and 3, a base of
// fs in the kernel's half (arch/x86/kernel/ptrace.c, set_segment_reg, putreg). They stay as they are; RegisterRefused where
// one is to change.
bool SetRegisters(pid_t tid, const user_regs_struct& registers);
// Where it goes on, alone: both cost less than half of what all registers do.
bool InstructionPointer(pid_t tid, std::uint64_t* pc);
bool SetInstructionPointer(pid_t tid, std::uint64_t pc);
struct RegisterRefused : std::runtime_error {
  RegisterRefused() : std::runtime_error("the kernel refuses a register's value") {}
};
// The bytes that the program could write itself.
std::size_t TryWriteTracee(pid_t tid, std::uint64_t address, const void* data, std::size_t size);
// The same; SystemError where not all of them.
void WriteTracee(pid_t tid, std::uint64_t address, const void* data, std::size_t size);
// The bytes that could be read.
std::size_t ReadTracee(pid_t tid, std::uint64_t address, void* buffer, std::size_t size);

// A path at `address`, as far as it can be read.
std::string ReadTraceePath(pid_t tid, std::uint64_t address);

// The system call a task is stopped in (PTRACE_EVENT_SECCOMP). Made by MakeStoppedCall (int_arguments.h): of an argument that the kernel
// takes as 32 bits the upper half is 0.
struct StoppedCall {
  std::uint32_t arch;  // AUDIT_ARCH_*
  std::uint64_t number;
  std::uint64_t arguments[6];
  std::uint16_t code;  // TraceCode of the filter that stopped it
};
bool CurrentCall(pid_t tid, StoppedCall* call);

// An argument that the kernel takes as an int, with its sign. So it takes the number of the call itself.
constexpr std::int32_t Int32(std::uint64_t argument) { return static_cast<std::int32_t>(argument); }
// That call is not made; the program finds `result` (-errno).
bool AnswerCall(pid_t tid, std::int64_t result);

}  // namespace tally

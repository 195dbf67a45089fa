// Makes a stopped task of the program perform a system call of ours, and waits for its stops one by one.
#pragma once

#include <sys/ptrace.h>
#include <sys/types.h>
#include <sys/user.h>

#include <array>
#include <cstdint>
#include <optional>
#include <stdexcept>
#include <vector>

#include "base/error.h"
#include "base/fd.h"
#include "supervisor/tracing/wait_status.h"

namespace tally {

// Waits for the next stop of one task, which is to come soon (TaskDoesNotStop). Nothing when it is not the one wanted, or when the task is at its end: then
// it is left for Watch to see.
std::optional<WaitStatus> AwaitStop(pid_t tid, std::optional<WaitStatus::Kind> wanted = std::nullopt);

// Lets a stopped task go on, as `how` says (PTRACE_CONT, PTRACE_SINGLESTEP, PTRACE_SYSCALL), and waits for its next
// stop. That of an interrupt which came late (guest_stop.cc) is passed over; that of the whole process, by a signal, is put
// off until the task goes on by itself (tracee.h, StopAgain).
std::optional<WaitStatus> RunToStop(__ptrace_request how, pid_t tid, int signal,
                                    std::optional<WaitStatus::Kind> wanted = std::nullopt);

// While this lives, signals for a stopped task wait in the kernel (PTRACE_SETSIGMASK), so that it can be made to do
// something of ours without one coming in between. Not those of the task's own instructions, SIGTRAP, SIGSTOP.
class SignalsHeld {
 public:
  explicit SignalsHeld(pid_t tid);
  ~SignalsHeld();
  SignalsHeld(const SignalsHeld&) = delete;
  SignalsHeld& operator=(const SignalsHeld&) = delete;

 private:
  pid_t tid_;
  std::uint64_t before_ = 0;
};

// The task died meanwhile (a SIGKILL may come at any moment), or came to a stop that is not ours: Watch sees it next.
struct TaskIsGone {};

// The place of our system calls cannot be executed: a program whose first instruction lies in no code.
struct GadgetFaults : std::runtime_error {
  GadgetFaults() : std::runtime_error("the place of an injected system call cannot be executed") {}
};

// A task that was let go on did not stop for so long that nothing but a fault can be the reason.
struct TaskDoesNotStop : std::runtime_error {
  TaskDoesNotStop() : std::runtime_error("a task of the program does not stop") {}
};

// A call of ours found no room in the program's address space (ENOMEM): by a limit, or the number of its mappings.
class NoRoomInProgram : public SystemError {
  using SystemError::SystemError;
};

// The word at `address` for the time this lives: private copies of code pages are made by the kernel (ptrace(2)).
class BorrowedWord {
 public:
  static constexpr std::uint32_t kGadget = 0x00cc'050f;  // syscall; int3

  BorrowedWord(pid_t tid, std::uint64_t address, std::uint32_t code);
  ~BorrowedWord() { Poke(before_); }
  BorrowedWord(const BorrowedWord&) = delete;
  BorrowedWord& operator=(const BorrowedWord&) = delete;

 private:
  void Poke(long word) const;
  pid_t tid_;
  std::uint64_t address_;
  long before_ = 0;
};

using CallArguments = std::array<std::uint64_t, 6>;  // those that are not named are 0

// System calls of ours that follow each other, made by the program in one go, with one trap at their end.
class CallSeries {
 public:
  // Code that makes them: rbx leads to their words, rbp behind those. At the end, or behind the first that fails, it traps.
  static constexpr std::uint8_t kCode[] = {
      0x48, 0x8b, 0x03,                    // next: mov rax, [rbx]
      0x48, 0x8b, 0x7b, 0x08,              // mov rdi, [rbx + 8]
      0x48, 0x8b, 0x73, 0x10,              // mov rsi, [rbx + 16]
      0x48, 0x8b, 0x53, 0x18,              // mov rdx, [rbx + 24]
      0x4c, 0x8b, 0x53, 0x20,              // mov r10, [rbx + 32]
      0x4c, 0x8b, 0x43, 0x28,              // mov r8, [rbx + 40]
      0x4c, 0x8b, 0x4b, 0x30,              // mov r9, [rbx + 48]
      0x0f, 0x05,                          // syscall
      0x48, 0x83, 0xc3, 0x38,              // add rbx, 56
      0x48, 0x3d, 0x01, 0xf0, 0xff, 0xff,  // cmp rax, -4095
      0x73, 0x05,                          // jae end
      0x48, 0x39, 0xeb,                    // cmp rbx, rbp
      0x75, 0xd2,                          // jne next
      0xcc};                               // end: int3

  void Add(const char* what, long number, const CallArguments& arguments);
  // What the code reads.
  [[nodiscard]] const std::vector<std::array<std::uint64_t, 7>>& words() const { return words_; }
  [[nodiscard]] const char* what(std::size_t i) const { return what_[i]; }

 private:
  std::vector<std::array<std::uint64_t, 7>> words_;
  std::vector<const char*> what_;
};

class Injector {
 public:
  // `gadget`: the address of a syscall instruction followed by int3, executable in the task.
  Injector(pid_t tid, std::uint64_t gadget) : tid_(tid), gadget_(gadget) {}

  // The call's result, -errno as the kernel returns it. All registers are as before. Throws TaskIsGone.
  std::int64_t Call(long number, const CallArguments& arguments) const;
  // The same; a failure is ours, but for NoRoomInProgram.
  std::uint64_t MustCall(const char* what, long number, const CallArguments& arguments) const;
  // Of a series, each must succeed like that. `code`: where CallSeries::kCode is; `words`: where the program reads the series's.
  void MustCallAll(const CallSeries& series, std::uint64_t code, std::uint64_t words) const;
  // The file that such a call gave the task as `descriptor`, opened once more. Throws TaskIsGone.
  [[nodiscard]] Fd FileOf(std::uint64_t descriptor) const;

 private:
  // Lets the task go on with `call` until it traps: its registers then.
  [[nodiscard]] user_regs_struct Run(const user_regs_struct& before, user_regs_struct call) const;
  pid_t tid_;
  std::uint64_t gadget_;
};

}  // namespace tally

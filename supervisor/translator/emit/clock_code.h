// Our code in the code cache that tells the time without a stop: what clock_gettime, gettimeofday, time, getrusage, getcpu and
// rdtsc give, from the task's own counters (docs/virtual-cpu.md says what that is).
//
// Theory of operation. A fragment that ends in such an instruction jumps here through a slot that never changes
// (control::kClockTable), and says in a register where it stands:
//
//       lea rcx, [rip + call]                        lea rax, [rip + trap]
//       jmp [slot]                                   jmp [slot]
//   call:  syscall      <- back here where           trap:  int3
//          ...          <- or here, answered                ...
//
// Where the task's page does not say that it may (control::kClockOn: more than one task counts) the call is made, or the
// trap taken, and the supervisor answers as it answers single steps. So it does where the program has no memory at the
// address it gave: the store faults, and Guest::HandleFault makes the call.
//
// Registers are those behind a system call: r11 holds the flags, rcx is set by the fragment. They are put together from lahf, seto
// and the direction that lodsb takes. Other flags (alignment check, cpuid) only popf and iret can set, and a signal's return; behind these
// calls are the supervisor's, until it sees that no such flag is set (control::kClockUnusual). Nothing here holds the page's address, or pushes to it: a
// handler, or another process by /proc, must not find it in a register.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>

#include "supervisor/api/virtual_cpu_options.h"
#include "supervisor/translator/cache/control_area.h"
#include "supervisor/x86/decode.h"

namespace tally {

class Emitter;

enum class ClockQuestion : std::uint8_t { kClockGettime, kGettimeofday, kTime, kGetrusage, kGetcpu, kRdtsc };
inline constexpr std::size_t kClockQuestions = 6;

// A system call that is answered here.
struct ClockCall {
  std::uint32_t number;
  ClockQuestion question;
};

class ClockCode {
 public:
  explicit ClockCode(VirtualRules rules) : rules_(rules) {}

  // Copies it to where `out` stands, and lays the slots.
  void Emit(Emitter* out, const ControlArea& control);

  [[nodiscard]] bool AnswersRdtsc() const { return rules_.Has(VirtualRule::kTime); }
  // The question that a system call of this number is; nothing: it is for the kernel, or the supervisor.
  [[nodiscard]] std::optional<ClockQuestion> QuestionOf(std::uint32_t number) const;
  // In front of a system call of that number, or of a number that is not known: from here to the code above, and back
  // to what is emitted next. Changes rcx.
  // `bytes_for_others`: between that and the call stands something that all other calls come to (a trap), and questions pass by.
  void EmitCall(std::optional<std::uint32_t> number, std::uint8_t bytes_for_others, Emitter* out) const;
  // In front of the trap of a rdtsc. Changes rax.
  static void EmitRdtsc(Emitter* out);

  // Where to go on when an instruction of ours, which stores what the program asked for, faults at `at`: from there the
  // call is made in truth. Nothing: it is none of these.
  [[nodiscard]] std::optional<HostPc> AfterFaultAt(HostPc at) const;

 private:
  VirtualRules rules_;
  HostPc begin_ = 0;
};

}  // namespace tally

// Our code in the code cache that changes what the kernel has told of a file to what the virtual machine has (machine/virtual_status.h),
// without a stop.
//
// Theory of operation. Behind a system call that may be stat(2) or one of its like a fragment jumps here through a slot that never
// changes, and says in rcx where to go on:
//
//            syscall
//            lea rcx, [rip + back]
//            jmp [slot]
//      back: ...
//
// What call it was is in control::kCallNumber, the address is still in its register, and whether it succeeded says rax. Registers
// are left as the call left them, but rcx, which the fragment sets. Where the program has no memory at the address any more, for
// another thread has taken it away, the rest is left out.
#pragma once

#include <cstdint>
#include <optional>

#include "supervisor/api/virtual_cpu_options.h"
#include "supervisor/machine/virtual_status.h"
#include "supervisor/translator/cache/control_area.h"

namespace tally {

class Emitter;

class StatusCode {
 public:
  explicit StatusCode(VirtualRules rules) : is_on_(rules.Has(VirtualRule::kSystem)) {}

  // Copies it to where `out` stands, and lays its slot.
  void Emit(Emitter* out, const ControlArea& control);
  // What it finds in a task's page.
  static void Tell(const FilesOfRun& files, const CounterPage& page);

  // Behind a system call of that number, or of a number that is not known. Changes rcx.
  void EmitBehindCall(std::optional<std::uint32_t> number, Emitter* out) const;

  // Where to go on when an instruction of ours faults at `at`. Nothing: it is none of these.
  [[nodiscard]] std::optional<HostPc> AfterFaultAt(HostPc at) const;

 private:
  bool is_on_;
  HostPc begin_ = 0;
};

}  // namespace tally

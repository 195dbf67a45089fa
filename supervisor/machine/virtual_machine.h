// The machine a counted program finds, as every engine that counts shows it: the processor, the clock, and the system
// calls that ask for either. It belongs to the run; an engine brings it what the program asks.
#pragma once

#include "supervisor/api/run_request.h"
#include "supervisor/machine/processor_flags.h"
#include "supervisor/machine/virtual_calls.h"
#include "supervisor/machine/virtual_clock.h"
#include "supervisor/machine/virtual_cpu.h"

namespace tally {

class VirtualMachine {
 public:
  // SystemError where the host's processor cannot be that of `options`.
  // `stops_at_status`: of VirtualCalls.
  VirtualMachine(const VirtualCpuOptions& options, const Limits& limits, bool stops_at_status = true)
      : options_(options), clock_(options), cpu_(options), calls_(options, limits, &clock_, stops_at_status) {
    RequireProcessorFor(options);
  }
  VirtualMachine(const VirtualMachine&) = delete;
  VirtualMachine& operator=(const VirtualMachine&) = delete;

  [[nodiscard]] const VirtualCpuOptions& options() const { return options_; }
  [[nodiscard]] bool Has(VirtualRule rule) const { return options_.rules.Has(rule); }
  VirtualCalls& calls() { return calls_; }
  [[nodiscard]] const VirtualCalls& calls() const { return calls_; }
  [[nodiscard]] const VirtualCpu& cpu() const { return cpu_; }

  // One instruction of Flow::kEmulated; `count`: instructions, this one included.
  void Execute(const Instruction& instruction, std::uint64_t count, user_regs_struct* registers) {
    cpu_.Execute(instruction, clock_.TellTicks(count), registers);
  }

  [[nodiscard]] std::uint64_t state_components() const { return VirtualCpu::StateComponents(options_); }

  [[nodiscard]] const VirtualClock& clock() const { return clock_; }
  VirtualClock& clock() { return clock_; }
  [[nodiscard]] bool used_timers() const { return calls_.used_timers(); }
  [[nodiscard]] bool asked_of_children() const { return calls_.asked_of_children(); }
  [[nodiscard]] bool listed_folder() const { return calls_.listed_folder(); }
  [[nodiscard]] bool populated() const { return calls_.populated(); }

 private:
  VirtualCpuOptions options_;
  VirtualClock clock_;
  VirtualCpu cpu_;
  VirtualCalls calls_;
};

}  // namespace tally

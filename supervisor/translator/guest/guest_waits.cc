// A task that waits in the kernel until a moment of the virtual clock (machine/timed_waits.h), one of several.
//
// It goes into the call with the kernel's moment in the place of its own, stops at the call's exit, and gets its own
// register back there. A call that a signal broke off is not repeated, as after any handler: libc does that itself.
#include <cerrno>
#include <utility>

#include "supervisor/machine/timed_waits.h"
#include "supervisor/tracing/injection.h"
#include "supervisor/translator/guest/guest.h"

namespace tally {
namespace {

unsigned long long* Register(user_regs_struct* r, unsigned argument) { return argument == 2 ? &r->rdx : &r->r10; }

// Of a call that is to be repeated (include/linux/errno.h).
bool IsBrokenOff(std::int64_t result) { return result >= -516 && result <= -512; }

}  // namespace

void Guest::WaitUntil(const StoppedCall& call) {
  const auto wait = TimedWaitOf(tid_, call, run_->machine.clock(), run_->counts.Instructions());
  if (!wait) return;
  wait_ = {wait->until, call.number, wait->argument, 0};
  if (wait->argument) {
    user_regs_struct r = Get();
    auto* const value = Register(&r, *wait->argument);
    wait_->before = *value;
    page_.SetWord(control::kScratch, static_cast<std::uint64_t>(wait->kernel_until.tv_sec));
    page_.SetWord(control::kScratch + 8, static_cast<std::uint64_t>(wait->kernel_until.tv_nsec));
    *value = page_.address() + control::kScratch;
    Set(r);
  }
  WaitInKernel(BehindCall());
}

void Guest::EndWait(user_regs_struct* r) {
  if (!wait_) return;
  const Wait wait = *std::exchange(wait_, std::nullopt);
  if (wait.argument) *Register(r, *wait.argument) = wait.before;
  const auto result = static_cast<std::int64_t>(r->rax);
  if (IsBrokenOff(result)) r->rax = static_cast<std::uint64_t>(-EINTR);
  if (HasPassed(wait.number, result)) run_->machine.clock().PassUntil(wait.until, run_->counts.Instructions());
}

}  // namespace tally

// What the program wants done at a SIGTRAP, which our traps must not change.
//
// Theory of operation. A trap of ours is the processor's, so the kernel delivers it whatever the program asked for, and
// where SIGTRAP is blocked or ignored it makes it neither, for good, and takes the handler away (kernel/signal.c,
// force_sig_info_to_task). Watch never lets it come to that: the trap is ours and goes no further; but the state is
// changed. So a program that sets an action for SIGTRAP, by a call that a filter stops, is noted down here, and after
// each trap /proc says whether the handler is still there. Where it is not, the signal was blocked: handler and mask are
// put back. An ignored signal cannot be told that way, so in truth it gets a handler too, and is ignored here.
//
// A program without such an action has none to lose; that it blocked SIGTRAP it may lose.
#include <sys/ptrace.h>
#include <sys/syscall.h>

#include <csignal>

#include "supervisor/tracing/injection.h"
#include "supervisor/translator/guest/guest.h"

namespace tally {
namespace {

constexpr std::uint64_t kBit = 1ULL << (SIGTRAP - 1);
constexpr std::uint64_t kDefault = 0;
constexpr std::uint64_t kIgnore = 1;
constexpr std::uint64_t kSomeHandler = 2;  // never entered

}  // namespace

// The program's rt_sigaction(SIGTRAP).
void Guest::ChangeTrapAction(const StoppedCall& call) {
  const std::uint64_t wanted_at = call.arguments[1];
  const std::uint64_t before_at = call.arguments[2];
  const user_regs_struct r = FinishCall();
  if (r.rax != 0) return;
  const TrapAction before = *trap_action_;
  // Another thread may have unmapped it meanwhile: as natively, what is set is set.
  if (before.handler == kIgnore && before_at != 0) TryWriteTracee(tid_, before_at, &before.handler, sizeof before.handler);
  if (wanted_at == 0 || ReadTracee(tid_, wanted_at, trap_action_.get(), sizeof *trap_action_) != sizeof *trap_action_) return;
  if (trap_action_->handler == kIgnore) SetTrapAction();
}

// As the kernel is to have it. The counter page is the one place where nobody else writes.
void Guest::SetTrapAction() {
  TrapAction action = *trap_action_;
  if (action.handler == kIgnore) action.handler = kSomeHandler;
  const std::uint64_t words[] = {action.handler, action.flags, action.restorer, action.mask};
  for (std::uint32_t i = 0; i < 4; ++i) page_.SetWord(control::kScratch + 8 * i, words[i]);
  Injector(tid_, space_->translator().gadget())
      .MustCall("set the program's action for SIGTRAP", SYS_rt_sigaction,
                {SIGTRAP, page_.address() + control::kScratch, 0, sizeof action.mask});
}

bool Guest::RestoreTrapAction() {
  if (trap_action_->handler == kDefault || (caught_.Of(tid_).value_or(0) & kBit) != 0) return false;
  SetTrapAction();
  std::uint64_t mask = 0;
  if (::ptrace(PTRACE_GETSIGMASK, tid_, sizeof mask, &mask) != 0) throw TaskIsGone{};
  mask |= kBit;
  ::ptrace(PTRACE_SETSIGMASK, tid_, sizeof mask, &mask);
  return true;
}

bool Guest::IgnoresTraps() const { return trap_action_->handler == kIgnore; }

void Guest::DropTrapAction() {
  *trap_action_ = {};
  SetTrapAction();
}

// A handler that is entered may be one that is entered once.
void Guest::SeeTrapHandlerEntered() {
  if ((trap_action_->flags & SA_RESETHAND) != 0) *trap_action_ = {};
}

}  // namespace tally

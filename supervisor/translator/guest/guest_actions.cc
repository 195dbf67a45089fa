// What the program wants done at a SIGTRAP and a SIGSEGV, which our traps and guards must not change.
//
// Theory of operation. A trap of ours is the processor's, and so is the fault of a write into code that we guard: the
// kernel delivers it whatever the program asked for, and where the signal is blocked or ignored it makes it neither, for
// good, and takes the handler away (kernel/signal.c, force_sig_info_to_task). Watch never lets it come to that: the signal
// is ours and goes no further; but the state is changed. So a program that sets an action for one of the two, by a call
// that a filter stops, is noted down here, and after each signal of ours /proc says whether the handler is still there.
// Where it is not, the signal was blocked: handler and mask are put back. An ignored signal cannot be told that way, so in
// truth it gets a handler too, and is ignored here.
//
// A program without such an action has none to lose; that it blocked the signal it may lose.
#include <sys/ptrace.h>
#include <sys/syscall.h>

#include <csignal>

#include "supervisor/tracing/injection.h"
#include "supervisor/translator/guest/guest.h"

namespace tally {
namespace {

constexpr std::uint64_t BitOf(int signal) { return 1ULL << (signal - 1); }
constexpr std::uint64_t kDefault = 0;
constexpr std::uint64_t kIgnore = 1;
constexpr std::uint64_t kSomeHandler = 2;  // never entered

}  // namespace

// The program's rt_sigaction of one of the two. What it wants is read before the call, which may put there what was.
void Guest::ChangeAction(const StoppedCall& call) {
  const int signal = Int32(call.arguments[0]);
  const std::uint64_t wanted_at = call.arguments[1];
  const std::uint64_t before_at = call.arguments[2];
  SignalAction wanted;
  const bool changes = wanted_at != 0 && ReadTracee(tid_, wanted_at, &wanted, sizeof wanted) == sizeof wanted;
  const user_regs_struct r = FinishCall();
  if (r.rax != 0) return;
  SignalAction& action = actions_->Of(signal);
  // Another thread may have unmapped it meanwhile: as natively, what is set is set.
  if (action.handler == kIgnore && before_at != 0) TryWriteTracee(tid_, before_at, &action.handler, sizeof action.handler);
  if (!changes) return;
  action = wanted;
  if (action.handler == kIgnore) SetAction(signal);
}

// As the kernel is to have it. The counter page is the one place where nobody else writes.
void Guest::SetAction(int signal) {
  SignalAction action = actions_->Of(signal);
  if (action.handler == kIgnore) action.handler = kSomeHandler;
  const std::uint64_t words[] = {action.handler, action.flags, action.restorer, action.mask};
  for (std::uint32_t i = 0; i < 4; ++i) page_.SetWord(control::kScratch + 8 * i, words[i]);
  Injector(tid_, space_->translator().gadget())
      .MustCall("set the program's action for a signal of ours", SYS_rt_sigaction,
                {static_cast<std::uint64_t>(signal), page_.address() + control::kScratch, 0, sizeof action.mask});
}

bool Guest::HasLostAction(int signal) {
  return actions_->Of(signal).handler != kDefault && (caught_.Of(tid_).value_or(0) & BitOf(signal)) == 0;
}

bool Guest::RestoreAction(int signal) {
  if (!HasLostAction(signal)) return false;
  std::uint64_t mask = 0;  // first, for one that waits must go on waiting
  if (::ptrace(PTRACE_GETSIGMASK, tid_, sizeof mask, &mask) != 0) throw TaskIsGone{};
  mask |= BitOf(signal);
  ::ptrace(PTRACE_SETSIGMASK, tid_, sizeof mask, &mask);
  SetAction(signal);
  return true;
}

// A signal that was taken while it should have waited. That we are its sender, a program outside of our pid namespace, it can see.
void Guest::SendAgain(const siginfo_t& info) const {
  if (info.si_code == SI_USER) {
    ::kill(process(), info.si_signo);
  } else {
    ::syscall(SYS_tkill, tid_, info.si_signo);
  }
}

bool Guest::Ignores(int signal) const {
  return (signal == SIGTRAP || signal == SIGSEGV) && actions_->Of(signal).handler == kIgnore;
}

void Guest::DropAction(int signal) {
  actions_->Of(signal) = {};
  SetAction(signal);
}

// A handler that is entered may be one that is entered once.
void Guest::SeeHandlerEntered(int signal) {
  if (signal != SIGTRAP && signal != SIGSEGV) return;
  SignalAction& action = actions_->Of(signal);
  if ((action.flags & SA_RESETHAND) != 0) action = {};
}

}  // namespace tally

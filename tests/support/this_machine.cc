#include "tests/support/this_machine.h"

#include <signal.h>
#include <sys/auxv.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <optional>

namespace tally {
namespace {

// The signal that ends a child which does this; nothing: it comes to its end.
std::optional<int> SignalOf(void (*what)()) {
  const pid_t child = ::fork();
  if (child == 0) {
    ::signal(SIGSEGV, SIG_DFL);
    what();
    ::_exit(0);
  }
  int status = 0;
  ::waitpid(child, &status, 0);
  if (WIFSIGNALED(status)) return WTERMSIG(status);
  return std::nullopt;
}

}  // namespace

bool RunsI386() {
  static const bool runs = !SignalOf([] {
    long result = 0;
    __asm__ volatile("int $0x80" : "=a"(result) : "a"(20) : "memory");
  });
  return runs;
}

bool TimeStampsCanFault() {
  static const bool can = SignalOf([] {
                            ::prctl(PR_SET_TSC, PR_TSC_SIGSEGV);
                            __asm__ volatile("rdtsc" : : : "rax", "rdx");
                          }) == SIGSEGV;
  return can;
}

bool KeepsSegmentBases() {
  constexpr unsigned long kFsGsBase = 1UL << 1;  // HWCAP2_FSGSBASE
  return (::getauxval(AT_HWCAP2) & kFsGsBase) != 0;
}

}  // namespace tally

#include "supervisor/machine/cpuid_faulting.h"

#include <asm/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace tally {

bool CpuidCanFault() {
  static const bool can = ::syscall(SYS_arch_prctl, ARCH_SET_CPUID, 1UL) == 0;
  return can;
}

}  // namespace tally

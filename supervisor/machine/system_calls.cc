#include "supervisor/machine/system_calls.h"

#include <asm/prctl.h>
#include <sys/syscall.h>
#include <sys/sysinfo.h>
#include <sys/utsname.h>

#include <cerrno>
#include <cstring>

#include "supervisor/machine/answers.h"
#include "supervisor/machine/processor_state.h"
#include "supervisor/machine/virtual_system.h"

namespace tally {
namespace {

constexpr std::uint64_t kMemory = kVirtualMemory.count;

std::int64_t SystemInformation(pid_t tid, const StoppedCall& call, Nanoseconds since_start) {
  struct sysinfo info {};
  info.uptime = std::chrono::duration_cast<std::chrono::seconds>(since_start).count();
  info.totalram = kMemory;
  info.freeram = kMemory;
  info.procs = 1;
  info.mem_unit = 1;
  return WriteAnswer(tid, call.arguments[0], info);
}

std::int64_t SystemName(pid_t tid, const StoppedCall& call) {
  utsname name{};
  std::strcpy(name.sysname, "Linux");
  std::strcpy(name.nodename, "tally");
  std::strcpy(name.release, "6.1.0");
  std::strcpy(name.version, "#1 SMP");
  std::strcpy(name.machine, "x86_64");
  std::strcpy(name.domainname, "(none)");
  return WriteAnswer(tid, call.arguments[0], name);
}

std::int64_t ProcessorNumber(pid_t tid, const StoppedCall& call) {
  const std::uint32_t zero = 0;
  const std::int64_t first = WriteIfAsked(tid, call.arguments[0], zero);
  return first != 0 ? first : WriteIfAsked(tid, call.arguments[1], zero);
}

// One processor, number 0.
std::int64_t Affinity(pid_t tid, const StoppedCall& call) {
  const std::uint64_t mask = 1;
  const auto size = static_cast<std::uint32_t>(call.arguments[1]);
  if (size < sizeof mask || size % sizeof mask != 0) return -EINVAL;
  const std::int64_t written = WriteAnswer(tid, call.arguments[2], mask);
  return written != 0 ? written : static_cast<std::int64_t>(sizeof mask);
}

// What this processor can save by xsave, of which no program has to ask for anything first (arch/x86/kernel/fpu/xstate.c, fpu_xstate_prctl).
std::int64_t StateComponents(pid_t tid, const StoppedCall& call, std::uint64_t components) {
  switch (call.arguments[0]) {
    case xcomp::kGetSupported:
    case xcomp::kGetPermitted:
    case xcomp::kGetPermittedOfGuests: return WriteAnswer(tid, call.arguments[1], components);
    default: return -EOPNOTSUPP;
  }
}

// cpuid works, and this processor cannot make it fault (arch/x86/kernel/process.c, set_cpuid_mode). So nobody can take
// the virtual processor away where it is made of such faults (engines/perf_engine.h).
std::int64_t CpuidMode(const StoppedCall& call) { return call.arguments[0] == ARCH_GET_CPUID ? 1 : -ENODEV; }

std::int64_t ProcessorCall(pid_t tid, const StoppedCall& call, std::uint64_t components) {
  const bool is_about_cpuid = call.arguments[0] == ARCH_GET_CPUID || call.arguments[0] == ARCH_SET_CPUID;
  return is_about_cpuid ? CpuidMode(call) : StateComponents(tid, call, components);
}

}  // namespace

std::int64_t TellSystem(pid_t tid, const StoppedCall& call, Nanoseconds since_start, std::uint64_t components) {
  switch (call.number) {
    case SYS_uname: return SystemName(tid, call);
    case SYS_sysinfo: return SystemInformation(tid, call, since_start);
    case SYS_getcpu: return ProcessorNumber(tid, call);
    case SYS_getpriority: return 20;  // of nice 0 (getpriority(2), "C library/kernel differences")
    case SYS_sched_getaffinity: return Affinity(tid, call);
    case SYS_arch_prctl: return ProcessorCall(tid, call, components);
    default: return -ENOSYS;
  }
}

}  // namespace tally

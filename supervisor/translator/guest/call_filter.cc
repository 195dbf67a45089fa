#include "supervisor/translator/guest/call_filter.h"

#include <asm/prctl.h>
#include <linux/seccomp.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <sys/syscall.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstddef>
#include <cstdint>

#include "base/error.h"
#include "supervisor/tracing/trace_codes.h"

namespace tally {
namespace {

constexpr TranslatorFilter FilterWith(std::uint32_t low, std::uint32_t high) {
  return {{
      {BPF_LD | BPF_W | BPF_ABS, 0, 0, offsetof(seccomp_data, nr)},
      {BPF_JMP | BPF_JEQ | BPF_K, 28, 0, SYS_personality},
      {BPF_JMP | BPF_JEQ | BPF_K, 27, 0, SYS_shmat},
      {BPF_JMP | BPF_JEQ | BPF_K, 26, 0, SYS_rt_sigreturn},
      {BPF_JMP | BPF_JEQ | BPF_K, 25, 0, SYS_execve},  // at the path of its own start, too (kLaunchPath)
      {BPF_JMP | BPF_JEQ | BPF_K, 24, 0, SYS_execveat},
      {BPF_JMP | BPF_JEQ | BPF_K, 23, 0, SYS_munmap},
      {BPF_JMP | BPF_JEQ | BPF_K, 22, 0, SYS_mremap},
      {BPF_JMP | BPF_JEQ | BPF_K, 14, 0, SYS_mprotect},
      {BPF_JMP | BPF_JEQ | BPF_K, 20, 0, SYS_pkey_mprotect},
      {BPF_JMP | BPF_JEQ | BPF_K, 2, 0, SYS_mmap},
      {BPF_JMP | BPF_JEQ | BPF_K, 5, 0, SYS_arch_prctl},
      {BPF_JMP | BPF_JEQ | BPF_K, 7, 16, SYS_rt_sigaction},
      {BPF_LD | BPF_W | BPF_ABS, 0, 0, LowWordOf(2)},  // the rights asked for
      {BPF_JMP | BPF_JSET | BPF_K, 15, 0, PROT_EXEC},
      {BPF_LD | BPF_W | BPF_ABS, 0, 0, LowWordOf(3)},  // over something else?
      {BPF_JMP | BPF_JSET | BPF_K, 13, 12, MAP_FIXED},
      {BPF_LD | BPF_W | BPF_ABS, 0, 0, LowWordOf(0)},
      {BPF_JMP | BPF_JEQ | BPF_K, 11, 0, ARCH_SET_GS},
      {BPF_JMP | BPF_JEQ | BPF_K, 10, 9, ARCH_GET_GS},
      {BPF_LD | BPF_W | BPF_ABS, 0, 0, LowWordOf(0)},  // for which signal?
      {BPF_JMP | BPF_JEQ | BPF_K, 8, 0, SIGTRAP},
      {BPF_JMP | BPF_JEQ | BPF_K, 7, 6, SIGSEGV},
      {BPF_LD | BPF_W | BPF_ABS, 0, 0, LowWordOf(kProofArgument)},  // ours?
      {BPF_JMP | BPF_JEQ | BPF_K, 0, 5, low},
      {BPF_LD | BPF_W | BPF_ABS, 0, 0, HighWordOf(kProofArgument)},
      {BPF_JMP | BPF_JEQ | BPF_K, 0, 3, high},
      {BPF_LD | BPF_W | BPF_ABS, 0, 0, LowWordOf(2)},
      {BPF_JMP | BPF_JSET | BPF_K, 1, 0, PROT_EXEC},
      {BPF_RET | BPF_K, 0, 0, SECCOMP_RET_ALLOW},
      {BPF_RET | BPF_K, 0, 0, kAsk},
  }};
}

// Stops at these calls, whatever their arguments.
template <std::size_t kCount>
constexpr std::array<sock_filter, kCount + 3> StopAt(const std::array<std::uint32_t, kCount>& numbers) {
  std::array<sock_filter, kCount + 3> filter{};
  filter[0] = {BPF_LD | BPF_W | BPF_ABS, 0, 0, offsetof(seccomp_data, nr)};
  for (std::size_t i = 0; i < kCount; ++i) {
    filter[i + 1] = {BPF_JMP | BPF_JEQ | BPF_K, static_cast<std::uint8_t>(kCount - i), 0, numbers[i]};
  }
  filter[kCount + 1] = {BPF_RET | BPF_K, 0, 0, SECCOMP_RET_ALLOW};
  filter[kCount + 2] = {BPF_RET | BPF_K, 0, 0, kAsk};
  return filter;
}
constexpr auto kNamingFilter = StopAt(std::to_array<std::uint32_t>(
    {SYS_open, SYS_openat, SYS_openat2, SYS_creat, SYS_execve, SYS_execveat, SYS_connect, SYS_bind, SYS_prctl}));
constexpr auto kPathFilter = StopAt(
    std::to_array<std::uint32_t>({SYS_open, SYS_openat, SYS_openat2, SYS_chdir, SYS_symlink, SYS_symlinkat}));

}  // namespace

std::uint64_t MakeProof() {
  std::uint64_t proof = 0;
  if (::getrandom(&proof, sizeof proof, 0) != sizeof proof) throw SystemError("getrandom", errno);
  return proof;
}

TranslatorFilter TranslatorCallFilter(std::uint64_t proof) {
  return FilterWith(static_cast<std::uint32_t>(proof), static_cast<std::uint32_t>(proof >> 32));
}
std::span<const sock_filter> NamingCallFilter() { return kNamingFilter; }
std::span<const sock_filter> PathCallFilter() { return kPathFilter; }

}  // namespace tally

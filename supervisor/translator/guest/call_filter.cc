#include "supervisor/translator/guest/call_filter.h"

#include <asm/prctl.h>
#include <linux/seccomp.h>
#include <sys/mman.h>
#include <sys/syscall.h>

#include <array>
#include <csignal>
#include <cstddef>
#include <cstdint>

#include "supervisor/tracing/trace_codes.h"

namespace tally {
namespace {

constexpr sock_filter kFilter[] = {
    {BPF_LD | BPF_W | BPF_ABS, 0, 0, offsetof(seccomp_data, nr)},
    {BPF_JMP | BPF_JEQ | BPF_K, 22, 0, SYS_personality},
    {BPF_JMP | BPF_JEQ | BPF_K, 21, 0, SYS_shmat},
    {BPF_JMP | BPF_JEQ | BPF_K, 20, 0, SYS_rt_sigreturn},
    {BPF_JMP | BPF_JEQ | BPF_K, 19, 0, SYS_execve},  // at the path of its own start, too (kLaunchPath)
    {BPF_JMP | BPF_JEQ | BPF_K, 18, 0, SYS_execveat},
    {BPF_JMP | BPF_JEQ | BPF_K, 17, 0, SYS_munmap},
    {BPF_JMP | BPF_JEQ | BPF_K, 16, 0, SYS_mremap},
    {BPF_JMP | BPF_JEQ | BPF_K, 15, 0, SYS_mprotect},
    {BPF_JMP | BPF_JEQ | BPF_K, 14, 0, SYS_pkey_mprotect},
    {BPF_JMP | BPF_JEQ | BPF_K, 2, 0, SYS_mmap},
    {BPF_JMP | BPF_JEQ | BPF_K, 5, 0, SYS_arch_prctl},
    {BPF_JMP | BPF_JEQ | BPF_K, 7, 10, SYS_rt_sigaction},
    {BPF_LD | BPF_W | BPF_ABS, 0, 0, LowWordOf(2)},  // the rights asked for
    {BPF_JMP | BPF_JSET | BPF_K, 9, 0, PROT_EXEC},
    {BPF_LD | BPF_W | BPF_ABS, 0, 0, LowWordOf(3)},  // over something else?
    {BPF_JMP | BPF_JSET | BPF_K, 7, 6, MAP_FIXED},
    {BPF_LD | BPF_W | BPF_ABS, 0, 0, LowWordOf(0)},
    {BPF_JMP | BPF_JEQ | BPF_K, 5, 0, ARCH_SET_GS},
    {BPF_JMP | BPF_JEQ | BPF_K, 4, 3, ARCH_GET_GS},
    {BPF_LD | BPF_W | BPF_ABS, 0, 0, LowWordOf(0)},  // for which signal?
    {BPF_JMP | BPF_JEQ | BPF_K, 2, 0, SIGTRAP},
    {BPF_JMP | BPF_JEQ | BPF_K, 1, 0, SIGSEGV},
    {BPF_RET | BPF_K, 0, 0, SECCOMP_RET_ALLOW},
    {BPF_RET | BPF_K, 0, 0, kAsk},
};

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

std::span<const sock_filter> TranslatorCallFilter() { return kFilter; }
std::span<const sock_filter> NamingCallFilter() { return kNamingFilter; }
std::span<const sock_filter> PathCallFilter() { return kPathFilter; }

}  // namespace tally

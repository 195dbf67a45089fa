#include "supervisor/translator/call_filter.h"

#include <asm/prctl.h>
#include <linux/seccomp.h>
#include <sys/mman.h>
#include <sys/syscall.h>

#include <csignal>
#include <cstddef>
#include <cstdint>

#include "supervisor/seccomp/trace_codes.h"

namespace tally {
namespace {

constexpr sock_filter kFilter[] = {
    {BPF_LD | BPF_W | BPF_ABS, 0, 0, offsetof(seccomp_data, nr)},
    {BPF_JMP | BPF_JEQ | BPF_K, 17, 0, SYS_rt_sigreturn},
    {BPF_JMP | BPF_JEQ | BPF_K, 16, 0, SYS_munmap},
    {BPF_JMP | BPF_JEQ | BPF_K, 15, 0, SYS_mremap},
    {BPF_JMP | BPF_JEQ | BPF_K, 14, 0, SYS_mprotect},
    {BPF_JMP | BPF_JEQ | BPF_K, 13, 0, SYS_pkey_mprotect},
    {BPF_JMP | BPF_JEQ | BPF_K, 2, 0, SYS_mmap},
    {BPF_JMP | BPF_JEQ | BPF_K, 5, 0, SYS_arch_prctl},
    {BPF_JMP | BPF_JEQ | BPF_K, 7, 9, SYS_rt_sigaction},
    {BPF_LD | BPF_W | BPF_ABS, 0, 0, LowWordOf(2)},  // the rights asked for
    {BPF_JMP | BPF_JSET | BPF_K, 8, 0, PROT_EXEC},
    {BPF_LD | BPF_W | BPF_ABS, 0, 0, LowWordOf(3)},  // over something else?
    {BPF_JMP | BPF_JSET | BPF_K, 6, 5, MAP_FIXED},
    {BPF_LD | BPF_W | BPF_ABS, 0, 0, LowWordOf(0)},
    {BPF_JMP | BPF_JEQ | BPF_K, 4, 0, ARCH_SET_GS},
    {BPF_JMP | BPF_JEQ | BPF_K, 3, 2, ARCH_GET_GS},
    {BPF_LD | BPF_W | BPF_ABS, 0, 0, LowWordOf(0)},  // for which signal?
    {BPF_JMP | BPF_JEQ | BPF_K, 1, 0, SIGTRAP},
    {BPF_RET | BPF_K, 0, 0, SECCOMP_RET_ALLOW},
    {BPF_RET | BPF_K, 0, 0, kAsk},
};

constexpr sock_filter kNamingFilter[] = {
    {BPF_LD | BPF_W | BPF_ABS, 0, 0, offsetof(seccomp_data, nr)},
    {BPF_JMP | BPF_JEQ | BPF_K, 8, 0, SYS_open},
    {BPF_JMP | BPF_JEQ | BPF_K, 7, 0, SYS_openat},
    {BPF_JMP | BPF_JEQ | BPF_K, 6, 0, SYS_openat2},
    {BPF_JMP | BPF_JEQ | BPF_K, 5, 0, SYS_creat},
    {BPF_JMP | BPF_JEQ | BPF_K, 4, 0, SYS_execve},
    {BPF_JMP | BPF_JEQ | BPF_K, 3, 0, SYS_execveat},
    {BPF_JMP | BPF_JEQ | BPF_K, 2, 0, SYS_connect},
    {BPF_JMP | BPF_JEQ | BPF_K, 1, 0, SYS_bind},
    {BPF_RET | BPF_K, 0, 0, SECCOMP_RET_ALLOW},
    {BPF_RET | BPF_K, 0, 0, kAsk},
};

constexpr sock_filter kPathFilter[] = {
    {BPF_LD | BPF_W | BPF_ABS, 0, 0, offsetof(seccomp_data, nr)},
    {BPF_JMP | BPF_JEQ | BPF_K, 6, 0, SYS_open},
    {BPF_JMP | BPF_JEQ | BPF_K, 5, 0, SYS_openat},
    {BPF_JMP | BPF_JEQ | BPF_K, 4, 0, SYS_openat2},
    {BPF_JMP | BPF_JEQ | BPF_K, 3, 0, SYS_chdir},
    {BPF_JMP | BPF_JEQ | BPF_K, 2, 0, SYS_symlink},
    {BPF_JMP | BPF_JEQ | BPF_K, 1, 0, SYS_symlinkat},
    {BPF_RET | BPF_K, 0, 0, SECCOMP_RET_ALLOW},
    {BPF_RET | BPF_K, 0, 0, kAsk},
};

}  // namespace

std::span<const sock_filter> TranslatorCallFilter() { return kFilter; }
std::span<const sock_filter> NamingCallFilter() { return kNamingFilter; }
std::span<const sock_filter> PathCallFilter() { return kPathFilter; }

}  // namespace tally

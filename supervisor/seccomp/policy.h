// The compiled seccomp filters: one per combination of permissions, made at build time by policy_compiler.
// Constant data; installing one is a single system call.
#pragma once

#include <linux/filter.h>

#include <cstdint>
#include <span>
#include <string>

#include "supervisor/root_spec.h"

namespace tally {

std::span<const sock_filter> CompiledPolicy(const SyscallPermissions& allowed);

// One instruction: every call the policy allows stops the program, to be counted. Installed before the
// policy: of two equal actions the kernel takes the younger filter's data (kernel/seccomp.c,
// seccomp_run_filters), so the policy's own stops keep their codes.
std::span<const sock_filter> CountingFilter();

enum class Abi : std::uint8_t { kX86_64, kI386, kX32 };

// "openat", or "syscall 999" where the kernel that made the tables had no name.
std::string SyscallName(Abi abi, std::uint64_t number);

}  // namespace tally

// The compiled seccomp filters: one per combination of permissions, made at build time by policy_compiler.
// Never changed once made; installing one is a single system call.
#pragma once

#include <linux/filter.h>

#include <cstdint>
#include <span>
#include <string>

#include "supervisor/api/root_spec.h"

namespace tally {

std::span<const sock_filter> CompiledPolicy(const SyscallPermissions& allowed);

// The same in two: what an init installs, once for all of its programs, which may have processes or not; and what is left to each of them.
// Init's lets through what the start of a program takes.
std::span<const sock_filter> InitPolicy(const SyscallPermissions& allowed);
std::span<const sock_filter> ProgramPolicy(const SyscallPermissions& allowed);

// The same, but every call the policy allows stops the program, to be counted; not so its own start.
std::span<const sock_filter> CountingPolicy(const SyscallPermissions& allowed);

enum class Abi : std::uint8_t { kX86_64, kI386, kX32 };

// "openat", or "syscall 999" where the kernel that made the tables had no name.
std::string SyscallName(Abi abi, std::uint64_t number);

}  // namespace tally

#include "supervisor/sandbox/seccomp/policy.h"

#include <linux/seccomp.h>
#include <sys/syscall.h>

#include <array>
#include <cstddef>
#include <iterator>
#include <vector>

#include "supervisor/tracing/trace_codes.h"

namespace tally {
namespace {

#include "supervisor/sandbox/seccomp/policies.inc"

// Lets the start of the program itself through. Its path's address takes 64 bits, so no i386 call can have it.
constexpr sock_filter kStart[] = {
    {BPF_LD | BPF_W | BPF_ABS, 0, 0, offsetof(seccomp_data, nr)},
    {BPF_JMP | BPF_JEQ | BPF_K, 0, 5, SYS_execve},
    {BPF_LD | BPF_W | BPF_ABS, 0, 0, offsetof(seccomp_data, args) + 4},
    {BPF_JMP | BPF_JEQ | BPF_K, 0, 3, kLaunchPath >> 32},
    {BPF_LD | BPF_W | BPF_ABS, 0, 0, offsetof(seccomp_data, args)},
    {BPF_JMP | BPF_JEQ | BPF_K, 0, 1, kLaunchPath & 0xffffffff},
    {BPF_RET | BPF_K, 0, 0, SECCOMP_RET_ALLOW}};

constexpr std::uint32_t kCounts = SECCOMP_RET_TRACE | static_cast<std::uint32_t>(TraceCode::kCount);

// As policy_compiler numbers them.
unsigned PolicyIndex(const SyscallPermissions& allowed) {
  return (allowed.processes ? 1u : 0u) | (allowed.file_writes ? 2u : 0u) | (allowed.sockets ? 4u : 0u) |
         (allowed.i386 ? 8u : 0u) | (allowed.any_other_is_enosys ? 16u : 0u);
}

constexpr std::uint64_t kX32Bit = 0x40000000;

}  // namespace

std::span<const sock_filter> CompiledPolicy(const SyscallPermissions& allowed) { return kPolicies[PolicyIndex(allowed)]; }

std::span<const sock_filter> InitPolicy(const SyscallPermissions& allowed) { return kInitPolicies[PolicyIndex(allowed) / 2]; }

std::span<const sock_filter> ProgramPolicy(const SyscallPermissions& allowed) { return kProgramPolicies[PolicyIndex(allowed)]; }

std::span<const sock_filter> CountingPolicy(const SyscallPermissions& allowed) {
  static std::array<std::vector<sock_filter>, std::size(kPolicies)> made;
  std::vector<sock_filter>& policy = made[PolicyIndex(allowed)];
  if (policy.empty()) {
    policy.assign(std::begin(kStart), std::end(kStart));
    for (sock_filter instruction : CompiledPolicy(allowed)) {
      if (instruction.code == (BPF_RET | BPF_K) && instruction.k == SECCOMP_RET_ALLOW) instruction.k = kCounts;
      policy.push_back(instruction);
    }
  }
  return policy;
}

std::string SyscallName(Abi abi, std::uint64_t number) {
  const std::uint64_t index = abi == Abi::kX32 ? number & ~kX32Bit : number;
  const auto* table = abi == Abi::kI386 ? kNamesI386 : kNamesX86_64;
  const std::size_t size = abi == Abi::kI386 ? std::size(kNamesI386) : std::size(kNamesX86_64);
  const char* name = index < size ? table[index] : nullptr;
  std::string text = name != nullptr ? name : "syscall " + std::to_string(number);
  if (abi == Abi::kI386) text += " (i386)";
  if (abi == Abi::kX32) text += " (x32)";
  return text;
}

}  // namespace tally

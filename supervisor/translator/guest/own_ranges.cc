#include "supervisor/translator/guest/own_ranges.h"

#include <asm/prctl.h>
#include <fmt/format.h>
#include <linux/audit.h>
#include <linux/seccomp.h>
#include <sys/mman.h>
#include <sys/personality.h>
#include <sys/prctl.h>
#include <sys/shm.h>
#include <sys/syscall.h>

#include <algorithm>
#include <array>
#include <cstddef>

#include "supervisor/sandbox/seccomp/policy.h"
#include "supervisor/tracing/trace_codes.h"
#include "supervisor/translator/cache/control_area.h"
#include "supervisor/translator/guest/call_filter.h"

namespace tally {
namespace {

constexpr std::uint64_t kPage = 4096;
constexpr std::uint32_t kX32 = 0x40000000;    // __X32_SYSCALL_BIT
constexpr std::uint32_t kAsksPersonality = 0xffffffff;  // personality(2)
constexpr std::uint64_t kCetStatus = 0x3001;  // libc asks when it begins

struct Range {
  std::uint64_t begin = 0;
  std::uint64_t size = 0;
};

// What a call changes or tells of; both empty: nothing.
std::array<Range, 2> NamedBy(const StoppedCall& call) {
  const auto& a = call.arguments;
  switch (call.number) {
    case SYS_munmap:
    case SYS_mprotect:
    case SYS_pkey_mprotect:
    case SYS_madvise:
    case SYS_mincore:
    case SYS_msync:
    case SYS_mlock:
    case SYS_munlock: return {Range{a[0], a[1]}, Range{}};
    case SYS_mmap: return {(a[3] & MAP_FIXED) != 0 ? Range{a[0], a[1]} : Range{}, Range{}};
    // Of an old size of 0 it makes a second mapping of the same memory.
    case SYS_mremap:
      return {Range{a[0], std::max<std::uint64_t>(a[1], 1)},
              (a[3] & MREMAP_FIXED) != 0 ? Range{a[4], a[2]} : Range{}};
    case SYS_prctl: return {a[0] == PR_SET_VMA ? Range{a[2], a[3]} : Range{}, Range{}};
    default: return {};
  }
}

const char* WhyNoProcessorCall(std::uint64_t what) {
  switch (what) {
    case ARCH_MAP_VDSO_X32:
    case ARCH_MAP_VDSO_32:
    case ARCH_MAP_VDSO_64: return "arch_prctl(ARCH_MAP_VDSO): code that would not be translated";
    default: break;
  }
  // Address tags (0x4001 and on) would make two names for one address; with a shadow stack (0x5001 and on) returns
  // are not what translated code takes them for.
  return what >= 0x4000 && what < 0x6000 ? "arch_prctl for address tags or a shadow stack" : nullptr;
}

}  // namespace

bool IsOurs(const CodeCache& cache, std::uint64_t begin, std::uint64_t size) {
  begin &= ~(kPage - 1);
  const std::uint64_t end = begin + size;
  if (size == 0 || end < begin) return false;
  const auto overlaps = [&](std::uint64_t from, std::uint64_t length) { return begin < from + length && from < end; };
  if (overlaps(control::kRoom, control::kRoomSize)) return true;
  if (overlaps(control::kReturnTable, control::kTablesBytes)) return true;
  const auto& regions = cache.regions();
  return std::any_of(regions.begin(), regions.end(),
                     [&](const CodeCache::Region& region) { return overlaps(region.base, CodeCache::kRegionSize); });
}

std::string WhyRefused(const StoppedCall& call, const CodeCache& cache) {
  if (call.arch != AUDIT_ARCH_X86_64 || (call.number & kX32) != 0) {
    return "counter=translator does not allow system calls of another kind than x86-64's";
  }
  if (call.number == SYS_arch_prctl) {
    const char* const why = WhyNoProcessorCall(call.arguments[0]);
    return why == nullptr ? "" : fmt::format("counter=translator does not allow {}", why);
  }
  if (call.number == SYS_shmat && (call.arguments[2] & (SHM_EXEC | SHM_REMAP)) != 0) {
    return "counter=translator does not attach shared memory that is executable, or over something else";
  }
  const auto persona = static_cast<std::uint32_t>(call.arguments[0]);
  if (call.number == SYS_personality && persona != kAsksPersonality && (persona & READ_IMPLIES_EXEC) != 0) {
    return "counter=translator does not allow memory that is executable because it may be read";
  }
  for (const Range& range : NamedBy(call)) {
    if (!IsOurs(cache, range.begin, range.size)) continue;
    return fmt::format("{} of {} bytes at {:#x}: there the translator keeps what the program may not change or see",
                       SyscallName(Abi::kX86_64, call.number), range.size, range.begin);
  }
  return "";
}

namespace {

// madvise with the advice that allocators give goes on without a stop where it begins far from the room and is too short
// to reach it; to code regions it does nothing, their pages come back as they were.
constexpr std::uint32_t kFarBelow = static_cast<std::uint32_t>(control::kRoom >> 32) - 1;
constexpr std::uint32_t kFarAbove = static_cast<std::uint32_t>((control::kRoom + control::kRoomSize) >> 32) + 1;

constexpr sock_filter kFilter[] = {
    {BPF_LD | BPF_W | BPF_ABS, 0, 0, offsetof(seccomp_data, arch)},
    {BPF_JMP | BPF_JEQ | BPF_K, 0, 27, AUDIT_ARCH_X86_64},
    {BPF_LD | BPF_W | BPF_ABS, 0, 0, offsetof(seccomp_data, nr)},
    {BPF_JMP | BPF_JGE | BPF_K, 25, 0, kX32},
    {BPF_JMP | BPF_JEQ | BPF_K, 24, 0, SYS_mincore},
    {BPF_JMP | BPF_JEQ | BPF_K, 23, 0, SYS_msync},
    {BPF_JMP | BPF_JEQ | BPF_K, 22, 0, SYS_mlock},
    {BPF_JMP | BPF_JEQ | BPF_K, 21, 0, SYS_munlock},
    {BPF_JMP | BPF_JEQ | BPF_K, 2, 0, SYS_prctl},
    {BPF_JMP | BPF_JEQ | BPF_K, 3, 0, SYS_arch_prctl},
    {BPF_JMP | BPF_JEQ | BPF_K, 7, 17, SYS_madvise},
    // prctl
    {BPF_LD | BPF_W | BPF_ABS, 0, 0, LowWordOf(0)},
    {BPF_JMP | BPF_JEQ | BPF_K, 16, 15, PR_SET_VMA},
    // arch_prctl
    {BPF_LD | BPF_W | BPF_ABS, 0, 0, LowWordOf(0)},
    {BPF_JMP | BPF_JEQ | BPF_K, 13, 0, ARCH_SET_FS},
    {BPF_JMP | BPF_JEQ | BPF_K, 12, 0, ARCH_GET_FS},
    {BPF_JMP | BPF_JEQ | BPF_K, 11, 0, kCetStatus},
    {BPF_RET | BPF_K, 0, 0, kAsk},
    // madvise: what?
    {BPF_LD | BPF_W | BPF_ABS, 0, 0, LowWordOf(2)},
    {BPF_JMP | BPF_JEQ | BPF_K, 3, 0, MADV_DONTNEED},
    {BPF_JMP | BPF_JEQ | BPF_K, 2, 0, MADV_FREE},
    {BPF_JMP | BPF_JEQ | BPF_K, 1, 0, MADV_HUGEPAGE},
    {BPF_JMP | BPF_JEQ | BPF_K, 0, 6, MADV_NOHUGEPAGE},
    // 4 GiB or more?
    {BPF_LD | BPF_W | BPF_ABS, 0, 0, HighWordOf(1)},
    {BPF_JMP | BPF_JGE | BPF_K, 4, 0, 1},
    // where?
    {BPF_LD | BPF_W | BPF_ABS, 0, 0, HighWordOf(0)},
    {BPF_JMP | BPF_JGE | BPF_K, 0, 1, kFarBelow},
    {BPF_JMP | BPF_JGE | BPF_K, 0, 1, kFarAbove},
    {BPF_RET | BPF_K, 0, 0, SECCOMP_RET_ALLOW},
    {BPF_RET | BPF_K, 0, 0, kAsk},
};

}  // namespace

std::span<const sock_filter> OwnRangesFilter() { return kFilter; }

}  // namespace tally

#include "supervisor/machine/large_mappings.h"

#include <linux/audit.h>
#include <sys/mman.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>

#include <algorithm>

#include "supervisor/tracing/filter_words.h"
#include "supervisor/tracing/injection.h"

namespace tally {
namespace {

constexpr std::uint64_t kPage = 4096;
constexpr std::uint64_t kLowest = 0x10000;  // vm.mmap_min_addr, as distributions have it

// arch/x86/mm/mmap.c, mmap_base: below the stack's limit, but not by less than 128 MiB nor by more than five sixths of all.
constexpr std::uint64_t kTaskSize = 0x7fff'ffff'f000;
constexpr std::uint64_t kStackGuard = 256 * kPage;
constexpr std::uint64_t kLeastGap = 128ULL << 20;
constexpr std::uint64_t kLargestGap = kTaskSize / 6 * 5;

constexpr std::uint64_t kTrapFlag = 1 << 8;

constexpr std::uint64_t WholePages(std::uint64_t size) { return (size + kPage - 1) & ~(kPage - 1); }

bool Has(std::uint64_t flags, int flag) { return (Int32(flags) & flag) != 0; }

// The kernel would look for a place of its own: the mapping cannot grow where it is.
bool HasToMove(const std::vector<MapsLine>& maps, std::uint64_t begin, std::uint64_t old_size, std::uint64_t new_size) {
  const std::uint64_t end = begin + old_size;
  const auto line = std::find_if(maps.begin(), maps.end(), [&](const MapsLine& m) { return m.Holds(begin); });
  if (line == maps.end() || end > line->end) return false;  // an error
  if (end < line->end) return true;
  return std::next(line) != maps.end() && std::next(line)->begin < begin + new_size;
}

}  // namespace

bool ChoosesLargePlace(const StoppedCall& call) {
  if (call.arch != AUDIT_ARCH_X86_64) return false;
  const auto& a = call.arguments;
  if (call.number == SYS_mmap) {
    // A kind of its own refuses flags that it does not know (mmap(2), MAP_SHARED_VALIDATE).
    const bool takes_flags = (Int32(a[3]) & MAP_TYPE) != MAP_SHARED_VALIDATE;
    return a[0] == 0 && a[1] >= kLargeMapping && a[1] < kTaskSize && takes_flags &&
           !Has(a[3], MAP_FIXED | MAP_FIXED_NOREPLACE | MAP_32BIT | MAP_HUGETLB | MAP_GROWSDOWN);
  }
  return call.number == SYS_mremap && a[1] != 0 && a[2] > a[1] && a[2] >= kLargeMapping && a[2] < kTaskSize && a[3] == MREMAP_MAYMOVE;
}

bool Populates(const StoppedCall& call) { return call.number == SYS_mmap && Has(call.arguments[3], MAP_POPULATE); }

std::vector<sock_filter> StopAtLargeMappings() {
  const auto jump = [](std::uint16_t how, std::uint64_t value, std::uint8_t yes, std::uint8_t no) {
    return sock_filter{static_cast<std::uint16_t>(BPF_JMP | BPF_K | how), yes, no, static_cast<std::uint32_t>(value)};
  };
  const auto load = [](std::uint32_t offset) { return sock_filter{BPF_LD | BPF_W | BPF_ABS, 0, 0, offset}; };
  const sock_filter stop{BPF_RET | BPF_K, 0, 0, kAsk};
  std::vector<sock_filter> out;
  for (const auto& [number, size] : {std::pair{SYS_mmap, 1U}, std::pair{SYS_mremap, 2U}}) {
    out.insert(out.end(), {jump(BPF_JEQ, static_cast<std::uint64_t>(number), 0, 6), load(HighWordOf(size)), jump(BPF_JEQ, 0, 0, 2),
                           load(LowWordOf(size)), jump(BPF_JGE, kLargeMapping, 0, 1), stop,
                           load(offsetof(seccomp_data, nr))});
  }
  return out;
}

LargeMappings::LargeMappings(std::optional<Bytes> stack_limit) : end_(kTaskSize - kLargestGap) {
  if (stack_limit && stack_limit->count < kLargestGap) {
    end_ = kTaskSize - std::clamp(stack_limit->count + kStackGuard, kLeastGap, kLargestGap);
  }
  end_ = WholePages(end_);
}

std::optional<std::uint64_t> LargeMappings::Find(const std::vector<MapsLine>& maps, std::uint64_t size) const {
  std::uint64_t end = end_;
  for (auto line = maps.rbegin(); line != maps.rend(); ++line) {
    if (line->begin >= end) continue;
    if (line->end <= end && end - line->end >= size) return end - size;
    end = line->begin;
  }
  if (end >= kLowest + size) return end - size;
  std::uint64_t begin = WholePages(kTaskSize / 3);  // TASK_UNMAPPED_BASE, from where the kernel looks upwards then
  for (const MapsLine& line : maps) {
    if (line.end <= begin) continue;
    if (line.begin >= begin + size) break;
    begin = line.end;
  }
  return begin + size <= kTaskSize ? std::optional(begin) : std::nullopt;
}

bool LargeMappings::Place(pid_t tid, const StoppedCall& call) const {
  if (!ChoosesLargePlace(call) || Populates(call)) return false;
  const auto& a = call.arguments;
  const bool moves = call.number == SYS_mremap;
  const std::vector<MapsLine> maps = MapsOf(tid);
  if (moves && !HasToMove(maps, a[0], WholePages(a[1]), WholePages(a[2]))) return false;
  const std::optional<std::uint64_t> place = Find(maps, WholePages(moves ? a[2] : a[1]));
  user_regs_struct registers{};
  if (!place || !Registers(tid, &registers) || (registers.eflags & kTrapFlag) != 0) return false;  // its own trap comes behind the call
  if (moves) {
    registers.r10 = MREMAP_MAYMOVE | MREMAP_FIXED;
    registers.r8 = *place;
  } else {
    registers.rdi = *place;
    registers.r10 = a[3] | MAP_FIXED_NOREPLACE;
  }
  return SetRegisters(tid, registers);
}

void RestoreArguments(const StoppedCall& call, user_regs_struct* registers) {
  registers->rdi = call.arguments[0];
  registers->r10 = call.arguments[3];
  registers->r8 = call.arguments[4];
}

bool MakePlacedCall(pid_t tid, const StoppedCall& call) {
  user_regs_struct registers{};
  if (!RunToStop(PTRACE_SYSCALL, tid, 0, WaitStatus::Kind::kSyscallStop) || !Registers(tid, &registers)) return false;
  RestoreArguments(call, &registers);
  return SetRegisters(tid, registers);
}

}  // namespace tally

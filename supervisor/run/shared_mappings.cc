#include "supervisor/run/shared_mappings.h"

#include <fmt/format.h>
#include <linux/audit.h>
#include <linux/seccomp.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/sysmacros.h>

#include <cstddef>

#include "supervisor/tracing/filter_words.h"
#include "supervisor/tracing/tracee.h"

namespace tally {
namespace {

// arch/x86/entry/syscalls/syscall_32.tbl. The older one, which FPC's run time still makes, has its arguments in memory.
constexpr std::uint32_t kMmapInI386 = 90;
constexpr std::uint32_t kMmap2InI386 = 192;

constexpr sock_filter kFilter[] = {
    {BPF_LD | BPF_W | BPF_ABS, 0, 0, offsetof(seccomp_data, arch)},
    {BPF_JMP | BPF_JEQ | BPF_K, 3, 0, AUDIT_ARCH_X86_64},
    {BPF_LD | BPF_W | BPF_ABS, 0, 0, offsetof(seccomp_data, nr)},
    {BPF_JMP | BPF_JEQ | BPF_K, 5, 0, kMmapInI386},
    {BPF_JMP | BPF_JEQ | BPF_K, 2, 5, kMmap2InI386},
    {BPF_LD | BPF_W | BPF_ABS, 0, 0, offsetof(seccomp_data, nr)},
    {BPF_JMP | BPF_JEQ | BPF_K, 0, 3, SYS_mmap},
    {BPF_LD | BPF_W | BPF_ABS, 0, 0, LowWordOf(3)},
    {BPF_JMP | BPF_JSET | BPF_K, 0, 1, MAP_SHARED},  // and MAP_SHARED_VALIDATE, which has that bit
    {BPF_RET | BPF_K, 0, 0, kAsk},
    {BPF_RET | BPF_K, 0, 0, SECCOMP_RET_ALLOW},
};

// mmap of it makes such an object, too (drivers/char/mem.c, mmap_zero).
bool IsZeroDevice(pid_t tid, std::uint64_t descriptor) {
  constexpr unsigned kMajor = 1, kMinor = 5;
  struct stat status {};
  const std::string link = fmt::format("/proc/{}/fd/{}", tid, static_cast<std::uint32_t>(descriptor));
  return ::stat(link.c_str(), &status) == 0 && S_ISCHR(status.st_mode) && status.st_rdev == ::makedev(kMajor, kMinor);
}

struct MappingCall {
  std::uint64_t size, flags, descriptor;
};

std::optional<MappingCall> MappingIn(pid_t tid, const StoppedCall& call) {
  const auto& a = call.arguments;
  if (call.number == (call.arch == AUDIT_ARCH_X86_64 ? std::uint64_t{SYS_mmap} : kMmap2InI386)) return MappingCall{a[1], a[3], a[4]};
  if (call.arch == AUDIT_ARCH_X86_64 || call.number != kMmapInI386) return std::nullopt;
  std::uint32_t in_memory[6];  // address, size, protection, flags, descriptor, offset
  if (ReadTracee(tid, a[0], in_memory, sizeof in_memory) != sizeof in_memory) return std::nullopt;
  return MappingCall{in_memory[1], in_memory[3], in_memory[4]};
}

}  // namespace

std::span<const sock_filter> SharedMappingFilter() { return kFilter; }

std::optional<Bytes> SharedMappingIn(pid_t tid, const StoppedCall& call) {
  const std::optional<MappingCall> mapping = MappingIn(tid, call);
  if (!mapping || (mapping->flags & MAP_SHARED) == 0) return std::nullopt;
  if ((mapping->flags & MAP_ANONYMOUS) == 0 && !IsZeroDevice(tid, mapping->descriptor)) return std::nullopt;
  return Bytes{mapping->size};
}

}  // namespace tally

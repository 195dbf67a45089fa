#include "supervisor/sandbox/file_attributes.h"

#include <linux/audit.h>
#include <linux/seccomp.h>
#include <sys/syscall.h>

#include <array>
#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace tally {
namespace {

constexpr std::uint32_t kFchmodat2 = 452;  // the same number everywhere (Linux 6.6)

constexpr std::array<std::uint32_t, 12> kX86_64{SYS_chmod, SYS_fchmod, SYS_fchmodat, kFchmodat2,    SYS_chown,  SYS_fchown,   SYS_lchown,
                                                SYS_fchownat, SYS_utime, SYS_utimes, SYS_utimensat, SYS_futimesat};

// chmod, fchmod, fchmodat, fchmodat2, chown, lchown, fchown, chown32, lchown32, fchown32, fchownat, utime, utimes, futimesat, utimensat,
// utimensat_time64 (arch/x86/entry/syscalls/syscall_32.tbl).
constexpr std::array<std::uint32_t, 16> kI386{15, 94, 306, kFchmodat2, 182, 16, 95, 212, 198, 207, 298, 30, 271, 299, 320, 412};

sock_filter Is(std::uint32_t value, std::size_t steps_if_so, std::size_t steps_if_not) {
  return {BPF_JMP | BPF_JEQ | BPF_K, static_cast<std::uint8_t>(steps_if_so), static_cast<std::uint8_t>(steps_if_not), value};
}

// Each number goes to the last instruction, all others to the one before.
template <std::size_t N>
void AddNumbers(const std::array<std::uint32_t, N>& numbers, std::vector<sock_filter>* out) {
  out->push_back({BPF_LD | BPF_W | BPF_ABS, 0, 0, offsetof(seccomp_data, nr)});
  for (std::size_t i = 0; i < N; ++i) out->push_back(Is(numbers[i], N - i, 0));
  out->push_back({BPF_RET | BPF_K, 0, 0, SECCOMP_RET_ALLOW});
  out->push_back({BPF_RET | BPF_K, 0, 0, SECCOMP_RET_ERRNO | EPERM});
}

std::vector<sock_filter> Make() {
  std::vector<sock_filter> out{{BPF_LD | BPF_W | BPF_ABS, 0, 0, offsetof(seccomp_data, arch)}, Is(AUDIT_ARCH_X86_64, 0, kX86_64.size() + 3)};
  AddNumbers(kX86_64, &out);
  AddNumbers(kI386, &out);
  return out;
}

}  // namespace

std::span<const sock_filter> FileAttributesFilter() {
  static const std::vector<sock_filter> filter = Make();
  return filter;
}

}  // namespace tally

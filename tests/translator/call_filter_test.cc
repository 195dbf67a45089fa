// Which system calls stop for the translator.
#include "supervisor/translator/guest/call_filter.h"

#include <asm/prctl.h>
#include <sys/mman.h>
#include <sys/syscall.h>

#include <array>
#include <csignal>

#include "tests/support/catch.h"
#include "tests/support/filter_machine.h"

namespace tally {
namespace {

constexpr std::uint64_t kProof = 0x1122'3344'5566'7788;

bool Stops(int number, const std::array<std::uint64_t, 6>& arguments) {
  seccomp_data call{};
  call.nr = number;
  for (std::size_t i = 0; i < arguments.size(); ++i) call.args[i] = arguments[i];
  const std::uint32_t decided = Decide(TranslatorCallFilter(kProof), call);
  CHECK((decided == kAsk || decided == SECCOMP_RET_ALLOW));
  return decided == kAsk;
}

}  // namespace

TEST_CASE("translator's calls: those that change what may be executed, or could, stop", "[translator][filter]") {
  for (const int number : {SYS_personality, SYS_shmat, SYS_rt_sigreturn, SYS_execve, SYS_execveat, SYS_munmap, SYS_mremap, SYS_pkey_mprotect}) CHECK(Stops(number, {}));
  CHECK(Stops(SYS_mmap, {0, 4096, PROT_READ | PROT_EXEC, MAP_PRIVATE}));
  CHECK(Stops(SYS_mmap, {0, 4096, PROT_READ, MAP_PRIVATE | MAP_FIXED}));
  CHECK_FALSE(Stops(SYS_mmap, {0, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE}));
  CHECK(Stops(SYS_arch_prctl, {ARCH_SET_GS}));
  CHECK(Stops(SYS_arch_prctl, {ARCH_GET_GS}));
  CHECK_FALSE(Stops(SYS_arch_prctl, {ARCH_SET_FS}));
  CHECK(Stops(SYS_rt_sigaction, {SIGTRAP}));
  CHECK(Stops(SYS_rt_sigaction, {SIGSEGV}));
  CHECK_FALSE(Stops(SYS_rt_sigaction, {SIGUSR1}));
  CHECK_FALSE(Stops(SYS_read, {}));
}

TEST_CASE("translator's calls: an mprotect is ours with the whole proof alone, and makes nothing executable", "[translator][filter]") {
  constexpr std::uint64_t kRights = PROT_READ | PROT_WRITE;
  CHECK_FALSE(Stops(SYS_mprotect, {4096, 4096, kRights, 0, 0, kProof}));
  CHECK(Stops(SYS_mprotect, {4096, 4096, kRights | PROT_EXEC, 0, 0, kProof}));
  CHECK(Stops(SYS_pkey_mprotect, {4096, 4096, kRights, 0, 0, kProof}));
  CHECK(Stops(SYS_mprotect, {4096, 4096, kRights}));
  CHECK(Stops(SYS_mprotect, {4096, 4096, kRights, 0, kProof, 0}));
  for (int bit = 0; bit < 64; ++bit) CHECK(Stops(SYS_mprotect, {4096, 4096, kRights, 0, 0, kProof ^ 1ULL << bit}));
}

}  // namespace tally

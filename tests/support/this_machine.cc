#include "tests/support/this_machine.h"

#include <signal.h>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstddef>
#include <cstdio>
#include <optional>

namespace tally {
namespace {

// The signal that ends a child which does this; nothing: it comes to its end.
std::optional<int> SignalOf(void (*what)()) {
  const pid_t child = ::fork();
  if (child == 0) {
    ::signal(SIGSEGV, SIG_DFL);
    what();
    ::_exit(0);
  }
  int status = 0;
  ::waitpid(child, &status, 0);
  if (WIFSIGNALED(status)) return WTERMSIG(status);
  return std::nullopt;
}

}  // namespace

bool RunsI386() {
  static const bool runs = !SignalOf([] {
    long result = 0;
    __asm__ volatile("int $0x80" : "=a"(result) : "a"(20) : "memory");
  });
  return runs;
}

bool TimeStampsCanFault() {
  static const bool can = SignalOf([] {
                            ::prctl(PR_SET_TSC, PR_TSC_SIGSEGV);
                            __asm__ volatile("rdtsc" : : : "rax", "rdx");
                          }) == SIGSEGV;
  return can;
}

bool SharesPageOfZeros() {
  static const bool shares = [] {
    constexpr std::size_t kSize = 16 << 20;
    constexpr std::size_t kPage = 4096;
    const auto resident = [] {
      long size = 0;
      long pages = 0;
      std::FILE* const file = std::fopen("/proc/self/statm", "r");
      if (file == nullptr || std::fscanf(file, "%ld %ld", &size, &pages) != 2) pages = 0;
      if (file != nullptr) std::fclose(file);
      return pages;
    };
    void* const block = ::mmap(nullptr, kSize, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (block == MAP_FAILED) return true;
    const long before = resident();
    const volatile char* const bytes = static_cast<const volatile char*>(block);
    long sum = 0;
    for (std::size_t at = 0; at < kSize; at += kPage) sum += bytes[at];
    const long growth = resident() - before;
    ::munmap(block, kSize);
    return sum == 0 && growth < static_cast<long>(kSize / kPage / 2);
  }();
  return shares;
}

bool KeepsSegmentBases() {
  constexpr unsigned long kFsGsBase = 1UL << 1;  // HWCAP2_FSGSBASE
  return (::getauxval(AT_HWCAP2) & kFsGsBase) != 0;
}

bool HasProtectionKeys() {
  static const bool has = [] {
    const int key = ::pkey_alloc(0, 0);
    if (key >= 0) ::pkey_free(key);
    return key >= 0;
  }();
  return has;
}

}  // namespace tally

#include "supervisor/translator/auxiliary_vector.h"

#include <elf.h>

#include <vector>

#include "supervisor/tracee.h"
#include "supervisor/translator/virtual_cpu.h"

namespace tally {
namespace {
constexpr std::uint64_t kRandomBytes[2] = {0x8f5c'28f5'c28f'5c00, 0x1234'5678'9abc'def1};
}

// argc, argv, 0, envp, 0, auxv (System V ABI, "Initial Stack").
void ChangeAuxiliaryVector(pid_t tid, std::uint64_t stack) {
  std::vector<std::uint64_t> words(16 << 10);
  words.resize(ReadTracee(tid, stack, words.data(), words.size() * 8) / 8);
  if (words.empty()) {  // the stack ends before what was asked for
    words.resize(256);
    words.resize(ReadTracee(tid, stack, words.data(), words.size() * 8) / 8);
  }
  std::size_t i = words.empty() ? 0 : words[0] + 2;
  while (i < words.size() && words[i] != 0) ++i;
  for (++i; i + 1 < words.size() && words[i] != AT_NULL; i += 2) {
    const auto set = [&](std::size_t index, std::uint64_t value) { WriteTracee(tid, stack + 8 * index, &value, 8); };
    switch (words[i]) {
      case AT_SYSINFO_EHDR: set(i, AT_IGNORE); break;
      case AT_HWCAP: set(i + 1, VirtualCpu::Hwcap()); break;
      case AT_HWCAP2: set(i + 1, 0); break;
      case AT_RANDOM: WriteTracee(tid, words[i + 1], kRandomBytes, sizeof kRandomBytes); break;
      default: break;
    }
  }
}

}  // namespace tally

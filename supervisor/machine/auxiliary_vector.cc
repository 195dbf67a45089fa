#include "supervisor/machine/auxiliary_vector.h"

#include <elf.h>

#include <algorithm>
#include <optional>
#include <vector>

#include "base/error.h"
#include "supervisor/machine/seeded_random.h"
#include "supervisor/machine/virtual_cpu.h"
#include "supervisor/tracing/tracee.h"

namespace tally {
namespace {

// In this order; no kernel that Tally runs on gives fewer entries, so there is room.
constexpr std::uint64_t kEntries[] = {AT_MINSIGSTKSZ, AT_HWCAP, AT_PAGESZ, AT_CLKTCK, AT_PHDR,   AT_PHENT,  AT_PHNUM,
                                      AT_BASE,        AT_FLAGS, AT_ENTRY,  AT_UID,    AT_EUID,   AT_GID,    AT_EGID,
                                      AT_SECURE,      AT_RANDOM, AT_HWCAP2, AT_EXECFN, AT_PLATFORM};


// What a signal's frame takes: more than on any processor of today (those with AMX need 12 KiB), and never less than
// on this one.
constexpr std::uint64_t kSignalStack = 16 << 10;

// The stack of a new program (System V ABI, "Initial Stack"): argc, argv, 0, envp, 0, then pairs up to AT_NULL.
struct InitialStack {
  std::vector<std::uint64_t> words;
  std::size_t vector_at = 0;

  [[nodiscard]] std::optional<std::uint64_t> Find(std::uint64_t type) const {
    for (std::size_t i = vector_at; i + 1 < words.size() && words[i] != AT_NULL; i += 2) {
      if (words[i] == type) return words[i + 1];
    }
    return std::nullopt;
  }
};

std::optional<InitialStack> ReadStack(pid_t tid, std::uint64_t address) {
  constexpr std::size_t kStep = 512;  // words
  InitialStack out;
  std::size_t zeros_left = 2;
  std::size_t at = 1;
  const auto have = [&](std::size_t index) {
    while (out.words.size() <= index) {
      const std::size_t before = out.words.size();
      const std::uint64_t from = address + 8 * before;
      // To the end of a page, because the stack may end there.
      const std::size_t wanted = std::min<std::size_t>(kStep, (4096 - from % 4096) / 8);
      out.words.resize(before + wanted);
      const std::size_t got = ReadTracee(tid, from, &out.words[before], wanted * 8) / 8;
      out.words.resize(before + got);
      if (got == 0) return false;
    }
    return true;
  };
  for (; zeros_left > 0; ++at) {
    if (!have(at)) return std::nullopt;
    if (out.words[at] == 0) --zeros_left;
  }
  out.vector_at = at;
  for (; have(at + 1); at += 2) {
    if (out.words[at] == AT_NULL) return out;
  }
  return std::nullopt;
}

std::optional<std::uint64_t> ValueOf(std::uint64_t type, const InitialStack& stack, const VirtualCpuOptions& options) {
  const std::optional<std::uint64_t> real = stack.Find(type);
  switch (type) {
    case AT_HWCAP: return options.rules.Has(VirtualRule::kCpu) ? VirtualCpu::Hwcap() : real;
    case AT_HWCAP2: return options.rules.Has(VirtualRule::kCpu) ? 0 : real;
    case AT_MINSIGSTKSZ:
      return options.rules.Has(VirtualRule::kSystem) ? std::max(kSignalStack, real.value_or(0)) : real;
    default: return real;
  }
}

}  // namespace

bool ChangeAuxiliaryVector(pid_t tid, const VirtualCpuOptions& options) {
  user_regs_struct registers{};
  if (!Registers(tid, &registers)) return false;
  if (registers.cs == kCodeSegment32) return true;  // a 32-bit program's is of another shape
  const std::optional<InitialStack> stack = ReadStack(tid, registers.rsp);
  if (!stack) return false;
  const std::optional<std::uint64_t> random = stack->Find(AT_RANDOM);
  if (!random) throw SystemError("the kernel gave the program no AT_RANDOM", 0);

  std::vector<std::uint64_t> words(stack->words.begin(), stack->words.begin() + static_cast<std::ptrdiff_t>(stack->vector_at));
  for (const std::uint64_t type : kEntries) {
    if (const auto value = ValueOf(type, *stack, options)) words.insert(words.end(), {type, *value});
  }
  words.insert(words.end(), {AT_NULL, 0});
  // The random bytes are what the kernel puts directly above the vector (fs/binfmt_elf.c, create_elf_tables).
  const std::uint64_t begin = (*random - 8 * words.size()) & ~15ULL;
  WriteTracee(tid, begin, words.data(), 8 * words.size());
  registers.rsp = begin;

  if (options.rules.Has(VirtualRule::kRandom)) {
    std::uint64_t bytes[2];
    SeededRandom(options.seed, SeededRandom::Stream::kStart).Fill(bytes, sizeof bytes);
    WriteTracee(tid, *random, bytes, sizeof bytes);
  }
  return SetRegisters(tid, registers);
}

}  // namespace tally

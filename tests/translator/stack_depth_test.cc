// What an instruction does to the stack's top, against Zydis: on random bytes, and on all the code of this very program.
#include "supervisor/x86/stack_depth.h"

#include <Zydis/Zydis.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <initializer_list>
#include <optional>
#include <random>
#include <span>

#include "base/sys.h"
#include "tests/support/catch.h"

namespace tally {
namespace {

constexpr int kDepth = 0x100;

std::optional<int> Behind(std::initializer_list<std::uint8_t> bytes, int depth) {
  std::array<std::uint8_t, kLongestInstruction> code{};
  std::copy(bytes.begin(), bytes.end(), code.begin());
  return StackDepthBehind(Decode(0x1000, code, isa::Level::kHost), depth);
}

class Reference {
 public:
  Reference() { ZydisDecoderInit(&decoder_, ZYDIS_MACHINE_MODE_LONG_64, ZYDIS_STACK_WIDTH_64); }

  // Is what we say of it, if anything, not what Zydis says?
  bool Differs(std::span<const std::uint8_t> code) {
    const Instruction ours = Decode(0x1000, code, isa::Level::kHost);
    const bool is_copied = ours.flow == Flow::kNext || ours.flow == Flow::kConditional || ours.flow == Flow::kJump;
    const std::optional<int> behind = is_copied ? StackDepthBehind(ours, kDepth) : std::nullopt;
    ZydisDecodedInstruction z;
    std::array<ZydisDecodedOperand, ZYDIS_MAX_OPERAND_COUNT> operands;
    if (!behind || !ZYAN_SUCCESS(ZydisDecoderDecodeFull(&decoder_, code.data(), code.size(), &z, operands.data()))) return false;
    ++compared_;
    const bool moves = std::any_of(operands.begin(), operands.begin() + z.operand_count, [](const ZydisDecodedOperand& o) {
      const bool is_written = (o.actions & ZYDIS_OPERAND_ACTION_MASK_WRITE) != 0;
      return is_written && o.type == ZYDIS_OPERAND_TYPE_REGISTER && ZydisRegisterGetLargestEnclosing(ZYDIS_MACHINE_MODE_LONG_64, o.reg.value) == ZYDIS_REGISTER_RSP;
    });
    if (!moves) return *behind != kDepth;
    ++moving_;
    const auto value = static_cast<int>(operands[1].imm.value.s);
    switch (z.mnemonic) {
      case ZYDIS_MNEMONIC_PUSH: return z.operand_width != 64 || *behind != kDepth + 8;
      case ZYDIS_MNEMONIC_POP: return z.operand_width != 64 || *behind != kDepth - 8;
      case ZYDIS_MNEMONIC_SUB: return *behind != kDepth + value;
      case ZYDIS_MNEMONIC_ADD: return *behind != kDepth - value;
      case ZYDIS_MNEMONIC_LEAVE: return *behind != 0;
      default: return true;
    }
  }
  [[nodiscard]] int compared() const { return compared_; }
  [[nodiscard]] int moving() const { return moving_; }

 private:
  ZydisDecoder decoder_{};
  int compared_ = 0, moving_ = 0;
};

TEST_CASE("stack depth: pushes and pops, sub and add, leave", "[translator][decode]") {
  CHECK(Behind({0x53}, 0) == 8);                                // push %rbx
  CHECK(Behind({0x41, 0x5c}, 8) == 0);                          // pop %r12
  CHECK(Behind({0x6a, 1}, 0) == 8);                             // push $1
  CHECK(Behind({0xff, 0x37}, 0) == 8);                          // push (%rdi)
  CHECK(Behind({0x48, 0x83, 0xec, 0x18}, 8) == 32);             // sub $24, %rsp
  CHECK(Behind({0x48, 0x81, 0xc4, 0x18, 0, 0, 0}, 32) == 8);    // add $24, %rsp
  CHECK(Behind({0xc9}, 24) == 0);                               // leave
  CHECK(Behind({0x48, 0x89, 0xe5}, 8) == 8);                    // mov %rsp, %rbp
  CHECK(Behind({0xc3}, 0) == 0);                                // ret
}

TEST_CASE("stack depth: what comes near the return address, or moves the top otherwise, is not known", "[translator][decode]") {
  CHECK_FALSE(Behind({0x58}, 0));                          // pop %rax
  CHECK_FALSE(Behind({0xc3}, 8));                          // ret
  CHECK_FALSE(Behind({0x5c}, 8));                          // pop %rsp
  CHECK_FALSE(Behind({0x48, 0x83, 0xc4, 0x10}, 8));        // add $16, %rsp
  CHECK_FALSE(Behind({0x48, 0xff, 0x04, 0x24}, 0));        // incq (%rsp)
  CHECK_FALSE(Behind({0x48, 0x89, 0x44, 0x24, 0x08}, 8));  // mov %rax, 8(%rsp)
  CHECK(Behind({0x48, 0x89, 0x04, 0x24}, 8) == 8);         // mov %rax, (%rsp)
  CHECK_FALSE(Behind({0x48, 0x89, 0xec}, 8));              // mov %rbp, %rsp
  CHECK_FALSE(Behind({0x48, 0x94}, 0));                    // xchg %rax, %rsp
  CHECK_FALSE(Behind({0x48, 0x83, 0xe4, 0xf0}, 8));        // and $-16, %rsp
  CHECK_FALSE(Behind({0x66, 0x50}, 0));                    // push %ax
  CHECK_FALSE(Behind({0x0f, 0xcc}, 0));                    // bswap %esp
}

TEST_CASE("stack depth: of random bytes what Zydis says", "[translator][decode]") {
  Reference reference;
  std::mt19937_64 random(22);  // NOLINT: the same every time
  for (int i = 0; i < 400'000; ++i) {
    std::array<std::uint8_t, 16> bytes{};
    for (std::size_t half = 0; half < 2; ++half) {
      const std::uint64_t word = random();
      std::memcpy(bytes.data() + 8 * half, &word, sizeof word);
    }
    constexpr std::uint8_t kFirst[] = {0x0f, 0x48, 0x66, 0xc4, 0xc5, 0xf2, 0xf3, 0x4c};
    if (i % 2 == 0) bytes[0] = kFirst[static_cast<std::size_t>(i / 2) % std::size(kFirst)];
    const bool differs = reference.Differs({bytes.data(), kLongestInstruction});
    if (differs) {
      CAPTURE(i, fmt::format("{:02x}", fmt::join(bytes, " ")));
      CHECK_FALSE(differs);
    }
  }
  CHECK(reference.compared() > 50'000);
  CHECK(reference.moving() > 500);
}

TEST_CASE("stack depth: of the code of this program what Zydis says", "[translator][decode]") {
  Reference reference;
  const std::string self = sys::TryReadFile("/proc/self/exe").value_or("");
  const auto* const bytes = reinterpret_cast<const std::uint8_t*>(self.data());
  for (std::size_t at = 0, n = 0; at + kLongestInstruction < self.size() && n < 1'000'000; ++n) {
    const std::span<const std::uint8_t> code{bytes + at, kLongestInstruction};
    const bool differs = reference.Differs(code);
    if (differs) {
      CAPTURE(at);
      CHECK_FALSE(differs);
    }
    at += std::max<std::size_t>(1, Decode(at, code, isa::Level::kHost).length);
  }
  CHECK(reference.moving() > 10'000);
}

}  // namespace
}  // namespace tally

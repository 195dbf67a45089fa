// The translator's own decoder against Zydis, of which its tables are made: on random bytes, and on all the code of
// this very program.
#include <Zydis/Zydis.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <random>
#include <span>

#include "base/sys.h"
#include "supervisor/x86/decode.h"
#include "tests/support/catch.h"

namespace tally {
namespace {

using Code = std::span<const std::uint8_t>;

bool IsBranch(Flow flow) {
  switch (flow) {
    case Flow::kConditional: case Flow::kJump: case Flow::kCall: case Flow::kLoop: case Flow::kIndirectJump:
    case Flow::kIndirectCall: case Flow::kReturn: case Flow::kReturnPop: return true;
    default: return false;
  }
}

bool NamesR11(const ZydisDecodedInstruction& z, const ZydisDecoder& decoder, Code code) {
  const auto is_r11 = [](ZydisRegister r) {
    return ZydisRegisterGetLargestEnclosing(ZYDIS_MACHINE_MODE_LONG_64, r) == ZYDIS_REGISTER_R11;
  };
  ZydisDecodedInstruction again;
  std::array<ZydisDecodedOperand, ZYDIS_MAX_OPERAND_COUNT> operands;
  ZydisDecoderDecodeFull(&decoder, code.data(), code.size(), &again, operands.data());
  return std::any_of(operands.begin(), operands.begin() + z.operand_count_visible, [&](const ZydisDecodedOperand& o) {
    return o.type == ZYDIS_OPERAND_TYPE_REGISTER ? is_r11(o.reg.value)
                                                 : o.type == ZYDIS_OPERAND_TYPE_MEMORY && (is_r11(o.mem.base) || is_r11(o.mem.index));
  });
}

class Reference {
 public:
  Reference() { ZydisDecoderInit(&decoder_, ZYDIS_MACHINE_MODE_LONG_64, ZYDIS_STACK_WIDTH_64); }

  // "" when both agree on this instruction, or when one of them does not know it.
  std::string Difference(Code code) const {
    ZydisDecodedInstruction z;
    if (!ZYAN_SUCCESS(ZydisDecoderDecodeInstruction(&decoder_, nullptr, code.data(), code.size(), &z))) return "";
    const Instruction ours = Decode(0x1000, code);
    if (ours.flow == Flow::kRefused || ours.flow == Flow::kFault || ours.flow == Flow::kUndefined) return "";
    const std::string name = ZydisMnemonicGetString(z.mnemonic);
    if (name == "jkzd" || name == "jknzd") return "";  // Xeon Phi's first generation; others take them for VEX jcc
    if (ours.length != z.length) return name + ": its length";
    if (ours.flow != Flow::kAlone && IsBranch(ours.flow) != (z.meta.branch_type != ZYDIS_BRANCH_TYPE_NONE)) return name + ": is it a branch?";
    const bool relative = (z.attributes & ZYDIS_ATTRIB_HAS_MODRM) != 0 && z.raw.modrm.mod == 0 && z.raw.modrm.rm == 5;
    if (relative != (ours.rip_displacement_at != 0)) return name + ": is it relative to rip?";
    if (relative && ours.rip_displacement_at != z.raw.disp.offset) return name + ": where its displacement is";
    const bool reads_flags = z.cpu_flags != nullptr && (z.cpu_flags->tested & ZYDIS_CPUFLAG_CF) != 0;
    if (reads_flags && (ours.read & isa::kCarry) == 0) return name + ": it reads the carry flag";
    if (!ours.names_r11 && NamesR11(z, decoder_, code)) return name + ": it names r11";
    return "";
  }

 private:
  ZydisDecoder decoder_{};
};

TEST_CASE("decode: random bytes are the instructions Zydis says they are", "[translator][decode]") {
  const Reference reference;
  std::mt19937_64 random(20);  // NOLINT: the same every time
  for (int i = 0; i < 400'000; ++i) {
    std::array<std::uint8_t, 16> bytes{};
    for (std::size_t half = 0; half < 2; ++half) {
      const std::uint64_t word = random();
      std::memcpy(bytes.data() + 8 * half, &word, sizeof word);
    }
    constexpr std::uint8_t kEscapes[] = {0x0f, 0x62, 0xc4, 0xc5, 0x66, 0xf3};
    if (i % 2 == 0) bytes[0] = kEscapes[static_cast<std::size_t>(i / 2) % std::size(kEscapes)];
    const std::string difference = reference.Difference({bytes.data(), kLongestInstruction});
    if (!difference.empty()) {
      CAPTURE(difference, i);
      CHECK(difference.empty());
    }
  }
}

TEST_CASE("decode: what Zydis does not know is never copied", "[translator][decode]") {
  ZydisDecoder decoder;
  ZydisDecoderInit(&decoder, ZYDIS_MACHINE_MODE_LONG_64, ZYDIS_STACK_WIDTH_64);
  std::mt19937_64 random(21);  // NOLINT: the same every time
  int unknown = 0;
  int copied = 0;
  for (int i = 0; i < 400'000; ++i) {
    std::array<std::uint8_t, 16> bytes{};
    for (std::size_t half = 0; half < 2; ++half) {
      const std::uint64_t word = random();
      std::memcpy(bytes.data() + 8 * half, &word, sizeof word);
    }
    constexpr std::uint8_t kEscapes[] = {0xc4, 0xc5, 0x0f};
    bytes[0] = kEscapes[static_cast<std::size_t>(i) % std::size(kEscapes)];
    if (bytes[0] == 0xc4) bytes[1] = static_cast<std::uint8_t>((bytes[1] & 0xe0) | 1 | (bytes[1] & 2));
    ZydisDecodedInstruction z;
    const ZyanStatus status = ZydisDecoderDecodeInstruction(&decoder, nullptr, bytes.data(), kLongestInstruction, &z);
    if (status != ZYDIS_STATUS_DECODING_ERROR && status != ZYDIS_STATUS_INVALID_MAP) continue;
    ++unknown;
    const Instruction ours = Decode(0x1000, {bytes.data(), kLongestInstruction});
    if (ours.flow == Flow::kNext) ++copied;
  }
  CHECK(unknown > 1000);
  // Tables have no column for what some opcodes take their operands' numbers for (isa/table_compiler.cc).
  CHECK(copied < unknown / 10);
}

TEST_CASE("decode: the code of this program is the code Zydis sees", "[translator][decode]") {
  const Reference reference;
  const std::string self = sys::TryReadFile("/proc/self/exe").value_or("");
  REQUIRE(self.size() > 100'000);
  const auto* const bytes = reinterpret_cast<const std::uint8_t*>(self.data());
  int instructions = 0;
  for (std::size_t at = 0; at + kLongestInstruction < self.size() && instructions < 1'000'000; ++instructions) {
    const Code code{bytes + at, kLongestInstruction};
    const std::string difference = reference.Difference(code);
    if (!difference.empty()) {
      CAPTURE(difference, at);
      CHECK(difference.empty());
    }
    at += std::max<std::size_t>(1, Decode(at, code).length);
  }
}

TEST_CASE("decode: bytes that end too early are no instruction", "[translator][decode]") {
  const std::array<std::uint8_t, 3> bytes{0xe8, 0, 0};  // a call without the rest of its displacement
  CHECK(Decode(0, {bytes.data(), bytes.size()}).length == 0);
  CHECK(Decode(0, {}).length == 0);
}

}  // namespace
}  // namespace tally

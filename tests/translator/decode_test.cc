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

std::array<std::uint8_t, 16> RandomBytes(std::mt19937_64* random) {
  std::array<std::uint8_t, 16> bytes{};
  for (std::size_t half = 0; half < 2; ++half) {
    const std::uint64_t word = (*random)();
    std::memcpy(bytes.data() + 8 * half, &word, sizeof word);
  }
  return bytes;
}

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
    const Instruction ours = Decode(0x1000, code, isa::Level::kHost);
    if (ours.flow == Flow::kRefused || ours.flow == Flow::kFault || ours.flow == Flow::kUndefined) return "";
    const std::string name = ZydisMnemonicGetString(z.mnemonic);
    if (name == "jkzd" || name == "jknzd") return "";  // Xeon Phi's first generation; others take them for VEX jcc
    if (ours.length != z.length) return name + ": its length";
    if (ours.flow != Flow::kSingleStep && IsBranch(ours.flow) != (z.meta.branch_type != ZYDIS_BRANCH_TYPE_NONE)) return name + ": is it a branch?";
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
    std::array<std::uint8_t, 16> bytes = RandomBytes(&random);
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
    std::array<std::uint8_t, 16> bytes = RandomBytes(&random);
    constexpr std::uint8_t kEscapes[] = {0xc4, 0xc5, 0x0f};
    bytes[0] = kEscapes[static_cast<std::size_t>(i) % std::size(kEscapes)];
    if (bytes[0] == 0xc4) bytes[1] = static_cast<std::uint8_t>((bytes[1] & 0xe0) | 1 | (bytes[1] & 2));
    ZydisDecodedInstruction z;
    const ZyanStatus status = ZydisDecoderDecodeInstruction(&decoder, nullptr, bytes.data(), kLongestInstruction, &z);
    if (status != ZYDIS_STATUS_DECODING_ERROR && status != ZYDIS_STATUS_INVALID_MAP) continue;
    ++unknown;
    const Instruction ours = Decode(0x1000, {bytes.data(), kLongestInstruction}, isa::Level::kHost);
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
    at += std::max<std::size_t>(1, Decode(at, code, isa::Level::kHost).length);
  }
}

TEST_CASE("decode: bytes that end too early are no instruction", "[translator][decode]") {
  const std::array<std::uint8_t, 3> bytes{0xe8, 0, 0};  // a call without the rest of its displacement
  CHECK(Decode(0, {bytes.data(), bytes.size()}, isa::Level::kV3).length == 0);
  CHECK(Decode(0, {}, isa::Level::kV3).length == 0);
}

struct Levelled {
  const char* name;
  std::array<std::uint8_t, 9> bytes;  // with zeros behind them: more operands than any of them needs
  isa::Level least;
};
using isa::Level;
constexpr Levelled kLevelled[] = {
    {"endbr64", {0xf3, 0x0f, 0x1e, 0xfa}, Level::kV2},
    {"rdsspq: a no-op where control-flow enforcement is off", {0xf3, 0x48, 0x0f, 0x1e, 0xc8}, Level::kV2},
    {"prefetchw", {0x0f, 0x0d, 0x08}, Level::kV2},
    {"popcnt", {0xf3, 0x0f, 0xb8, 0xc1}, Level::kV2},
    {"crc32", {0xf2, 0x0f, 0x38, 0xf1, 0xc1}, Level::kV2},
    {"tzcnt: bsf with a prefix that older processors ignore", {0xf3, 0x0f, 0xbc, 0xc1}, Level::kV2},
    {"rdtscp", {0x0f, 0x01, 0xf9}, Level::kV2},
    {"swapgs: privileged everywhere", {0x0f, 0x01, 0xf8}, Level::kV2},
    {"xgetbv", {0x0f, 0x01, 0xd0}, Level::kV3},
    {"xsave", {0x0f, 0xae, 0x20}, Level::kV3},
    {"movbe", {0x0f, 0x38, 0xf0, 0x00}, Level::kV3},
    {"aesenc", {0x66, 0x0f, 0x38, 0xdc, 0xc1}, Level::kV3},
    {"pclmulqdq", {0x66, 0x0f, 0x3a, 0x44, 0xc1, 0x00}, Level::kV3},
    {"vaddpd ymm", {0xc5, 0xf5, 0x58, 0xc2}, Level::kV3},
    {"vpaddd ymm", {0xc5, 0xf5, 0xfe, 0xc2}, Level::kV3},
    {"vfmadd231pd", {0xc4, 0xe2, 0xf5, 0xb8, 0xc2}, Level::kV3},
    {"pext", {0xc4, 0xe2, 0xfa, 0xf5, 0xc2}, Level::kV3},
    {"vaesenc xmm", {0xc4, 0xe2, 0x71, 0xdc, 0xc2}, Level::kV3},
    {"vpclmulqdq xmm", {0xc4, 0xe3, 0x71, 0x44, 0xc2, 0x00}, Level::kV3},
    {"vaesenc ymm", {0xc4, 0xe2, 0x75, 0xdc, 0xc2}, Level::kHost},
    {"vpclmulqdq ymm", {0xc4, 0xe3, 0x75, 0x44, 0xc2, 0x00}, Level::kHost},
    {"vpdpbusd: AVX-VNNI", {0xc4, 0xe2, 0x75, 0x50, 0xc2}, Level::kHost},
    {"kmovw: AVX-512 in VEX", {0xc5, 0xf8, 0x92, 0xc8}, Level::kV4},
    {"vaddpd zmm: AVX-512", {0x62, 0xf1, 0xf5, 0x48, 0x58, 0xc2}, Level::kV4},
    {"vpaddd ymm in EVEX", {0x62, 0xf1, 0x75, 0x28, 0xfe, 0xc2}, Level::kV4},
    {"vpaddb zmm: AVX-512BW", {0x62, 0xf1, 0x75, 0x48, 0xfc, 0xc2}, Level::kV4},
    {"vpmullq zmm: AVX-512DQ", {0x62, 0xf2, 0xf5, 0x48, 0x40, 0xc2}, Level::kV4},
    {"vpconflictd zmm: AVX-512CD", {0x62, 0xf2, 0x7d, 0x48, 0xc4, 0xc2}, Level::kV4},
    {"kortestq", {0xc4, 0xe1, 0xf8, 0x98, 0xc1}, Level::kV4},
    {"vpermb zmm: AVX-512 VBMI", {0x62, 0xf2, 0x75, 0x48, 0x8d, 0xc2}, Level::kHost},
    {"vpopcntd zmm", {0x62, 0xf2, 0x7d, 0x48, 0x55, 0xc2}, Level::kHost},
    {"vpdpbusd zmm: AVX-512 VNNI", {0x62, 0xf2, 0x75, 0x48, 0x50, 0xc2}, Level::kHost},
    {"vaddph zmm: AVX-512 FP16", {0x62, 0xf5, 0x74, 0x48, 0x58, 0xc2}, Level::kHost},
    {"tilezero: AMX", {0xc4, 0xe2, 0x7b, 0x49, 0xc0}, Level::kHost},
    {"sha1nexte", {0x0f, 0x38, 0xc8, 0xc1}, Level::kHost},
    {"adcx", {0x66, 0x0f, 0x38, 0xf6, 0xc1}, Level::kHost},
    {"gf2p8mulb", {0x66, 0x0f, 0x38, 0xcf, 0xc1}, Level::kHost},
    {"clflushopt", {0x66, 0x0f, 0xae, 0x38}, Level::kHost},
    {"clwb", {0x66, 0x0f, 0xae, 0x30}, Level::kHost},
    {"xsavec", {0x0f, 0xc7, 0x20}, Level::kHost},
    {"incsspd", {0xf3, 0x0f, 0xae, 0xe8}, Level::kHost},
    {"ptwrite", {0xf3, 0x0f, 0xae, 0xe0}, Level::kHost},
    {"tpause", {0x66, 0x0f, 0xae, 0xf0}, Level::kHost},
    {"movdiri", {0x0f, 0x38, 0xf9, 0x00}, Level::kHost},
    {"extrq: SSE4A", {0x66, 0x0f, 0x79, 0xc1}, Level::kHost},
    {"sgdt: the machine's own tables", {0x0f, 0x01, 0x00}, Level::kHost},
    {"smsw", {0x0f, 0x01, 0xe0}, Level::kHost},
    {"lsl: in it stands the processor's number", {0x0f, 0x03, 0xc1}, Level::kHost},
    {"vmcall: hypervisors answer it, processors do not", {0x0f, 0x01, 0xc1}, Level::kHost},
    {"rdpkru", {0x0f, 0x01, 0xee}, Level::kHost},
    {"rdfsbase", {0xf3, 0x48, 0x0f, 0xae, 0xc0}, Level::kHost},
    {"wrgsbase", {0xf3, 0x0f, 0xae, 0xd8}, Level::kHost},
    {"rdpru", {0x0f, 0x01, 0xfd}, Level::kHost},
    {"serialize", {0x0f, 0x01, 0xe8}, Level::kHost},
    {"vpdpbssd: AVX-VNNI-INT8", {0xc4, 0xe2, 0x77, 0x50, 0xc2}, Level::kNone},
    {"vsha512rnds2", {0xc4, 0xe2, 0x77, 0xcb, 0xc2}, Level::kNone},
    {"VEX in no map", {0xc4, 0xe0, 0x75, 0x58, 0xc2}, Level::kNone},
    {"VEX in map 7", {0xc4, 0xe7, 0x75, 0x58, 0xc2}, Level::kNone},
    {"3DNow", {0x0f, 0x0f, 0xc1, 0x9e}, Level::kNone},
    {"XOP", {0x8f, 0xe8, 0x78, 0xc0, 0xc1, 0x00}, Level::kNone},
};

TEST_CASE("decode: an instruction that the virtual processor's model lacks is an invalid opcode, whatever this one has",
          "[translator][decode]") {
  for (const Levelled& row : kLevelled) {
    std::array<std::uint8_t, kLongestInstruction> bytes{};
    std::copy(row.bytes.begin(), row.bytes.end(), bytes.begin());
    for (const Level level : {Level::kV2, Level::kV3, Level::kV4, Level::kHost}) {
      CAPTURE(row.name, static_cast<int>(level));
      const Instruction instruction = Decode(0x1000, bytes, level);
      CHECK((instruction.flow == Flow::kUndefined) == (row.least == Level::kNone || row.least > level));
      CHECK(instruction.length > 0);
    }
  }
}

TEST_CASE("decode: no EVEX instruction is one of x86-64-v3's", "[translator][decode]") {
  std::mt19937_64 random(22);  // NOLINT: the same every time
  for (int i = 0; i < 100'000; ++i) {
    std::array<std::uint8_t, 16> bytes = RandomBytes(&random);
    bytes[0] = 0x62;
    const Instruction instruction = Decode(0x1000, {bytes.data(), kLongestInstruction}, Level::kV3);
    if (instruction.flow != Flow::kUndefined) CHECK(instruction.flow == Flow::kUndefined);
  }
}

}  // namespace
}  // namespace tally

#include "supervisor/x86/flag_makers.h"

#include <algorithm>

namespace tally {
namespace {

// Intel SDM vol. 2, appendix A: the opcode map of one byte.
bool IsWithoutModrm(const Instruction& i) {
  const auto* const end = i.bytes.begin() + i.length;
  const auto* const opcode = std::find_if(i.bytes.begin(), end, [](std::uint8_t byte) { return byte != 0x66 && (byte & 0xf0) != 0x40; });
  if (opcode == end) return false;
  switch (*opcode) {
    case 0x3c: case 0x3d: case 0xa8: case 0xa9: case 0x9e: case 0xf5: case 0xf8: case 0xf9: return true;
    default: return false;
  }
}

bool IsOfOneByte(std::uint8_t opcode, unsigned kind) {
  constexpr unsigned kCmp = 7;
  switch (opcode) {
    case 0x38: case 0x39: case 0x3a: case 0x3b: case 0x84: case 0x85: return true;
    case 0x80: case 0x81: case 0x83: return kind == kCmp;
    case 0xf6: case 0xf7: return kind < 2;  // test
    default: return false;
  }
}

// Behind 0f: bt, ucomis, comis.
bool IsOfTwoBytes(std::uint8_t opcode, unsigned kind) {
  constexpr unsigned kBt = 4;
  return opcode == 0xa3 || opcode == 0x2e || opcode == 0x2f || (opcode == 0xba && kind == kBt);
}

}  // namespace

bool OnlyMakesFlags(const Instruction& i) {
  constexpr std::uint8_t kVex2 = 0xc5, kVex3 = 0xc4, kEvex = 0x62, kEscape = 0x0f, kMap38 = 0x38, kMap3a = 0x3a;
  if (i.killed == isa::kNoFlags || i.flow != Flow::kNext) return false;
  const std::uint8_t first = i.bytes[0];
  if (first == kVex2 || first == kVex3 || first == kEvex) return false;
  if (i.modrm_at == 0) return IsWithoutModrm(i);
  const std::uint8_t opcode = i.bytes[i.modrm_at - 1U];
  const unsigned kind = i.bytes[i.modrm_at] >> 3 & 7;
  const std::uint8_t before = i.modrm_at < 2 ? 0 : i.bytes[i.modrm_at - 2U];
  if (before == kEscape) return IsOfTwoBytes(opcode, kind);
  return before != kMap38 && before != kMap3a && IsOfOneByte(opcode, kind);
}

}  // namespace tally

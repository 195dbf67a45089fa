#include "supervisor/x86/stack_depth.h"

#include <cstring>

namespace tally {
namespace {

constexpr int kWord = 8;
constexpr unsigned kRsp = 4;
constexpr std::uint8_t kRexR = 4, kRexB = 1;

// An opcode of one byte, without a prefix but REX; nothing else has the ones below.
std::optional<std::uint8_t> PlainOpcode(const Instruction& i) {
  if (i.rex != 0 && i.bytes[0] != i.rex) return std::nullopt;
  const std::uint8_t byte = i.bytes[i.rex != 0 ? 1 : 0];
  if ((byte & 0xf0) == 0x40) return std::nullopt;  // REX again
  switch (byte) {
    case 0x0f: case 0x26: case 0x2e: case 0x36: case 0x3e: case 0x62: case 0x64: case 0x65: case 0x66: case 0x67: case 0xc4: case 0xc5:
    case 0xf0: case 0xf2: case 0xf3: return std::nullopt;
    default: return byte;
  }
}

// Does one of the others leave the stack pointer alone? Their operands may be vectors: what has the number of rsp is taken for it. Those without
// ModRM are jumps, nops of two bytes, or what nobody writes here.
bool LeavesTop(const Instruction& i) {
  constexpr std::uint8_t kOperandSize = 0x66, kNop = 0x90, kEscape = 0x0f, kVex3 = 0xc4, kBlsr = 0xf3;
  if (i.modrm_at == 0) return i.flow == Flow::kConditional || (i.length == 2 && i.bytes[0] == kOperandSize && i.bytes[1] == kNop);
  const std::uint8_t opcode = i.bytes[i.modrm_at - 1U];
  const bool is_vex = i.bytes[0] == kVex3 || i.bytes[0] == 0xc5 || i.bytes[0] == 0x62;
  if (i.bytes[0] == kVex3 && opcode == kBlsr) return false;  // and its like: the register they write is not in ModRM
  if (!is_vex && (i.modrm_at < 2 || (i.bytes[i.modrm_at - 2U] != kEscape && (i.modrm_at < 3 || i.bytes[i.modrm_at - 3U] != kEscape)))) return false;
  const std::uint8_t modrm = i.bytes[i.modrm_at];
  return (modrm >> 3 & 7) != kRsp && !(modrm >> 6 == 3 && (modrm & 7) == kRsp);
}

// Of a memory operand that begins with rsp: is it there, or behind it, that the return address lies?
bool ReachesReturn(const Instruction& i, int depth) {
  const std::uint8_t modrm = i.bytes[i.modrm_at], mod = modrm >> 6;
  if (mod == 3 || (modrm & 7) != kRsp || (i.bytes[i.modrm_at + 1U] & 7) != kRsp) return false;
  std::int32_t displacement = 0;
  if (mod == 1) displacement = static_cast<std::int8_t>(i.bytes[i.modrm_at + 2U]);
  if (mod == 2) std::memcpy(&displacement, &i.bytes[i.modrm_at + 2U], sizeof displacement);
  const bool has_index = (i.bytes[i.modrm_at + 1U] >> 3 & 7) != kRsp || (i.rex & 2) != 0;
  return !has_index && displacement > depth - kWord && displacement < depth + kWord;
}

// sub or add of an immediate.
std::optional<int> MovedBy(const Instruction& i, std::uint8_t opcode) {
  const unsigned kind = i.bytes[i.modrm_at] >> 3 & 7;
  std::int32_t value = static_cast<std::int8_t>(i.bytes[i.length - 1U]);
  if (opcode == 0x81) std::memcpy(&value, &i.bytes[i.length - 4U], sizeof value);
  constexpr unsigned kAdd = 0, kSub = 5;
  if ((i.rex & 8) == 0 || (kind != kAdd && kind != kSub) || value < -0x10000 || value > 0x10000) return std::nullopt;
  return kind == kSub ? value : -value;
}

// Of those with ModRM: does it write its register operand, where that is rsp? All that is not known does.
bool WritesRegister(std::uint8_t opcode) {
  const bool is_arithmetic = opcode < 0x40;
  if (is_arithmetic) return (opcode & 2) != 0 && (opcode & 0x38) != 0x38;  // cmp
  switch (opcode) {
    case 0x84: case 0x85: case 0x88: case 0x89: return false;  // test, mov to r/m
    case 0x80: case 0x81: case 0x83: case 0xc0: case 0xc1: case 0xc6: case 0xc7: case 0xd0: case 0xd1: case 0xd2: case 0xd3:
    case 0xf6: case 0xf7: case 0xfe: case 0xff: return false;  // no register there
    default: return true;
  }
}

}  // namespace

std::optional<int> StackDepthBehind(const Instruction& i, int depth) {
  if (i.flow == Flow::kReturn) return depth == 0 ? std::optional(0) : std::nullopt;
  if (i.modrm_at != 0 && ReachesReturn(i, depth)) return std::nullopt;
  const std::optional<std::uint8_t> plain = PlainOpcode(i);
  if (!plain) return LeavesTop(i) ? std::optional(depth) : std::nullopt;
  const std::uint8_t opcode = *plain;
  if (opcode >= 0x50 && opcode <= 0x57) return depth + kWord;
  if (opcode >= 0x58 && opcode <= 0x5f) {
    const bool into_rsp = opcode == 0x5c && (i.rex & kRexB) == 0;
    return into_rsp || depth < kWord ? std::nullopt : std::optional(depth - kWord);
  }
  switch (opcode) {
    case 0x68: case 0x6a: return depth + kWord;  // push
    case 0xc9: return depth < kWord ? std::nullopt : std::optional(0);  // leave
    case 0x8f: case 0x9c: case 0x9d: case 0xc8: case 0x94: case 0xb4: case 0xbc: return std::nullopt;  // pop to memory, pushf, popf, enter, xchg, mov of immediates
    default: break;
  }
  if (i.modrm_at == 0) return depth;
  const std::uint8_t modrm = i.bytes[i.modrm_at];
  const bool names_rsp = modrm >> 6 == 3 && (modrm & 7) == kRsp && (i.rex & kRexB) == 0;
  if (names_rsp && (opcode == 0x83 || opcode == 0x81)) {
    const std::optional<int> by = MovedBy(i, opcode);
    return !by || depth + *by < 0 ? std::nullopt : std::optional(depth + *by);
  }
  const bool reads = opcode == 0x8b || (opcode < 0x40 && (opcode & 2) != 0);  // mov, arithmetic from r/m
  if (names_rsp && !reads) return std::nullopt;
  if ((modrm >> 3 & 7) == kRsp && (i.rex & kRexR) == 0 && WritesRegister(opcode)) return std::nullopt;
  constexpr std::uint8_t kGroup5 = 0xff, kPush = 6;
  return opcode == kGroup5 && (modrm >> 3 & 7) == kPush ? depth + kWord : depth;
}

}  // namespace tally

#include "supervisor/translator/emit/state_access.h"

#include <cstring>

namespace tally {
namespace {

constexpr unsigned kEax = 0;

// One byte of opcode, and in front of it nothing but REX.
bool IsPlain(const Instruction& i, std::uint8_t opcode) {
  return i.modrm_at == (i.rex != 0 ? 2 : 1) && i.bytes[i.modrm_at - 1U] == opcode;
}

}  // namespace

std::optional<std::uint32_t> VectorMask(std::span<const Instruction> before, const Instruction& access) {
  constexpr std::uint32_t kVectors = 0xfe;
  for (std::size_t n = before.size(); access.takes_state_mask && n-- > 0;) {
    const Instruction& i = before[n];
    if (i.length == 5 && i.bytes[0] == 0xb8) {
      std::uint32_t mask = 0;
      std::memcpy(&mask, i.bytes.data() + 1, sizeof mask);
      return (mask & ~kVectors) == 0 ? std::optional(mask) : std::nullopt;
    }
    const std::uint8_t modrm = i.bytes[i.modrm_at];
    const bool stores = IsPlain(i, 0x89) && modrm < 0xc0;
    const bool clears_other = IsPlain(i, 0x31) && modrm >= 0xc0 && (modrm & 7) != kEax;
    if (!stores && !clears_other) return std::nullopt;
  }
  return std::nullopt;
}

bool CanForgetPointersBehind(const Instruction& i) {
  constexpr std::uint8_t kFxsave = 0xae;
  if (i.modrm_at < 2 || i.bytes[i.modrm_at - 1U] != kFxsave || i.fs || i.gs || i.address32 || i.rip_displacement_at != 0) return false;
  const std::uint8_t modrm = i.bytes[i.modrm_at], mod = modrm >> 6, sib = i.bytes[i.modrm_at + 1U];
  const bool has_base = mod != 0 || (modrm & 7) != 4 || (sib & 7) != 5;
  return mod != 3 && (modrm >> 3 & 7) == 0 && has_base;
}

}  // namespace tally

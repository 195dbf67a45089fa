// What the translator must know of an opcode, and nothing else: which processors have it, how many bytes belong to it and
// what it does to the flags. The build reads it off Zydis for every opcode (table_compiler.cc); at run time only tables are left, because
// a decoder's full answer is far more than the translation needs, and our executables are static while Debian's Zydis
// is not.
#pragma once

#include <cstddef>
#include <cstdint>

namespace tally::isa {

// The six status flags, one bit each (Intel SDM vol. 1, 3.4.3.1).
using Flags = std::uint8_t;
inline constexpr Flags kCarry = 1, kParity = 2, kAdjust = 4, kZero = 8, kSign = 16, kOverflow = 32;
inline constexpr Flags kNoFlags = 0, kAllFlags = 63;

// The least of the virtual CPU's models that has an opcode (docs/virtual-cpu.md). A program that runs on one of them finds
// every other opcode invalid, also where the real processor has it: so it does the same everywhere.
enum class Level : std::uint8_t {
  kV2,    // x86-64-v2
  kV3,    // x86-64-v3
  kV4,    // x86-64-v4
  kHost,  // none of them; the processor below may
  kNone,  // Zydis does not know it: where it ends nobody knows
};

struct Shape {
  Level level = Level::kNone;
  bool has_modrm = false;
  std::uint8_t immediate = 0;  // bytes behind ModRM, SIB and displacement
  Flags read = 0;
  Flags killed = 0;  // written whatever the operands are: what was in them before cannot be seen any more
  bool operator==(const Shape&) const = default;
};

// How an opcode is told: by map, byte, and the things an encoding can vary. One row of the tables is one opcode.
enum class Encoding : std::uint8_t { kLegacy, kVex, kEvex };

inline constexpr std::size_t kLegacyMaps = 4;  // one byte, 0f, 0f 38, 0f 3a
inline constexpr std::size_t kVexMaps = 4;     // by number; 0 is not used
inline constexpr std::size_t kEvexMaps = 8;

// Legacy prefixes that choose among instructions: none, 66, f3, f2, 66 f3, 66 f2. VEX and EVEX: pp, in 0..3.
inline constexpr std::size_t kPrefixes = 6;
inline constexpr std::size_t kModrmClasses = 16;  // ModRM.reg, and whether mod is 3
inline constexpr std::size_t kLengths = 4;        // VEX.L, EVEX.L'L

constexpr std::size_t ModrmClass(std::uint8_t modrm) {
  return static_cast<std::size_t>((modrm >> 3 & 7) | (modrm >= 0xc0 ? 8 : 0));
}

inline constexpr std::size_t kLegacyRow = kPrefixes * 2 * kModrmClasses;
constexpr std::size_t LegacyColumn(std::size_t prefix, bool wide, std::size_t modrm_class) {
  return (prefix * 2 + (wide ? 1 : 0)) * kModrmClasses + modrm_class;
}

inline constexpr std::size_t kVectorRow = 4 * 2 * kLengths * kModrmClasses;
constexpr std::size_t VectorColumn(std::size_t pp, bool wide, std::size_t length, std::size_t modrm_class) {
  return ((pp * 2 + (wide ? 1 : 0)) * kLengths + length) * kModrmClasses + modrm_class;
}

}  // namespace tally::isa

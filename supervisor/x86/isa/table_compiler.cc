// Build-time tool: asks Zydis about every opcode in every variation shape.h names, and prints the answers as C++
// tables (isa_tables.inc). Rows that are equal are printed once: most opcodes do not care for most variations.
#include <Zydis/Zydis.h>

#include <array>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <optional>
#include <vector>

#include "supervisor/x86/isa/shape.h"

namespace {

using namespace tally::isa;
using Bytes = std::vector<std::uint8_t>;
using Row = std::vector<std::uint8_t>;  // indices of shapes

ZydisDecoder decoder;

Flags FromZydis(std::uint32_t mask) {
  Flags out = 0;
  if (mask & ZYDIS_CPUFLAG_CF) out |= kCarry;
  if (mask & ZYDIS_CPUFLAG_PF) out |= kParity;
  if (mask & ZYDIS_CPUFLAG_AF) out |= kAdjust;
  if (mask & ZYDIS_CPUFLAG_ZF) out |= kZero;
  if (mask & ZYDIS_CPUFLAG_SF) out |= kSign;
  if (mask & ZYDIS_CPUFLAG_OF) out |= kOverflow;
  return out;
}

// Zydis counts a flag as modified that is left alone when a count is 0: shifts by CL, and repeated comparisons. Of
// shifts by a constant the decoder itself looks at the constant (decode.cc).
bool MayLeaveFlagsAlone(const ZydisDecodedInstruction& z) {
  if (z.encoding != ZYDIS_INSTRUCTION_ENCODING_LEGACY) return false;
  if (z.opcode_map == ZYDIS_OPCODE_MAP_DEFAULT) {
    if (z.opcode == 0xd2 || z.opcode == 0xd3) return true;
    return (z.attributes & (ZYDIS_ATTRIB_HAS_REP | ZYDIS_ATTRIB_HAS_REPE | ZYDIS_ATTRIB_HAS_REPNE)) != 0;
  }
  const bool double_shift = z.opcode == 0xa4 || z.opcode == 0xa5 || z.opcode == 0xac || z.opcode == 0xad;
  return z.opcode_map == ZYDIS_OPCODE_MAP_0F && double_shift;
}

void ReadFlags(const ZydisDecodedInstruction& z, Shape* shape) {
  if (z.cpu_flags == nullptr) return;
  const auto& f = *z.cpu_flags;
  shape->read = FromZydis(f.tested);
  shape->killed = FromZydis(f.modified | f.set_0 | f.set_1 | f.undefined);
  if (MayLeaveFlagsAlone(z)) shape->killed = 0;
  // The others stay as they were on AMD's processors, and are documented as undefined on Intel's.
  if (z.mnemonic == ZYDIS_MNEMONIC_BSF || z.mnemonic == ZYDIS_MNEMONIC_BSR) shape->killed = kZero;
  // The kernel puts all of them into r11.
  if (z.mnemonic == ZYDIS_MNEMONIC_SYSCALL) {
    shape->read = kAllFlags;
    shape->killed = 0;
  }
}

// What a program may execute and what reads the machine's own tables, by which it would tell one from another (a kernel
// keeps its own with UMIP, or not).
bool ReadsHostTables(ZydisMnemonic mnemonic) {
  switch (mnemonic) {
    case ZYDIS_MNEMONIC_SGDT: case ZYDIS_MNEMONIC_SIDT: case ZYDIS_MNEMONIC_SLDT: case ZYDIS_MNEMONIC_STR: case ZYDIS_MNEMONIC_SMSW:
    case ZYDIS_MNEMONIC_LAR: case ZYDIS_MNEMONIC_LSL: case ZYDIS_MNEMONIC_VERR: case ZYDIS_MNEMONIC_VERW: return true;
    default: return false;
  }
}

// Of control-flow enforcement these are no-ops where it is off, as on processors without it (Intel SDM vol. 1, 17.1.2).
bool IsNoOperation(ZydisMnemonic mnemonic) {
  return mnemonic == ZYDIS_MNEMONIC_ENDBR32 || mnemonic == ZYDIS_MNEMONIC_ENDBR64 || mnemonic == ZYDIS_MNEMONIC_RDSSPD ||
         mnemonic == ZYDIS_MNEMONIC_RDSSPQ;
}

// By instruction set, as docs/virtual-cpu.md lists them. Those that the virtual CPU answers itself (rdrand, rdpid) are in both. rdfsbase and
// its like are in none: a kernel may forbid them, and where it does not know of them, they work and a base is lost at a switch of tasks.
Level LevelOf(const ZydisDecodedInstruction& z) {
  const bool legacy = z.encoding == ZYDIS_INSTRUCTION_ENCODING_LEGACY;
  switch (z.meta.isa_set) {
    case ZYDIS_ISA_SET_I86: case ZYDIS_ISA_SET_I186: case ZYDIS_ISA_SET_I386: case ZYDIS_ISA_SET_I486REAL:
    case ZYDIS_ISA_SET_PENTIUMREAL: case ZYDIS_ISA_SET_PENTIUMMMX: case ZYDIS_ISA_SET_PPRO: case ZYDIS_ISA_SET_CMOV:
    case ZYDIS_ISA_SET_FCMOV: case ZYDIS_ISA_SET_X87: case ZYDIS_ISA_SET_LONGMODE: case ZYDIS_ISA_SET_LAHF:
    case ZYDIS_ISA_SET_FAT_NOP: case ZYDIS_ISA_SET_PAUSE: case ZYDIS_ISA_SET_PREFETCH_NOP: case ZYDIS_ISA_SET_PREFETCHWT1:
    case ZYDIS_ISA_SET_CLDEMOTE: case ZYDIS_ISA_SET_MPX: case ZYDIS_ISA_SET_SSE: case ZYDIS_ISA_SET_SSEMXCSR:
    case ZYDIS_ISA_SET_SSE_PREFETCH: case ZYDIS_ISA_SET_SSE2: case ZYDIS_ISA_SET_SSE2MMX: case ZYDIS_ISA_SET_SSE3:
    case ZYDIS_ISA_SET_SSE3X87: case ZYDIS_ISA_SET_SSSE3: case ZYDIS_ISA_SET_SSSE3MMX: case ZYDIS_ISA_SET_SSE4:
    case ZYDIS_ISA_SET_SSE42: case ZYDIS_ISA_SET_POPCNT: case ZYDIS_ISA_SET_CMPXCHG16B: case ZYDIS_ISA_SET_CLFSH:
    case ZYDIS_ISA_SET_FXSAVE: case ZYDIS_ISA_SET_FXSAVE64: case ZYDIS_ISA_SET_RDPMC: case ZYDIS_ISA_SET_RDTSCP:
    case ZYDIS_ISA_SET_RDPID: case ZYDIS_ISA_SET_RDRAND: case ZYDIS_ISA_SET_RDSEED: return Level::kV2;
    case ZYDIS_ISA_SET_I286PROTECTED:
    case ZYDIS_ISA_SET_I286REAL: return ReadsHostTables(z.mnemonic) ? Level::kHost : Level::kV2;
    case ZYDIS_ISA_SET_CET: return IsNoOperation(z.mnemonic) ? Level::kV2 : Level::kHost;
    // As bsr and bsf with a prefix that means nothing older processors know them, too; compilers count on it for tzcnt.
    case ZYDIS_ISA_SET_LZCNT: return Level::kV2;
    case ZYDIS_ISA_SET_BMI1: return legacy ? Level::kV2 : Level::kV3;
    case ZYDIS_ISA_SET_AVX: case ZYDIS_ISA_SET_AVX2: case ZYDIS_ISA_SET_AVX2GATHER: case ZYDIS_ISA_SET_FMA:
    case ZYDIS_ISA_SET_F16C: case ZYDIS_ISA_SET_BMI2: case ZYDIS_ISA_SET_MOVBE: case ZYDIS_ISA_SET_AES: case ZYDIS_ISA_SET_AVXAES:
    case ZYDIS_ISA_SET_PCLMULQDQ: case ZYDIS_ISA_SET_XSAVE: case ZYDIS_ISA_SET_XSAVEOPT: return Level::kV3;
    case ZYDIS_ISA_SET_AVX512F_128: case ZYDIS_ISA_SET_AVX512F_128N: case ZYDIS_ISA_SET_AVX512F_256: case ZYDIS_ISA_SET_AVX512F_512:
    case ZYDIS_ISA_SET_AVX512F_KOP: case ZYDIS_ISA_SET_AVX512F_SCALAR: case ZYDIS_ISA_SET_AVX512BW_128: case ZYDIS_ISA_SET_AVX512BW_128N:
    case ZYDIS_ISA_SET_AVX512BW_256: case ZYDIS_ISA_SET_AVX512BW_512: case ZYDIS_ISA_SET_AVX512BW_KOP: case ZYDIS_ISA_SET_AVX512CD_128:
    case ZYDIS_ISA_SET_AVX512CD_256: case ZYDIS_ISA_SET_AVX512CD_512: case ZYDIS_ISA_SET_AVX512DQ_128: case ZYDIS_ISA_SET_AVX512DQ_128N:
    case ZYDIS_ISA_SET_AVX512DQ_256: case ZYDIS_ISA_SET_AVX512DQ_512: case ZYDIS_ISA_SET_AVX512DQ_KOP:
    case ZYDIS_ISA_SET_AVX512DQ_SCALAR: return Level::kV4;
    case ZYDIS_ISA_SET_KNCE: case ZYDIS_ISA_SET_KNCJKBR: case ZYDIS_ISA_SET_KNCSTREAM: case ZYDIS_ISA_SET_KNCV:
    case ZYDIS_ISA_SET_KNC_MISC: case ZYDIS_ISA_SET_KNC_PF_HINT: return Level::kNone;  // Xeon Phi's first generation alone
    default: return Level::kHost;
  }
}

constexpr ZydisInstructionEncoding EncodingOf(std::uint8_t first) {
  if (first == 0xc4) return ZYDIS_INSTRUCTION_ENCODING_VEX;
  return first == 0x62 ? ZYDIS_INSTRUCTION_ENCODING_EVEX : ZYDIS_INSTRUCTION_ENCODING_LEGACY;
}

// `code` ends with the opcode, or with ModRM and SIB.
std::optional<Shape> Ask(Bytes code, bool with_modrm) {
  const std::size_t before_immediate = code.size();
  code.resize(code.size() + 12);
  ZydisDecodedInstruction z;
  if (!ZYAN_SUCCESS(ZydisDecoderDecodeInstruction(&decoder, nullptr, code.data(), code.size(), &z))) return std::nullopt;
  const bool has_modrm = (z.attributes & ZYDIS_ATTRIB_HAS_MODRM) != 0;
  if (has_modrm != with_modrm || z.length < before_immediate || z.encoding != EncodingOf(code.front())) return std::nullopt;
  Shape shape{.level = LevelOf(z), .has_modrm = has_modrm};
  if (shape.level == Level::kNone) return std::nullopt;
  shape.immediate = static_cast<std::uint8_t>(z.length - before_immediate);
  ReadFlags(z, &shape);
  return shape;
}

// Any operand will do, but some instructions want a SIB byte (gather), some an rm of their own (x87, 0f 01).
Shape AskWithModrm(const Bytes& opcode, std::size_t modrm_class) {
  for (std::uint8_t rm = 0; rm < 8; ++rm) {
    const auto modrm = static_cast<std::uint8_t>((modrm_class & 7) << 3 | rm | (modrm_class >= 8 ? 0xc0 : 0));
    if (modrm_class < 8 && rm == 5) continue;  // has a displacement
    Bytes code = opcode;
    code.push_back(modrm);
    if (modrm_class < 8 && rm == 4) code.push_back(0x08);  // [rax + rcx]
    if (const auto shape = Ask(code, true)) return *shape;
  }
  return {};
}

Shape AskOpcode(const std::vector<Bytes>& spellings, std::size_t modrm_class) {
  for (const Bytes& opcode : spellings) {
    if (const auto shape = Ask(opcode, false)) return *shape;
    if (const Shape shape = AskWithModrm(opcode, modrm_class); shape.level != Level::kNone) return shape;
  }
  return {};
}

std::vector<Bytes> SpellLegacy(std::size_t map, std::uint8_t opcode, std::size_t prefix, bool wide) {
  static const std::array<Bytes, kPrefixes> prefixes{{{}, {0x66}, {0xf3}, {0xf2}, {0x66, 0xf3}, {0x66, 0xf2}}};
  static const std::array<Bytes, kLegacyMaps> escapes{{{}, {0x0f}, {0x0f, 0x38}, {0x0f, 0x3a}}};
  Bytes code = prefixes[prefix];
  if (wide) code.push_back(0x48);
  code.insert(code.end(), escapes[map].begin(), escapes[map].end());
  code.push_back(opcode);
  return {code};
}

// The register in vvvv is used by some, and must be 1111 for others.
std::vector<Bytes> SpellVex(std::size_t map, std::uint8_t opcode, std::size_t pp, bool wide, std::size_t length) {
  std::vector<Bytes> out;
  for (const unsigned vvvv : {15u, 13u}) {
    out.push_back({0xc4, static_cast<std::uint8_t>(0xe0 | map),
                   static_cast<std::uint8_t>((wide ? 0x80 : 0) | vvvv << 3 | (length & 1) << 2 | pp), opcode});
  }
  return out;
}

std::vector<Bytes> SpellEvex(std::size_t map, std::uint8_t opcode, std::size_t pp, bool wide, std::size_t length) {
  std::vector<Bytes> out;
  for (const unsigned mask : {0u, 1u}) {  // gathers want a mask
    for (const unsigned vvvv : {15u, 13u}) {
      for (const unsigned broadcast : {0u, 0x10u}) {  // rounding takes the length's place
        out.push_back({0x62, static_cast<std::uint8_t>(0xf0 | map),
                       static_cast<std::uint8_t>((wide ? 0x80 : 0) | vvvv << 3 | 4 | pp),
                       static_cast<std::uint8_t>(length << 5 | broadcast | 8 | mask), opcode});
      }
    }
  }
  return out;
}

// Numbers shapes and rows as they are met.
class Tables {
 public:
  std::uint8_t ShapeIndex(const Shape& shape) {
    for (std::size_t i = 0; i < shapes_.size(); ++i) {
      if (shapes_[i] == shape) return static_cast<std::uint8_t>(i);
    }
    shapes_.push_back(shape);
    if (shapes_.size() > 256) std::abort();
    return static_cast<std::uint8_t>(shapes_.size() - 1);
  }

  void PrintShapes() const {
    std::printf("constexpr Shape kShapes[] = {");
    for (const Shape& s : shapes_) {
      std::printf("{Level(%d),%d,%d,%d,%d},", static_cast<int>(s.level), s.has_modrm, s.immediate, s.read, s.killed);
    }
    std::printf("};\n");
  }

 private:
  std::vector<Shape> shapes_;
};

class RowTable {
 public:
  void Add(const Row& row) {
    const auto [found, is_new] = numbers_.try_emplace(row, rows_.size());
    if (is_new) rows_.push_back(row);
    of_opcode_.push_back(found->second);
  }
  void Print(const char* name) const {
    std::printf("constexpr std::uint16_t k%sRowOf[] = {", name);
    for (const std::size_t row : of_opcode_) std::printf("%zu,", row);
    std::printf("};\nconstexpr std::uint8_t k%sRows[][%zu] = {", name, rows_.front().size());
    for (const Row& row : rows_) {
      std::printf("{");
      for (const std::uint8_t shape : row) std::printf("%d,", shape);
      std::printf("},\n");
    }
    std::printf("};\n");
  }

 private:
  std::map<Row, std::size_t> numbers_;
  std::vector<Row> rows_;
  std::vector<std::size_t> of_opcode_;
};

RowTable AskAllLegacy(Tables* tables) {
  RowTable out;
  for (std::size_t map = 0; map < kLegacyMaps; ++map) {
    for (unsigned opcode = 0; opcode < 256; ++opcode) {
      Row row(kLegacyRow);
      for (std::size_t column = 0; column < kLegacyRow; ++column) {
        const std::size_t modrm_class = column % kModrmClasses;
        const bool wide = (column / kModrmClasses & 1) != 0;
        const std::size_t prefix = column / kModrmClasses / 2;
        const auto spellings = SpellLegacy(map, static_cast<std::uint8_t>(opcode), prefix, wide);
        row[column] = tables->ShapeIndex(AskOpcode(spellings, modrm_class));
      }
      out.Add(row);
    }
  }
  return out;
}

template <typename Spell>
RowTable AskAllVector(Tables* tables, std::size_t maps, Spell spell) {
  RowTable out;
  for (std::size_t map = 0; map < maps; ++map) {
    for (unsigned opcode = 0; opcode < 256; ++opcode) {
      Row row(kVectorRow);
      for (std::size_t column = 0; column < kVectorRow; ++column) {
        const std::size_t modrm_class = column % kModrmClasses;
        const std::size_t length = column / kModrmClasses % kLengths;
        const bool wide = (column / kModrmClasses / kLengths & 1) != 0;
        const std::size_t pp = column / kModrmClasses / kLengths / 2;
        const auto spellings = spell(map, static_cast<std::uint8_t>(opcode), pp, wide, length);
        row[column] = tables->ShapeIndex(AskOpcode(spellings, modrm_class));
      }
      out.Add(row);
    }
  }
  return out;
}

}  // namespace

int main() {
  ZydisDecoderInit(&decoder, ZYDIS_MACHINE_MODE_LONG_64, ZYDIS_STACK_WIDTH_64);
  Tables tables;
  const RowTable legacy = AskAllLegacy(&tables);
  const RowTable vex = AskAllVector(&tables, kVexMaps, SpellVex);
  const RowTable evex = AskAllVector(&tables, kEvexMaps, SpellEvex);
  std::printf("// Made by table_compiler from Zydis. Do not edit.\n");
  tables.PrintShapes();
  legacy.Print("Legacy");
  vex.Print("Vex");
  evex.Print("Evex");
  return 0;
}

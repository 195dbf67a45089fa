// Theory of operation. An instruction is prefixes, an opcode in one of a few maps, ModRM with SIB and displacement,
// and an immediate (Intel SDM vol. 2, chapter 2). The walk over prefixes and ModRM is the same for all and is done
// here; whether there is a ModRM, how long the immediate is and what happens to the flags comes from the table, by
// opcode and the few things that change it.
//
// A start decodes some ten thousand instructions. What is written in small pieces and read again in a larger one costs a dozen cycles each time
// (Intel's optimization manual, 3.6.4: store forwarding), so bytes are read where they stand, an opcode's fields are words, which
// stay in registers, and the result is made where the caller has it.
#include "supervisor/x86/decode.h"

#include <algorithm>
#include <array>
#include <cstring>

namespace tally {
namespace {

using isa::Level;
using isa::Shape;

#include "supervisor/x86/isa/isa_tables.inc"

struct Prefixes {
  bool operand_size = false;
  bool address_size = false;
  bool rep = false;
  bool repne = false;
  bool lock = false;
  bool gs = false;
  bool fs = false;
};

// As far as a reader can get, whatever the bytes are.
constexpr std::size_t kReadable = 32;

class Reader {
 public:
  explicit Reader(const std::uint8_t* bytes) : bytes_(bytes) {}
  std::uint8_t Next() { return bytes_[at_++]; }
  [[nodiscard]] std::uint8_t Peek() const { return bytes_[at_]; }
  void Skip(std::size_t n) { at_ += n; }
  [[nodiscard]] std::uint8_t at() const { return static_cast<std::uint8_t>(at_); }

 private:
  const std::uint8_t* bytes_;
  std::size_t at_ = 0;
};

constexpr auto kIsPrefix = [] {
  std::array<bool, 256> is{};
  for (const std::uint8_t byte : {0x66, 0x67, 0xf3, 0xf2, 0xf0, 0x65, 0x64, 0x2e, 0x36, 0x3e, 0x26}) is[byte] = true;
  return is;
}();

void TakePrefix(std::uint8_t byte, Prefixes* p) {
  switch (byte) {
    case 0x66: p->operand_size = true; return;
    case 0x67: p->address_size = true; return;
    case 0xf3: p->rep = true; p->repne = false; return;
    case 0xf2: p->repne = true; p->rep = false; return;
    case 0xf0: p->lock = true; return;
    case 0x65: p->gs = true; p->fs = false; return;
    case 0x64: p->fs = true; p->gs = false; return;
    default: return;  // the other segments have no meaning in 64-bit mode
  }
}

unsigned LegacyPrefixColumn(const Prefixes& p) {
  if (p.rep) return p.operand_size ? 4 : 2;
  if (p.repne) return p.operand_size ? 5 : 3;
  return p.operand_size ? 1 : 0;
}

// Where in which table an opcode stands; the ModRM class is not known yet.
struct Opcode {
  isa::Encoding encoding = isa::Encoding::kLegacy;
  unsigned map = 0;
  unsigned byte = 0;
  unsigned prefix = 0;  // legacy: LegacyPrefixColumn; VEX, EVEX: pp
  bool wide = false;
  unsigned length = 0;
  // Registers from the eighth on: the low bits of REX, and the source register that only VEX and EVEX name.
  unsigned extensions = 0;
  unsigned source = 0;
};
constexpr unsigned kRexR = 4;
constexpr unsigned kRexX = 2;
constexpr unsigned kRexB = 1;

// Their bits are inverted there (Intel SDM vol. 2, 2.3.5).
unsigned InvertedExtensions(unsigned byte) { return ~byte >> 5 & 7; }
unsigned InvertedSource(unsigned byte) { return ~byte >> 3 & 15; }

Shape Look(const Opcode& o, std::size_t modrm_class) {
  const std::size_t opcode = o.map * 256u + o.byte;
  switch (o.encoding) {
    case isa::Encoding::kLegacy:
      return kShapes[kLegacyRows[kLegacyRowOf[opcode]][isa::LegacyColumn(o.prefix, o.wide, modrm_class)]];
    case isa::Encoding::kVex:
      return kShapes[kVexRows[kVexRowOf[opcode]][isa::VectorColumn(o.prefix, o.wide, o.length, modrm_class)]];
    case isa::Encoding::kEvex:
      return kShapes[kEvexRows[kEvexRowOf[opcode]][isa::VectorColumn(o.prefix, o.wide, o.length, modrm_class)]];
  }
  return {};
}

Opcode ReadVex(std::uint8_t escape, Reader* in) {
  Opcode o{.encoding = isa::Encoding::kVex};
  const std::uint8_t first = in->Next();
  if (escape == 0xc5) {
    o.map = 1;
    o.prefix = first & 3;
    o.length = first >> 2 & 1;
    o.extensions = InvertedExtensions(first) & kRexR;
    o.source = InvertedSource(first);
  } else {
    const std::uint8_t second = in->Next();
    o.map = first & 0x1f;
    o.wide = (second & 0x80) != 0;
    o.prefix = second & 3;
    o.length = second >> 2 & 1;
    o.extensions = InvertedExtensions(first);
    o.source = InvertedSource(second);
  }
  o.byte = in->Next();
  return o;
}

Opcode ReadEvex(Reader* in) {
  Opcode o{.encoding = isa::Encoding::kEvex};
  const std::uint8_t first = in->Next();
  o.map = first & 7;
  o.extensions = InvertedExtensions(first);
  const std::uint8_t second = in->Next();
  o.source = InvertedSource(second);
  o.wide = (second & 0x80) != 0;
  o.prefix = second & 3;
  o.length = in->Next() >> 5 & 3;
  o.byte = in->Next();
  return o;
}

Opcode ReadLegacy(std::uint8_t byte, const Prefixes& prefixes, std::uint8_t rex, Reader* in) {
  Opcode o{.byte = byte, .prefix = LegacyPrefixColumn(prefixes), .wide = (rex & 8) != 0, .extensions = rex};
  if (byte != 0x0f) return o;
  o.map = 1;
  o.byte = in->Next();
  if (o.byte == 0x38 || o.byte == 0x3a) {
    o.map = o.byte == 0x38 ? 2 : 3;
    o.byte = in->Next();
  }
  return o;
}

// Where four bits of an instruction name a register they may name r11: any field that holds 11 counts, also where it
// chooses among vector registers.
constexpr unsigned kR11 = 11;

bool NamesR11(const Opcode& o, std::size_t modrm_at, const std::uint8_t* bytes) {
  if (o.source == kR11) return true;
  const auto is = [&](unsigned extended, unsigned low) { return (o.extensions & extended) != 0 && (low & 7) == (kR11 & 7); };
  if (modrm_at == 0) return is(kRexB, o.byte);
  const unsigned modrm = bytes[modrm_at];
  if (is(kRexR, modrm >> 3)) return true;
  if (modrm >= 0xc0 || (modrm & 7) != 4) return is(kRexB, modrm);
  const unsigned sib = bytes[modrm_at + 1U];
  return is(kRexB, sib) || is(kRexX, sib >> 3);
}

// SIB and displacement behind a ModRM byte (Intel SDM vol. 2, table 2-2).
void SkipOperand(std::uint8_t modrm, Reader* in, Instruction* out) {
  const unsigned mod = modrm >> 6;
  const unsigned rm = modrm & 7;
  if (mod == 3) return;
  unsigned base = rm;
  if (rm == 4) base = in->Next() & 7;
  if (mod == 1) {
    in->Skip(1);
  } else if (mod == 2) {
    in->Skip(4);
  } else if (base == 5) {
    if (rm == 5) out->rip_displacement_at = in->at();
    in->Skip(4);
  }
}

std::int64_t SignedImmediate(const Instruction& i, std::size_t size) {
  const std::uint8_t* const at = i.bytes.data() + i.length - size;
  if (size == 1) return static_cast<std::int8_t>(*at);
  std::int32_t value = 0;
  std::memcpy(&value, at, sizeof value);
  return value;
}

constexpr unsigned kGs = 5;  // among segment registers

void DirectTo(Flow flow, std::size_t immediate, Instruction* out) {
  out->flow = flow;
  out->near = immediate == 4;
}

// A near branch with a 66 prefix is 16 bits wide on some processors and 64 on others. REX.W outweighs the prefix; so
// the compiler's calls of __tls_get_addr are padded.
bool IsNarrow(const Prefixes& p, const Instruction& i) { return p.operand_size && (i.rex & 8) == 0; }

// A program may call breakpoint, overflow and the kernel's 32-bit entry (arch/x86/kernel/idt.c); every other interrupt is a
// general protection fault, as hlt is.
void FaultEverywhere(Instruction* i) {
  std::uint8_t* const number = i->bytes.data() + i->length - 1;
  if (*number == 3 || *number == 4 || *number == 0x80) return;
  number[-1] = 0xf4;  // hlt
  number[0] = 0x90;
}

// xsaveopt leaves out what was not modified since it was loaded, which a switch between tasks of the machine changes (Intel SDM vol. 1,
// 13.9). xsave does all that it may do.
void SaveAll(Instruction* i) {
  constexpr std::uint8_t kReg = 7 << 3, kXsave = 4 << 3;
  std::uint8_t& modrm = i->bytes[i->modrm_at];
  modrm = static_cast<std::uint8_t>((modrm & ~kReg) | kXsave);
}

// What ClassifyOneByte has something to say about.
constexpr auto kIsClassified = [] {
  std::array<bool, 256> is{};
  for (unsigned op = 0x70; op <= 0x7f; ++op) is[op] = true;
  for (unsigned op = 0xe0; op <= 0xe3; ++op) is[op] = true;
  for (const std::uint8_t op : {0x8c, 0x8e, 0xc0, 0xc1, 0xc2, 0xc3, 0xc6, 0xc7, 0xca, 0xcb, 0xcc, 0xcd, 0xcf, 0xd9, 0xdd, 0xe8, 0xe9, 0xeb, 0xf1, 0xf4, 0xff}) is[op] = true;
  return is;
}();

void ClassifyOneByte(const Opcode& o, const Prefixes& p, std::uint8_t modrm, std::size_t immediate, Instruction* out) {
  const unsigned reg = modrm >> 3 & 7;
  const unsigned op = o.byte;
  if (op >= 0x70 && op <= 0x7f) {
    out->condition = op & 15;
    DirectTo(Flow::kConditional, 1, out);
  } else if (op == 0xeb || op == 0xe9) {
    DirectTo(Flow::kJump, immediate, out);
  } else if (op == 0xe8) {
    DirectTo(Flow::kCall, 4, out);
  } else if (op >= 0xe0 && op <= 0xe3) {
    DirectTo(Flow::kLoop, 1, out);
  } else if (op == 0xc3) {
    out->flow = Flow::kReturn;
  } else if (op == 0xc2) {
    out->flow = Flow::kReturnPop;
  } else if (op == 0xff && (reg == 2 || reg == 4)) {
    out->flow = IsNarrow(p, *out) ? Flow::kRefused : reg == 2 ? Flow::kIndirectCall : Flow::kIndirectJump;
  } else if (op == 0xcc || op == 0xcd || op == 0xf1 || op == 0xf4) {  // int3, int, int1, hlt
    out->flow = Flow::kFault;
    if (op == 0xcd) FaultEverywhere(out);
  } else if ((op == 0xff && (reg == 3 || reg == 5)) ||           // far
             op == 0xca || op == 0xcb || op == 0xcf ||           // far returns, iret
             ((op == 0x8c || op == 0x8e) && reg == kGs)) {       // mov from and to gs
    out->flow = Flow::kSingleStep;
  } else if ((op == 0xd9 || op == 0xdd) && modrm < 0xc0 && reg == 6) {  // fnstenv, fnsave
    out->flow = Flow::kSavesX87;
    out->saves_x87 = true;
  } else if ((op == 0xc6 || op == 0xc7) && modrm == 0xf8) {  // xabort, xbegin
    out->flow = Flow::kUndefined;
  }
  const bool is_branch = out->flow == Flow::kConditional || out->flow == Flow::kJump || out->flow == Flow::kCall ||
                         out->flow == Flow::kLoop || out->flow == Flow::kReturn || out->flow == Flow::kReturnPop;
  if (is_branch && IsNarrow(p, *out)) out->flow = Flow::kRefused;
  // A shift by a constant 0 leaves the flags alone; the processor takes the count modulo 32 or 64.
  if ((op == 0xc0 || op == 0xc1) && (SignedImmediate(*out, 1) & 31) == 0) out->killed = isa::kNoFlags;
}

// Many instructions address memory that no operand of theirs names; a jump does so only by its operand.
bool MayAddressMemory(Flow flow, std::uint8_t modrm) {
  return flow == Flow::kNext || ((flow == Flow::kIndirectJump || flow == Flow::kIndirectCall) && modrm < 0xc0);
}

// Only what is common and plain: registers and constants.
bool CannotFault(const Opcode& o, bool has_modrm, std::uint8_t modrm) {
  const unsigned op = o.byte;
  const bool registers = modrm >= 0xc0;
  if (o.map == 1) {
    const bool moves_or_sets = (op >= 0x40 && op <= 0x4f) || (op >= 0x90 && op <= 0x9f);
    const bool extends = op == 0xb6 || op == 0xb7 || op == 0xbe || op == 0xbf || op == 0xaf;
    return (op >= 0x80 && op <= 0x8f) || (op >= 0xc8 && op <= 0xcf) || op == 0x1f || (registers && (moves_or_sets || extends));
  }
  if (o.map != 0) return false;
  if (!has_modrm) {
    const bool on_accumulator = op < 0x40 && (op & 7) >= 4 && (op & 7) <= 5;
    return on_accumulator || (op >= 0x70 && op <= 0x7f) || (op >= 0x90 && op <= 0x99) || op == 0xa8 || op == 0xa9 ||
           (op >= 0xb0 && op <= 0xbf) || op == 0xe9 || op == 0xeb || (op >= 0xe0 && op <= 0xe3);
  }
  if (op == 0x8d) return true;  // lea only computes
  if (!registers || op == 0x8e) return false;
  const bool divides = (op == 0xf6 || op == 0xf7) && (modrm >> 3 & 6) == 6;
  return !divides && op != 0xff && (op < 0xd8 || op > 0xdf);
}

// 0f 01 with registers: every one is an instruction of its own (Intel SDM vol. 2, table A-6), and the tables know them by eights.
// xgetbv, xsetbv, lmsw, swapgs, rdtscp. Among the others are a call of the hypervisor and a clock that only some have.
bool IsOfVirtualCpu(std::uint8_t modrm) {
  return modrm == 0xd0 || modrm == 0xd1 || (modrm & 0xf8) == 0xf0 || modrm == 0xf8 || modrm == 0xf9;
}

void ClassifyTwoByte(const Opcode& o, const Prefixes& p, std::uint8_t modrm, Instruction* out) {
  const unsigned reg = modrm >> 3 & 7;
  const bool registers = modrm >= 0xc0;
  const std::uint8_t op = o.byte;
  if (op >= 0x80 && op <= 0x8f) {
    out->condition = op & 15;
    DirectTo(IsNarrow(p, *out) ? Flow::kRefused : Flow::kConditional, 4, out);
  } else if (op == 0x05) {
    out->flow = Flow::kSystemCall;
  } else if (op == 0x0b || op == 0xb9 || op == 0xff || (op >= 0x20 && op <= 0x23)) {  // ud2, ud1, ud0, mov cr, mov dr
    out->flow = Flow::kFault;
  } else if (op == 0xa2 || op == 0x31 ||                            // cpuid, rdtsc
             (op == 0x01 && (modrm == 0xd0 || modrm == 0xf9)) ||    // xgetbv, rdtscp
             (op == 0xc7 && registers && (reg == 6 || reg == 7))) {  // rdrand, rdseed, rdpid
    out->flow = Flow::kEmulated;
  } else if (op == 0x01 && (modrm == 0xd5 || modrm == 0xd6)) {  // xend, xtest
    out->flow = Flow::kUndefined;
  } else if (op == 0xb5 || op == 0xa8 || op == 0xa9 ||                              // lgs, push gs, pop gs
             (op == 0xae && p.rep && registers && (reg == 1 || reg == 3))) {        // rdgsbase, wrgsbase
    out->flow = Flow::kSingleStep;
  } else if (op == 0xae && !registers && (reg == 0 || reg == 4 || reg == 6)) {  // fxsave, xsave, xsaveopt
    out->flow = Flow::kSavesX87;
    out->saves_x87 = true;
    out->takes_state_mask = reg != 0;
    if (reg == 6) SaveAll(out);
  } else if (op == 0xae && !registers && reg == 5) {  // xrstor
    out->flow = Flow::kSingleStep;
    out->takes_state_mask = true;
  } else if (op == 0x34) {  // sysenter
    out->flow = Flow::kRefused;
  }
}

// The processor looks at what is left of it itself.
bool IsExecutedAsItIs(Flow flow) { return flow == Flow::kNext || flow == Flow::kFault || flow == Flow::kSingleStep; }

// Longer than an instruction may be: a general protection fault, to which as many prefixes lead whatever follows. The bytes
// that are there could be a whole instruction on a processor that takes its operand for one of 16 bits.
void BeTooLong(Instruction* out) {
  constexpr std::uint8_t kMeaningless = 0x2e;
  out->bytes.fill(kMeaningless);
  out->length = kLongestInstruction;
  out->rip_displacement_at = 0;
  out->flow = Flow::kFault;
}

}  // namespace

GuestPc Instruction::target() const { return next() + static_cast<std::uint64_t>(SignedImmediate(*this, near ? 4 : 1)); }

GuestPc Instruction::RipTarget() const {
  std::int32_t displacement = 0;
  std::memcpy(&displacement, bytes.data() + rip_displacement_at, sizeof displacement);
  return next() + static_cast<std::uint64_t>(static_cast<std::int64_t>(displacement));
}

Instruction Decode(GuestPc pc, std::span<const std::uint8_t> code, Level level) {
  Instruction out;
  out.pc = pc;
  const std::size_t available = std::min(code.size(), kLongestInstruction);
  std::array<std::uint8_t, kReadable> copy;
  const std::uint8_t* bytes = code.data();
  if (code.size() < kReadable) {
    copy.fill(0);
    std::copy_n(code.begin(), available, copy.begin());
    bytes = copy.data();
  }
  std::memcpy(out.bytes.data(), bytes, kLongestInstruction);

  Reader in(bytes);
  Prefixes prefixes;
  std::uint8_t byte = in.Next();
  for (; in.at() <= available; byte = in.Next()) {
    const bool rex = (byte & 0xf0) == 0x40;
    if (!rex) {
      if (!kIsPrefix[byte]) break;
      TakePrefix(byte, &prefixes);
    }
    out.rex = rex ? byte : 0;  // only the last byte before the opcode can be one that counts
  }
  Opcode opcode;
  if (byte == 0xc4 || byte == 0xc5) {
    opcode = ReadVex(byte, &in);
  } else if (byte == 0x62) {
    opcode = ReadEvex(&in);
  } else {
    opcode = ReadLegacy(byte, prefixes, out.rex, &in);
  }
  const std::size_t maps = opcode.encoding == isa::Encoding::kEvex ? isa::kEvexMaps : isa::kVexMaps;
  const std::uint8_t modrm = in.Peek();
  if (in.at() > available) {
    if (available == kLongestInstruction) BeTooLong(&out);
    return out;
  }
  const bool legacy = opcode.encoding == isa::Encoding::kLegacy;
  const Shape shape = opcode.map < maps ? Look(opcode, isa::ModrmClass(modrm)) : Shape{};
  const bool is_group = legacy && opcode.map == 1 && opcode.byte == 0x01 && modrm >= 0xc0;
  if (shape.level > level || shape.level == Level::kNone || (is_group && level < Level::kHost && !IsOfVirtualCpu(modrm))) {
    out.length = in.at();
    out.flow = Flow::kUndefined;
    return out;
  }
  if (shape.has_modrm) {
    out.modrm_at = in.at();
    in.Skip(1);
    SkipOperand(modrm, &in, &out);
  }
  std::size_t immediate = shape.immediate;
  // An absolute address is as long as addresses are (Intel SDM vol. 2, MOV moffs).
  if (legacy && opcode.map == 0 && (byte & 0xfc) == 0xa0) immediate = prefixes.address_size ? 4 : 8;
  in.Skip(immediate);
  if (in.at() > available) {
    if (available == kLongestInstruction) BeTooLong(&out);
    return out;
  }

  out.length = in.at();
  out.flow = Flow::kNext;
  out.names_r11 = NamesR11(opcode, out.modrm_at, bytes);
  out.read = shape.read;
  out.killed = shape.killed;
  out.fs = prefixes.fs;
  out.gs = prefixes.gs;
  out.may_fault = !legacy || prefixes.lock || !CannotFault(opcode, shape.has_modrm, modrm);
  out.address32 = prefixes.address_size;
  if (legacy && opcode.map == 0 && kIsClassified[opcode.byte]) ClassifyOneByte(opcode, prefixes, modrm, immediate, &out);
  if (legacy && opcode.map == 1) ClassifyTwoByte(opcode, prefixes, modrm, &out);
  if (prefixes.gs && MayAddressMemory(out.flow, modrm)) out.flow = Flow::kSingleStep;  // gs is ours
  if (prefixes.lock && !IsExecutedAsItIs(out.flow)) out.flow = Flow::kUndefined;
  // A 32-bit address relative to rip wraps at 4 GiB: right only where the code region lies below too.
  if (prefixes.address_size && out.rip_displacement_at != 0 && pc >= 0x80000000) out.flow = Flow::kRefused;
  return out;
}

}  // namespace tally

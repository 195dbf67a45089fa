#include "supervisor/machine/virtual_cpu.h"

#include <cpuid.h>
#include <sys/random.h>
#include <x86intrin.h>

#include <array>
#include <cerrno>
#include <cstring>

#include "base/error.h"

namespace tally {
namespace {

// Bits by name: Intel SDM vol. 2, CPUID.
constexpr std::uint32_t kLeaf1Ecx = 1U << 0 |   // SSE3
                                    1U << 1 |   // PCLMULQDQ
                                    1U << 9 |   // SSSE3
                                    1U << 12 |  // FMA
                                    1U << 13 |  // CMPXCHG16B
                                    1U << 19 |  // SSE4.1
                                    1U << 20 |  // SSE4.2
                                    1U << 22 |  // MOVBE
                                    1U << 23 |  // POPCNT
                                    1U << 25 |  // AES
                                    1U << 26 |  // XSAVE
                                    1U << 27 |  // OSXSAVE
                                    1U << 28 |  // AVX
                                    1U << 29;   // F16C
// x86-64-v2: without FMA, MOVBE, XSAVE, AVX, F16C, and what processors of its time had not.
constexpr std::uint32_t kLeaf1EcxV2 = 1U << 0 | 1U << 9 | 1U << 13 | 1U << 19 | 1U << 20 | 1U << 23;
constexpr std::uint32_t kLeaf1Edx = 0x0789'fbff;  // FPU to SSE2: fpu tsc msr pae cx8 apic sep mtrr cmov clfsh mmx fxsr sse sse2
constexpr std::uint32_t kLeaf7Ebx = 1U << 3 |  // BMI1
                                    1U << 5 |  // AVX2
                                    1U << 8 |  // BMI2
                                    1U << 9;   // ERMS
constexpr std::uint32_t kLeaf7EbxV4 = kLeaf7Ebx | 1U << 16 | 1U << 17 | 1U << 28 | 1U << 30 | 1U << 31;  // AVX-512 F, DQ, CD, BW, VL
constexpr std::uint32_t kExtended1Ecx = 1U << 0 | 1U << 5;                          // LAHF, LZCNT
constexpr std::uint32_t kExtended1Edx = 1U << 11 | 1U << 20 | 1U << 27 | 1U << 29;  // SYSCALL, NX, RDTSCP, LM
constexpr std::uint32_t kSignature = 0x0003'06c3;                                   // family 6, model 60, stepping 3
constexpr std::uint32_t kSignatureV2 = 0x0001'06a5;                                 // family 6, model 26, stepping 5
constexpr std::uint32_t kSignatureV4 = 0x0005'0654;                                 // family 6, model 85, stepping 4
constexpr std::uint64_t kXcr0 = 7;                                                  // x87, SSE, AVX
constexpr std::uint64_t kXcr0V2 = 3;
constexpr std::uint64_t kXcr0V4 = 0xe7;                                             // and AVX-512's three

// xsave and its kin are executed by the real processor, which touches room for every component that it has and the
// instruction's mask names, used or not. So the program is told to leave room for all that any processor of today
// keeps below component 8 (Intel SDM vol. 1, 13.5: AVX, MPX, AVX-512), though it may only use the first three.
constexpr std::uint32_t kXsaveSize = 2688;

// Deterministic cache parameters (leaf 4): type 1 data, 2 instructions, 3 unified; 64-byte lines.
CpuidAnswer CacheLeaf(std::uint32_t subleaf) {
  const auto cache = [](std::uint32_t type, std::uint32_t level, std::uint32_t ways, std::uint32_t sets) {
    return CpuidAnswer{type | level << 5 | 1U << 8, (ways - 1) << 22 | 63, sets - 1, 0};
  };
  switch (subleaf) {
    case 0: return cache(1, 1, 8, 64);      // 32 KiB
    case 1: return cache(2, 1, 8, 64);      // 32 KiB
    case 2: return cache(3, 2, 8, 512);     // 256 KiB
    case 3: return cache(3, 3, 16, 8192);   // 8 MiB
    default: return {0, 0, 0, 0};
  }
}

CpuidAnswer XsaveLeaf(std::uint32_t subleaf, std::uint64_t components) {
  switch (subleaf) {
    case 0: return {static_cast<std::uint32_t>(components), kXsaveSize, kXsaveSize, 0};
    case 1: return {1, 0, 0, 0};        // XSAVEOPT; XSAVEC came two years after AVX2
    case 2: return {256, 576, 0, 0};    // ymm: size and offset
    case 3: return {64, 960, 0, 0};     // MPX bounds
    case 4: return {64, 1024, 0, 0};    // MPX configuration
    case 5: return {64, 1088, 0, 0};    // AVX-512 masks
    case 6: return {512, 1152, 0, 0};   // upper halves of zmm0 to zmm15
    case 7: return {1024, 1664, 0, 0};  // zmm16 to zmm31
    default: return {0, 0, 0, 0};
  }
}

CpuidAnswer RealCpuid(std::uint32_t leaf, std::uint32_t subleaf) {
  CpuidAnswer out{};
  __cpuid_count(leaf, subleaf, out.eax, out.ebx, out.ecx, out.edx);
  return out;
}

[[gnu::target("xsave")]] std::uint64_t RealXgetbv() { return _xgetbv(0); }

CpuidAnswer Text(const char* text) {
  CpuidAnswer out{};
  std::memcpy(&out, text, sizeof out);
  return out;
}

std::uint64_t& Register(user_regs_struct* r, unsigned number) {
  unsigned long long* const order[] = {&r->rax, &r->rcx, &r->rdx, &r->rbx, &r->rsp, &r->rbp, &r->rsi, &r->rdi,
                                       &r->r8,  &r->r9,  &r->r10, &r->r11, &r->r12, &r->r13, &r->r14, &r->r15};
  return *reinterpret_cast<std::uint64_t*>(order[number]);
}

void SetPair(user_regs_struct* registers, std::uint64_t value) {
  registers->rax = value & 0xffffffff;
  registers->rdx = value >> 32;
}

}  // namespace

isa::Level VirtualCpu::level() const {
  if (!options_.rules.Has(VirtualRule::kCpu)) return isa::Level::kHost;
  switch (options_.model) {
    case CpuModel::kV2: return isa::Level::kV2;
    case CpuModel::kV3: return isa::Level::kV3;
    default: return isa::Level::kV4;
  }
}

std::uint64_t VirtualCpu::StateComponents(const VirtualCpuOptions& options) {
  if (!options.rules.Has(VirtualRule::kCpu)) return kAllStateComponents;
  return options.model == CpuModel::kV4 ? kXcr0V4 : kXcr0;
}

CpuidAnswer VirtualCpu::Cpuid(std::uint32_t leaf, std::uint32_t subleaf) const {
  if (!options_.rules.Has(VirtualRule::kCpu)) return RealCpuid(leaf, subleaf);
  static constexpr char kBrand[] = "Tally virtual CPU, x86-64-v3 at 2.00GHz        ";  // 48 bytes with its 0
  static constexpr char kBrandV2[] = "Tally virtual CPU, x86-64-v2 at 2.00GHz        ";
  static constexpr char kBrandV4[] = "Tally virtual CPU, x86-64-v4 at 2.00GHz        ";
  static_assert(sizeof kBrand == 48 && sizeof kBrandV2 == 48 && sizeof kBrandV4 == 48);
  const bool v2 = options_.model == CpuModel::kV2, v4 = options_.model == CpuModel::kV4;
  const char* const brand = v2 ? kBrandV2 : v4 ? kBrandV4 : kBrand;
  switch (leaf) {
    case 0: return {v2 ? 0xbU : 0xdU, 0x756e'6547, 0x6c65'746e, 0x4965'6e69};  // GenuineIntel
    case 1: return {v2 ? kSignatureV2 : v4 ? kSignatureV4 : kSignature, 0x0001'0800, v2 ? kLeaf1EcxV2 : kLeaf1Ecx, kLeaf1Edx};
    case 4: return CacheLeaf(subleaf);
    case 7: return subleaf == 0 && !v2 ? CpuidAnswer{0, v4 ? kLeaf7EbxV4 : kLeaf7Ebx, 0, 0} : CpuidAnswer{0, 0, 0, 0};
    case 0xd: return v2 ? CpuidAnswer{0, 0, 0, 0} : XsaveLeaf(subleaf, EnabledState());
    case 0x8000'0000: return {0x8000'0008, 0, 0, 0};
    case 0x8000'0001: return {0, 0, v2 ? 1U : kExtended1Ecx, kExtended1Edx};
    case 0x8000'0002: return Text(brand);
    case 0x8000'0003: return Text(brand + 16);
    case 0x8000'0004: return Text(brand + 32);
    case 0x8000'0007: return {0, 0, 0, 1U << 8};  // the time stamp counter is invariant
    case 0x8000'0008: return {0x3027, 0, 0, 0};   // 39 physical, 48 virtual address bits
    default: return {0, 0, 0, 0};
  }
}

std::uint64_t VirtualCpu::Hwcap() { return kLeaf1Edx; }

std::uint64_t VirtualCpu::EnabledState() const {
  if (!options_.rules.Has(VirtualRule::kCpu)) return RealXgetbv();
  return options_.model == CpuModel::kV2 ? kXcr0V2 : options_.model == CpuModel::kV4 ? kXcr0V4 : kXcr0;
}

std::uint64_t VirtualCpu::NextRandom() {
  if (options_.rules.Has(VirtualRule::kRandom)) return random_.Next();
  std::uint64_t value = 0;
  if (::getrandom(&value, sizeof value, 0) != sizeof value) throw SystemError("getrandom", errno);
  return value;
}

void VirtualCpu::Execute(const Instruction& i, std::uint64_t ticks, user_regs_struct* r) {
  const std::uint64_t time = options_.rules.Has(VirtualRule::kTime) ? ticks : __rdtsc();
  constexpr std::uint64_t kStatusFlags = 0x8d5;
  const std::uint8_t opcode = i.bytes[i.modrm_at != 0 ? i.modrm_at - 1U : i.length - 1U];
  const std::uint8_t modrm = i.bytes[i.modrm_at];
  if (opcode == 0xa2) {
    const CpuidAnswer answer = Cpuid(static_cast<std::uint32_t>(r->rax), static_cast<std::uint32_t>(r->rcx));
    r->rax = answer.eax;
    r->rbx = answer.ebx;
    r->rcx = answer.ecx;
    r->rdx = answer.edx;
  } else if (opcode == 0x31) {
    SetPair(r, time);
  } else if (opcode == 0x01 && modrm == 0xf9) {  // rdtscp
    SetPair(r, time);
    r->rcx = 0;
  } else if (opcode == 0x01) {  // xgetbv; other registers than XCR0 in use (1) look alike
    SetPair(r, EnabledState());
  } else {  // rdrand, rdseed, rdpid
    std::uint64_t& target = Register(r, (modrm & 7) | (i.rex & 1) << 3);
    const bool rdpid = i.bytes[0] == 0xf3;
    if (rdpid) {
      target = 0;
    } else {
      const std::uint64_t value = NextRandom();
      target = (i.rex & 8) != 0 ? value : value & 0xffffffff;
      r->eflags = (r->eflags & ~kStatusFlags) | 1;
    }
  }
}

}  // namespace tally

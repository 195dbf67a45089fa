// Which machine a counted program finds (docs/virtual-cpu.md): the same everywhere, unless single rules are switched
// off. Pure data, for requests and results.
#pragma once

#include <cstdint>
#include <iterator>
#include <string>
#include <string_view>

namespace tally {

enum class VirtualRule : std::uint8_t {
  kAddresses,  // the address space is not randomised
  kCpu,        // cpuid, xgetbv, the processor's part of the auxiliary vector
  kRandom,     // random numbers come from the seed
  kSchedule,   // one task at a time, whose turn it is depends on counts (translator/turns/turns.h)
  kSystem,     // the kernel's name, memory, number of processors
  kTime,       // time is the count of instructions
};
inline constexpr std::string_view kVirtualRuleNames[] = {"addresses", "cpu", "random", "schedule", "system", "time"};

class VirtualRules {
 public:
  static constexpr VirtualRules All() { return VirtualRules((1U << std::size(kVirtualRuleNames)) - 1); }
  static constexpr VirtualRules None() { return VirtualRules(0); }

  [[nodiscard]] constexpr bool Has(VirtualRule rule) const { return (bits_ & Bit(rule)) != 0; }
  constexpr void Add(VirtualRule rule) { bits_ |= Bit(rule); }
  constexpr void Remove(VirtualRule rule) { bits_ &= ~Bit(rule); }
  bool operator==(const VirtualRules&) const = default;

  // "addresses cpu random", "none".
  [[nodiscard]] std::string Names() const {
    std::string out;
    for (std::size_t i = 0; i < std::size(kVirtualRuleNames); ++i) {
      if (!Has(static_cast<VirtualRule>(i))) continue;
      out += (out.empty() ? "" : " ") + std::string(kVirtualRuleNames[i]);
    }
    return out.empty() ? "none" : out;
  }

 private:
  explicit constexpr VirtualRules(unsigned bits) : bits_(bits) {}
  static constexpr unsigned Bit(VirtualRule rule) { return 1U << static_cast<unsigned>(rule); }
  unsigned bits_;
};

// The levels of the x86-64 psABI.
enum class CpuModel : std::uint8_t { kV2, kV3, kV4 };
constexpr std::string_view Name(CpuModel model) {
  switch (model) {
    case CpuModel::kV2: return "x86-64-v2";
    case CpuModel::kV3: return "x86-64-v3";
    default: return "x86-64-v4";
  }
}

// What clocks tell, where time is virtual. Timers and sleeps go by the count, whatever is told.
enum class ToldTime : std::uint8_t {
  kCounted,
  kZero,    // 0, always
  kRandom,  // each time another, which the seed decides
};

struct VirtualCpuOptions {
  CpuModel model = CpuModel::kV3;
  std::uint64_t seed = 0;
  VirtualRules rules = VirtualRules::All();
  // Decides whose turn it is and how long; 0: one after the other, 10 ms each.
  std::uint64_t schedule_seed = 0;
  ToldTime told_time = ToldTime::kCounted;
};

}  // namespace tally

#include "supervisor/machine/virtual_files.h"

#include <fmt/format.h>

#include <array>
#include <cstdint>
#include <cstring>

#include "supervisor/machine/cpuid_faulting.h"
#include "supervisor/machine/processor_flags.h"
#include "supervisor/machine/virtual_cpu.h"

namespace tally {
namespace {

std::string Brand(const VirtualCpu& cpu) {
  std::array<char, 49> text{};
  for (std::uint32_t i = 0; i < 3; ++i) {
    const CpuidAnswer part = cpu.Cpuid(0x8000'0002 + i, 0);
    std::memcpy(&text[16 * i], &part, sizeof part);
  }
  const std::string padded = text.data();
  return padded.substr(0, padded.find_last_not_of(' ') + 1);
}

}  // namespace

void ShowVirtualFiles(Counter counter, const VirtualCpuOptions& options, RootSpec* root) {
  if (!HasVirtualCpu(counter)) return;
  if (options.rules.Has(VirtualRule::kRandom)) root->random_seed = options.seed;
  const bool real_processor = counter == Counter::kPerf && !CpuidCanFault();
  if (options.rules.Has(VirtualRule::kCpu) && !real_processor) root->processor = options.model;
}

std::string ProcessorFile(CpuModel model) {
  const VirtualCpu cpu(VirtualCpuOptions{.model = model});
  const std::uint32_t signature = cpu.Cpuid(1, 0).eax;
  return fmt::format(
      "processor\t: 0\nvendor_id\t: GenuineIntel\ncpu family\t: {}\nmodel\t\t: {}\nmodel name\t: {}\nstepping\t: {}\n"
      "cpu MHz\t\t: 2000.000\ncache size\t: 8192 KB\nphysical id\t: 0\nsiblings\t: 1\ncore id\t\t: 0\ncpu cores\t: 1\n"
      "apicid\t\t: 0\ninitial apicid\t: 0\nfpu\t\t: yes\nfpu_exception\t: yes\ncpuid level\t: {}\nwp\t\t: yes\n"
      "flags\t\t: {}\nbugs\t\t:\nbogomips\t: 4000.00\nclflush size\t: 64\ncache_alignment\t: 64\n"
      "address sizes\t: 39 bits physical, 48 bits virtual\npower management:\n\n",
      signature >> 8 & 15, (signature >> 4 & 15) | (signature >> 12 & 0xf0), Brand(cpu), signature & 15, cpu.Cpuid(0, 0).eax,
      fmt::join(FlagsOf(cpu), " "));
}

}  // namespace tally

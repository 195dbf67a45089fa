#include "supervisor/machine/virtual_files.h"

#include <fmt/format.h>

#include <array>
#include <cstdint>
#include <cstring>

#include "supervisor/counting/perf_engine.h"
#include "supervisor/machine/virtual_cpu.h"

namespace tally {
namespace {

enum class Word : std::uint8_t { kLeaf1Edx, kExtendedEdx, kLeaf1Ecx, kExtendedEcx, kXsave, kLeaf7Ebx };

struct Flag {
  Word word;
  unsigned bit;
  const char* name;
};
// In the kernel's order (arch/x86/include/asm/cpufeatures.h); osxsave has no name there.
constexpr Flag kFlags[] = {
    {Word::kLeaf1Edx, 0, "fpu"},         {Word::kLeaf1Edx, 1, "vme"},      {Word::kLeaf1Edx, 2, "de"},
    {Word::kLeaf1Edx, 3, "pse"},         {Word::kLeaf1Edx, 4, "tsc"},      {Word::kLeaf1Edx, 5, "msr"},
    {Word::kLeaf1Edx, 6, "pae"},         {Word::kLeaf1Edx, 7, "mce"},      {Word::kLeaf1Edx, 8, "cx8"},
    {Word::kLeaf1Edx, 9, "apic"},        {Word::kLeaf1Edx, 11, "sep"},     {Word::kLeaf1Edx, 12, "mtrr"},
    {Word::kLeaf1Edx, 13, "pge"},        {Word::kLeaf1Edx, 14, "mca"},     {Word::kLeaf1Edx, 15, "cmov"},
    {Word::kLeaf1Edx, 16, "pat"},        {Word::kLeaf1Edx, 19, "clflush"}, {Word::kLeaf1Edx, 23, "mmx"},
    {Word::kLeaf1Edx, 24, "fxsr"},       {Word::kLeaf1Edx, 25, "sse"},     {Word::kLeaf1Edx, 26, "sse2"},
    {Word::kExtendedEdx, 11, "syscall"}, {Word::kExtendedEdx, 20, "nx"},   {Word::kExtendedEdx, 27, "rdtscp"},
    {Word::kExtendedEdx, 29, "lm"},      {Word::kLeaf1Ecx, 0, "pni"},      {Word::kLeaf1Ecx, 1, "pclmulqdq"},
    {Word::kLeaf1Ecx, 9, "ssse3"},       {Word::kLeaf1Ecx, 12, "fma"},     {Word::kLeaf1Ecx, 13, "cx16"},
    {Word::kLeaf1Ecx, 19, "sse4_1"},     {Word::kLeaf1Ecx, 20, "sse4_2"},  {Word::kLeaf1Ecx, 22, "movbe"},
    {Word::kLeaf1Ecx, 23, "popcnt"},     {Word::kLeaf1Ecx, 25, "aes"},     {Word::kLeaf1Ecx, 26, "xsave"},
    {Word::kLeaf1Ecx, 28, "avx"},        {Word::kLeaf1Ecx, 29, "f16c"},    {Word::kExtendedEcx, 0, "lahf_lm"},
    {Word::kExtendedEcx, 5, "abm"},      {Word::kLeaf7Ebx, 3, "bmi1"},     {Word::kLeaf7Ebx, 5, "avx2"},
    {Word::kLeaf7Ebx, 8, "bmi2"},        {Word::kLeaf7Ebx, 9, "erms"},     {Word::kXsave, 0, "xsaveopt"},
    {Word::kXsave, 1, "xsavec"},
};

std::uint32_t ValueOf(Word word, const VirtualCpu& cpu) {
  switch (word) {
    case Word::kLeaf1Edx: return cpu.Cpuid(1, 0).edx;
    case Word::kLeaf1Ecx: return cpu.Cpuid(1, 0).ecx;
    case Word::kExtendedEdx: return cpu.Cpuid(0x8000'0001, 0).edx;
    case Word::kExtendedEcx: return cpu.Cpuid(0x8000'0001, 0).ecx;
    case Word::kLeaf7Ebx: return cpu.Cpuid(7, 0).ebx;
    case Word::kXsave: return cpu.Cpuid(0xd, 1).eax;
  }
  return 0;
}

std::string FlagNames(const VirtualCpu& cpu) {
  std::string out;
  for (const Flag& flag : kFlags) {
    if ((ValueOf(flag.word, cpu) >> flag.bit & 1) != 0) out += (out.empty() ? "" : " ") + std::string(flag.name);
  }
  return out;
}

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
      FlagNames(cpu));
}

}  // namespace tally

#include "supervisor/machine/processor_flags.h"

#include <fmt/format.h>

#include <cstdint>

#include "base/error.h"

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

bool Has(const VirtualCpu& cpu, const Flag& flag) { return (ValueOf(flag.word, cpu) >> flag.bit & 1) != 0; }

// Not how fast they are, what only a kernel uses, and rdtscp, which the virtual clock answers.
bool IsExecuted(const Flag& flag) {
  return flag.word != Word::kLeaf1Edx && flag.word != Word::kExtendedEdx && std::string_view(flag.name) != "erms";
}

}  // namespace

std::vector<std::string_view> FlagsOf(const VirtualCpu& cpu) {
  std::vector<std::string_view> names;
  for (const Flag& flag : kFlags) {
    if (Has(cpu, flag)) names.emplace_back(flag.name);
  }
  return names;
}

std::string NotExecuted(const VirtualCpu& offered, const VirtualCpu& here) {
  constexpr Flag kEnabled{Word::kLeaf1Ecx, 27, "osxsave"};  // by the kernel, without which there is no AVX
  std::vector<std::string_view> missing;
  for (const Flag& flag : kFlags) {
    if (IsExecuted(flag) && Has(offered, flag) && !Has(here, flag)) missing.emplace_back(flag.name);
  }
  if (Has(offered, kEnabled) && !Has(here, kEnabled)) missing.emplace_back(kEnabled.name);
  return fmt::format("{}", fmt::join(missing, " "));
}

std::string NotExecutedHere(CpuModel model) {
  return NotExecuted(VirtualCpu({.model = model}), VirtualCpu({.rules = VirtualRules::None()}));
}

void RequireProcessorFor(const VirtualCpuOptions& options) {
  if (!options.rules.Has(VirtualRule::kCpu)) return;
  static const std::string v2 = NotExecutedHere(CpuModel::kV2), v3 = NotExecutedHere(CpuModel::kV3);
  const std::string& missing = options.model == CpuModel::kV2 ? v2 : v3;
  if (missing.empty()) return;
  throw SystemError(fmt::format("this processor cannot execute what {} offers to a program: it has no {}{}", Name(options.model),
                                missing, v2.empty() ? "; choose x86-64-v2 (cpu_model, --cpu)" : ""),
                    0);
}

}  // namespace tally

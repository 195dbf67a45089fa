#include "supervisor/machine/processor_flags.h"

#include <fmt/format.h>

#include <array>
#include <cstdint>
#include <map>

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
    {Word::kLeaf7Ebx, 8, "bmi2"},        {Word::kLeaf7Ebx, 9, "erms"},     {Word::kLeaf7Ebx, 16, "avx512f"},
    {Word::kLeaf7Ebx, 17, "avx512dq"},   {Word::kLeaf7Ebx, 28, "avx512cd"}, {Word::kLeaf7Ebx, 30, "avx512bw"},
    {Word::kLeaf7Ebx, 31, "avx512vl"},   {Word::kXsave, 0, "xsaveopt"},
};

// All that the flags are in: in a virtual machine each cpuid traps to its host, so each leaf is asked for once.
class Words {
 public:
  explicit Words(const VirtualCpu& cpu) {
    const CpuidAnswer basic = cpu.Cpuid(1, 0);
    const CpuidAnswer extended = cpu.Cpuid(0x8000'0001, 0);
    Put(Word::kLeaf1Edx, basic.edx);
    Put(Word::kLeaf1Ecx, basic.ecx);
    Put(Word::kExtendedEdx, extended.edx);
    Put(Word::kExtendedEcx, extended.ecx);
    Put(Word::kLeaf7Ebx, cpu.Cpuid(7, 0).ebx);
    Put(Word::kXsave, cpu.Cpuid(0xd, 1).eax);
  }

  [[nodiscard]] bool Has(const Flag& flag) const { return (words_[static_cast<std::size_t>(flag.word)] >> flag.bit & 1) != 0; }

 private:
  void Put(Word word, std::uint32_t value) { words_[static_cast<std::size_t>(word)] = value; }

  std::array<std::uint32_t, 6> words_;
};

// Not how fast they are, what only a kernel uses, and rdtscp, which the virtual clock answers.
bool IsExecuted(const Flag& flag) {
  return flag.word != Word::kLeaf1Edx && flag.word != Word::kExtendedEdx && std::string_view(flag.name) != "erms";
}

}  // namespace

std::vector<std::string_view> FlagsOf(const VirtualCpu& cpu) {
  const Words words(cpu);
  std::vector<std::string_view> names;
  for (const Flag& flag : kFlags) {
    if (words.Has(flag)) names.emplace_back(flag.name);
  }
  return names;
}

std::string NotExecuted(const VirtualCpu& offered, const VirtualCpu& here) {
  constexpr Flag kEnabled{Word::kLeaf1Ecx, 27, "osxsave"};  // by the kernel, without which there is no AVX
  const Words wanted(offered);
  const Words executed(here);
  std::vector<std::string_view> missing;
  for (const Flag& flag : kFlags) {
    if (IsExecuted(flag) && wanted.Has(flag) && !executed.Has(flag)) missing.emplace_back(flag.name);
  }
  if (wanted.Has(kEnabled) && !executed.Has(kEnabled)) missing.emplace_back(kEnabled.name);
  const bool lacks_state = wanted.Has(kEnabled) && executed.Has(kEnabled) && (offered.EnabledState() & ~here.EnabledState()) != 0;
  if (lacks_state) missing.emplace_back("state of it that the kernel keeps");  // a kernel may leave AVX-512 off, which cpuid offers all the same
  return fmt::format("{}", fmt::join(missing, " "));
}

const std::string& NotExecutedHere(CpuModel model) {
  static std::map<CpuModel, std::string> known;
  const auto found = known.find(model);
  if (found != known.end()) return found->second;
  return known[model] = NotExecuted(VirtualCpu({.model = model}), VirtualCpu({.rules = VirtualRules::None()}));
}

void RequireProcessorFor(const VirtualCpuOptions& options) {
  if (!options.rules.Has(VirtualRule::kCpu)) return;
  const std::string& missing = NotExecutedHere(options.model);
  if (missing.empty()) return;
  std::string instead;
  for (const CpuModel model : {CpuModel::kV2, CpuModel::kV3}) {
    if (model < options.model && NotExecutedHere(model).empty()) instead = fmt::format("; choose {} (cpu_model, --cpu)", Name(model));
  }
  throw SystemError(fmt::format("this processor cannot execute what {} offers to a program: it has no {}{}", Name(options.model), missing, instead), 0);
}

}  // namespace tally

#include "checkers/kernels.h"

#ifdef __x86_64__
#include <cpuid.h>
#include <immintrin.h>
#endif

#include <algorithm>

#include "checkers/byte_class.h"

namespace tally {
namespace {

std::size_t CommonPrefix(const char* a, const char* b, std::size_t size) {
  return static_cast<std::size_t>(std::mismatch(a, a + size, b).first - a);
}

std::size_t CountLineFeeds(const char* text, std::size_t size) {
  return static_cast<std::size_t>(std::count(text, text + size, '\n'));
}

// Without branches on the data: word lengths are random, and a mispredicted branch per token would cost more
// than all the arithmetic.
std::size_t Squeeze(SqueezeState& state, const char* text, std::size_t size, char* out) {
  char* const begin = out;
  unsigned in_word = state.in_word ? 1 : 0;
  unsigned pending = state.pending ? 1 : 0;
  for (std::size_t i = 0; i < size; ++i) {
    const ByteClass what = ClassOf(text[i]);
    const unsigned word = what == ByteClass::kWord ? 1 : 0;
    const unsigned blank = what == ByteClass::kBlank ? 1 : 0;
    *out = ' ';
    out += pending & word;
    *out = text[i];
    out += 1 - blank;
    pending = blank & (pending | in_word);
    in_word = word;
  }
  state = {in_word != 0, pending != 0};
  return static_cast<std::size_t>(out - begin);
}

#ifdef __x86_64__
// Does the processor have the instructions of kAvx2Kernel, and the kernel save their registers? (Intel SDM, volume 1, 14.3 and
// 14.7.) __builtin_cpu_supports would bring a look into the start of every executable: 12 cpuid, each of which leaves a virtual
// machine, 43 us in one.
[[gnu::target("xsave")]] bool HasAvx2() {
  unsigned a = 0, b = 0, c = 0, d = 0;
  constexpr unsigned kNeeded = bit_OSXSAVE | bit_AVX | bit_POPCNT;
  if (__get_cpuid(1, &a, &b, &c, &d) == 0 || (c & kNeeded) != kNeeded) return false;
  constexpr unsigned long long kXmmAndYmm = 6;
  if ((_xgetbv(0) & kXmmAndYmm) != kXmmAndYmm) return false;
  return __get_cpuid_count(7, 0, &a, &b, &c, &d) != 0 && (b & bit_AVX2) != 0;
}
#endif

}  // namespace

const Kernel kScalarKernel{"scalar", CommonPrefix, CountLineFeeds, Squeeze, 8};

std::vector<const Kernel*> SupportedKernels() {
  std::vector<const Kernel*> kernels{&kScalarKernel};
#ifdef __x86_64__
  kernels.push_back(&kSse2Kernel);
  if (HasAvx2()) kernels.push_back(&kAvx2Kernel);
#endif
  return kernels;
}

const Kernel& BestKernel() {
  static const Kernel& best = *SupportedKernels().back();
  return best;
}

}  // namespace tally

// What every x86-64 machine has. SSE2 cannot shuffle bytes by a computed order, so the squeeze stays scalar.
#ifdef __x86_64__

#include <emmintrin.h>

#include <bit>

#include "checkers/kernels.h"

namespace tally {
namespace {

constexpr std::size_t kWidth = 16;

__m128i Load(const char* from) { return _mm_loadu_si128(reinterpret_cast<const __m128i*>(from)); }

unsigned Mask(__m128i bytes) { return static_cast<unsigned>(_mm_movemask_epi8(bytes)); }

std::size_t CommonPrefix(const char* a, const char* b, std::size_t size) {
  std::size_t i = 0;
  // Four loads a side for one branch; the loop below finds the place.
  for (; i + 4 * kWidth <= size; i += 4 * kWidth) {
    const __m128i same0 = _mm_cmpeq_epi8(Load(a + i), Load(b + i));
    const __m128i same1 = _mm_cmpeq_epi8(Load(a + i + kWidth), Load(b + i + kWidth));
    const __m128i same2 = _mm_cmpeq_epi8(Load(a + i + 2 * kWidth), Load(b + i + 2 * kWidth));
    const __m128i same3 = _mm_cmpeq_epi8(Load(a + i + 3 * kWidth), Load(b + i + 3 * kWidth));
    if (Mask(_mm_and_si128(_mm_and_si128(same0, same1), _mm_and_si128(same2, same3))) != 0xffff) break;
  }
  for (; i + kWidth <= size; i += kWidth) {
    const unsigned same = Mask(_mm_cmpeq_epi8(Load(a + i), Load(b + i)));
    if (same != 0xffff) return i + static_cast<std::size_t>(std::countr_one(same));
  }
  return i + kScalarKernel.common_prefix(a + i, b + i, size - i);
}

std::size_t CountLineFeeds(const char* text, std::size_t size) {
  const __m128i line_feed = _mm_set1_epi8('\n');
  std::size_t count = 0;
  std::size_t i = 0;
  for (; i + kWidth <= size; i += kWidth) {
    count += static_cast<std::size_t>(std::popcount(Mask(_mm_cmpeq_epi8(Load(text + i), line_feed))));
  }
  return count + kScalarKernel.count_line_feeds(text + i, size - i);
}

std::size_t Squeeze(SqueezeState& state, const char* text, std::size_t size, char* out) {
  return kScalarKernel.squeeze(state, text, size, out);
}

}  // namespace

const Kernel kSse2Kernel{"sse2", CommonPrefix, CountLineFeeds, Squeeze, 8};

}  // namespace tally

#endif

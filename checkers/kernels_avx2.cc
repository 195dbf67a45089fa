// 32 bytes at a time. The functions carry their own target attribute, so the rest of the program stays
// baseline x86-64 and nothing here runs before BestKernel() has asked the processor.
#ifdef __x86_64__

#include <immintrin.h>

#include <array>
#include <cstring>

#include "checkers/kernels.h"

#define TALLY_AVX2 __attribute__((target("avx2,popcnt")))

namespace tally {
namespace {

constexpr std::size_t kWidth = 32;

// For each set of bytes to keep out of eight: the order in which a byte shuffle must fetch them.
struct alignas(8) Order {
  std::array<std::uint8_t, 8> from{};
};
constexpr std::array<Order, 256> kOrders = [] {
  std::array<Order, 256> orders{};
  for (std::size_t keep = 0; keep < orders.size(); ++keep) {
    std::size_t kept = 0;
    for (std::uint8_t bit = 0; bit < 8; ++bit) {
      if ((keep >> bit & 1) != 0) orders[keep].from[kept++] = bit;
    }
  }
  return orders;
}();

TALLY_AVX2 inline __m256i Load(const char* from) {
  return _mm256_loadu_si256(reinterpret_cast<const __m256i*>(from));
}

TALLY_AVX2 inline std::uint32_t Mask(__m256i bytes) {
  return static_cast<std::uint32_t>(_mm256_movemask_epi8(bytes));
}

TALLY_AVX2 inline __m256i Same(const char* a, const char* b) { return _mm256_cmpeq_epi8(Load(a), Load(b)); }

TALLY_AVX2 std::size_t CommonPrefix(const char* a, const char* b, std::size_t size) {
  std::size_t i = 0;
  // Four loads a side for one branch; the loop below finds the place.
  for (; i + 4 * kWidth <= size; i += 4 * kWidth) {
    const __m256i first = _mm256_and_si256(Same(a + i, b + i), Same(a + i + kWidth, b + i + kWidth));
    const __m256i second = _mm256_and_si256(Same(a + i + 2 * kWidth, b + i + 2 * kWidth),
                                            Same(a + i + 3 * kWidth, b + i + 3 * kWidth));
    if (Mask(_mm256_and_si256(first, second)) != ~std::uint32_t{0}) break;
  }
  for (; i + kWidth <= size; i += kWidth) {
    const std::uint32_t different = ~Mask(Same(a + i, b + i));
    if (different != 0) return i + static_cast<std::size_t>(__builtin_ctz(different));
  }
  return i + kSse2Kernel.common_prefix(a + i, b + i, size - i);
}

TALLY_AVX2 std::size_t CountLineFeeds(const char* text, std::size_t size) {
  const __m256i line_feed = _mm256_set1_epi8('\n');
  std::size_t count = 0;
  std::size_t i = 0;
  for (; i + kWidth <= size; i += kWidth) {
    count += static_cast<std::size_t>(__builtin_popcount(Mask(_mm256_cmpeq_epi8(Load(text + i), line_feed))));
  }
  return count + kScalarKernel.count_line_feeds(text + i, size - i);
}

// Every blank but SPACE is at home at its own low nibble; no byte equals the 0xff elsewhere, because a byte
// with its top bit set fetches zero.
TALLY_AVX2 inline __m256i Blanks(__m256i bytes) {
  const __m256i homes =
      _mm256_setr_epi8(0, -1, -1, -1, -1, -1, -1, -1, -1, '\t', -1, '\v', -1, '\r', -1, -1,  //
                       0, -1, -1, -1, -1, -1, -1, -1, -1, '\t', -1, '\v', -1, '\r', -1, -1);
  return _mm256_or_si256(_mm256_cmpeq_epi8(_mm256_shuffle_epi8(homes, bytes), bytes),
                         _mm256_cmpeq_epi8(bytes, _mm256_set1_epi8(' ')));
}

// Writes the bytes of the low half that `keep` names, one after the other, and scribbles on the rest of 8.
TALLY_AVX2 inline char* Pack(__m128i bytes, std::uint32_t keep, char* out) {
  const __m128i order = _mm_loadl_epi64(reinterpret_cast<const __m128i*>(&kOrders[keep & 0xff]));
  _mm_storel_epi64(reinterpret_cast<__m128i*>(out), _mm_shuffle_epi8(bytes, order));
  return out + __builtin_popcount(keep & 0xff);
}

// Squeezes the first `size` (1..32) of 32 bytes.
TALLY_AVX2 inline char* SqueezeBlock(SqueezeState& state, __m256i bytes, unsigned size, char* out) {
  const std::uint64_t within = (std::uint64_t{1} << size) - 1;
  const __m256i blank_bytes = Blanks(bytes);
  const std::uint64_t blanks = Mask(blank_bytes) & within;
  const std::uint64_t line_feeds = Mask(_mm256_cmpeq_epi8(bytes, _mm256_set1_epi8('\n'))) & within;
  const std::uint64_t words = within & ~(blanks | line_feeds);

  // A run of blanks that follows a word: adding its first bit carries through the run to the byte after it.
  // Where that byte starts a word, a separator is due, and the run's last blank becomes it.
  const std::uint64_t after_word = blanks & (words << 1 | (state.in_word ? 1 : 0));
  const std::uint64_t carried = blanks + after_word + (state.pending ? 1 : 0);
  const std::uint64_t separated = carried & ~blanks & words;

  *out = ' ';  // the run ended with the block before: its separator could not be placed there
  out += separated & 1;
  const auto keep = static_cast<std::uint32_t>(words | line_feeds | separated >> 1);
  const __m256i clean = _mm256_blendv_epi8(bytes, _mm256_set1_epi8(' '), blank_bytes);
  const __m128i low = _mm256_castsi256_si128(clean);
  const __m128i high = _mm256_extracti128_si256(clean, 1);
  out = Pack(low, keep, out);
  out = Pack(_mm_unpackhi_epi64(low, low), keep >> 8, out);
  out = Pack(high, keep >> 16, out);
  out = Pack(_mm_unpackhi_epi64(high, high), keep >> 24, out);

  state.in_word = (words >> (size - 1) & 1) != 0;
  state.pending = (carried >> size & 1) != 0;
  return out;
}

TALLY_AVX2 std::size_t Squeeze(SqueezeState& state, const char* text, std::size_t size, char* out) {
  char* const begin = out;
  SqueezeState now = state;  // a local, so that the compiler can keep it in registers
  std::size_t i = 0;
  for (; i + kWidth <= size; i += kWidth) out = SqueezeBlock(now, Load(text + i), kWidth, out);
  if (i < size) {
    std::array<char, kWidth> rest{};  // never a load past the end of the text
    std::memcpy(rest.data(), text + i, size - i);
    out = SqueezeBlock(now, Load(rest.data()), static_cast<unsigned>(size - i), out);
  }
  state = now;
  return static_cast<std::size_t>(out - begin);
}

}  // namespace

const Kernel kAvx2Kernel{"avx2", CommonPrefix, CountLineFeeds, Squeeze, 48};

}  // namespace tally

#endif

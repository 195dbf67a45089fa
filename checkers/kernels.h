// The three loops that touch every byte of an output, once per instruction set. All sets must give the same
// answers (tests/checkers/kernels_test.cc holds them to it); they only differ in speed. The choice is made
// once at run time through a plain table of function pointers: our binaries are static, so no ifunc.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

namespace tally {

// What the squeeze must remember from the bytes before. At most one of the two is set.
struct SqueezeState {
  bool in_word = false;  // the byte before belongs to a word
  bool pending = false;  // blanks after a word: if a word follows on this line, a separator is due
};

struct Kernel {
  std::string_view name;

  // The number of leading bytes, of `size`, that are the same in both.
  std::size_t (*common_prefix)(const char* a, const char* b, std::size_t size);

  std::size_t (*count_line_feeds)(const char* text, std::size_t size);

  // Copies `size` bytes without their insignificant blanks: words and LFs stay, and one SPACE stands where
  // blanks part two words of a line. So two texts have the same tokens exactly when their squeezed forms are
  // the same. Returns the bytes written, at most size + 1; up to kSqueezeSlack bytes more may be scribbled
  // on.
  std::size_t (*squeeze)(SqueezeState& state, const char* text, std::size_t size, char* out);
  // Where bytes differ more often than once in so many, squeezing is cheaper than looking at each difference.
  std::ptrdiff_t squeeze_below;
};

inline constexpr std::size_t kSqueezeSlack = 32;

// The fastest set that this machine can execute.
const Kernel& BestKernel();
// All that it can execute, the slowest ("scalar") first.
std::vector<const Kernel*> SupportedKernels();

extern const Kernel kScalarKernel;
#ifdef __x86_64__
extern const Kernel kSse2Kernel;
extern const Kernel kAvx2Kernel;
#endif

}  // namespace tally

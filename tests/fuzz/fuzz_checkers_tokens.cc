// Any two texts: every kernel must agree with the naive comparison, on the texts as they are and with their
// white space thickened until the squeezed path is taken. The first byte says where to cut the input in two.
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "checkers/token_walk.h"
#include "checkers/wording.h"
#include "tests/checkers/naive_compare.h"

namespace {

using namespace tally;

void Check(std::string_view expected, std::string_view got) {
  const std::optional<TokenMismatch> answer = NaiveCompare(expected, got);
  for (const Kernel* kernel : SupportedKernels()) {
    if (TokenWalk(Cursor(expected), Cursor(got), *kernel).Run() != answer) __builtin_trap();
  }
  if (Describe(answer, {Wording::Language::kPolish, Wording::Length::kAbbreviated}).size() >= 255) {
    __builtin_trap();
  }
}

// The same tokens with other blanks, after so many differences that the squeeze has begun.
std::string Thickened(std::string_view text, std::size_t blanks) {
  std::string out;
  for (int i = 0; i < 20; ++i) out += "1" + std::string(blanks, ' ');
  for (const char byte : text) {
    out += byte;
    if (byte == ' ') out.append(blanks, '\t');
  }
  return out;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const std::string_view input(reinterpret_cast<const char*>(data) + 1, size - 1);
  const std::size_t cut = input.size() * data[0] / 255;
  const std::string_view a = input.substr(0, cut);
  const std::string_view b = input.substr(cut);
  Check(a, b);
  Check(Thickened(a, 1), Thickened(a, 3));
  Check(Thickened(a, 2), Thickened(b, 5));
  return 0;
}

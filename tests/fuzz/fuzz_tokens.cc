// Any two texts: every kernel must agree with the naive comparison, on the texts as they are and with their
// white space thickened until the squeezed path is taken. A line of three dashes parts the texts.
#include "checkers/token_walk.h"
#include "checkers/wording.h"
#include "tests/checkers/naive_compare.h"
#include "tests/fuzz/fuzz_target.h"

namespace {

using namespace tally;
using fuzz::Require;

void Check(std::string_view expected, std::string_view got) {
  const std::optional<TokenMismatch> answer = NaiveCompare(expected, got);
  for (const Kernel* kernel : SupportedKernels()) {
    Require(TokenWalk(Cursor(expected), Cursor(got), *kernel).Run() == answer);
  }
  const std::string text = Describe(answer, {Wording::Language::kPolish, Wording::Length::kAbbreviated});
  Require(text.size() < 255);
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

TALLY_FUZZ_TARGET(tokens) {
  const std::string_view a = fuzz::NextPart(&input);
  const std::string_view b = input;
  Check(a, b);
  Check(Thickened(a, 1), Thickened(a, 3));
  Check(Thickened(a, 2), Thickened(b, 5));
}

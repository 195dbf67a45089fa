// Every kernel this machine can execute gives the scalar one's answers, whatever the sizes and offsets.
#include "checkers/kernels.h"

#include <random>
#include <string>

#include "tests/checkers/naive_compare.h"
#include "tests/support/catch.h"
#include "tests/support/skip.h"

using namespace std::string_view_literals;

namespace tally {
namespace {

std::string Squeezed(const Kernel& kernel, std::string_view text, std::size_t chunk,
                     SqueezeState state = {}) {
  std::string out;
  for (std::size_t at = 0; at < text.size(); at += chunk) {
    const std::string_view part = text.substr(at, chunk);
    std::string buffer(part.size() + 1 + kSqueezeSlack, '#');
    const std::size_t size = kernel.squeeze(state, part.data(), part.size(), buffer.data());
    REQUIRE(size <= part.size() + 1);
    out += buffer.substr(0, size);
  }
  return out;
}

std::string RandomText(std::mt19937& random, std::size_t size, std::string_view alphabet) {
  std::string text(size, ' ');
  for (char& byte : text) byte = alphabet[random() % alphabet.size()];
  return text;
}

TEST_CASE("kernels: the scalar one is always there, and the best is the last", "[kernels]") {
  CHECK(SupportedKernels().front() == &kScalarKernel);
  CHECK(SupportedKernels().back() == &BestKernel());
}

TEST_CASE("kernels: every instruction set that Tally knows is tested", "[kernels]") {
  constexpr std::size_t kKnown = 3;
  if (SupportedKernels().size() < kKnown) TALLY_SKIP("this machine has no AVX2, so its kernel is not tested");
  CHECK(SupportedKernels().size() == kKnown);
}

TEST_CASE("kernels: squeezing leaves words, line ends and one space between words", "[kernels]") {
  for (const Kernel* kernel : SupportedKernels()) {
    CAPTURE(kernel->name);
    CHECK(Squeezed(*kernel, "", 64) == "");
    CHECK(Squeezed(*kernel, "  \t\0\r\v "sv, 64) == "");
    CHECK(Squeezed(*kernel, "a", 64) == "a");
    CHECK(Squeezed(*kernel, " a \0\t b\fc \r\n\r\n  d "sv, 64) == "a b\fc\n\nd");
    CHECK(Squeezed(*kernel, "b", 64, {.in_word = true}) == "b");
    CHECK(Squeezed(*kernel, " b", 64, {.in_word = true}) == " b");
    CHECK(Squeezed(*kernel, "b", 64, {.pending = true}) == " b");
    CHECK(Squeezed(*kernel, " \nb", 64, {.pending = true}) == "\nb");
  }
}

TEST_CASE("kernels: every byte value is classed alike", "[kernels]") {
  std::string text;
  for (int byte = 0; byte < 256; ++byte) {
    text += 'x';
    text += static_cast<char>(byte);
  }
  std::string tokens;
  for (const Token& token : NaiveTokens(text)) {
    const bool parted = !tokens.empty() && tokens.back() != '\n' && token.kind == Token::Kind::kWord;
    if (parted) tokens += ' ';
    tokens += token.kind == Token::Kind::kWord ? token.text : "\n";
  }
  for (const Kernel* kernel : SupportedKernels()) {
    CAPTURE(kernel->name);
    CHECK(Squeezed(*kernel, text, text.size()) == tokens);
  }
}

TEST_CASE("kernels: squeezing in chunks of any size is squeezing in one", "[kernels]") {
  std::mt19937 random(7);
  for (std::size_t size = 0; size < 200; ++size) {
    for (const std::string_view alphabet : {"ab \n"sv, "a \t\0"sv, "abcdefgh "sv, " \n"sv}) {
      const std::string text = RandomText(random, size, alphabet);
      const std::string whole = Squeezed(kScalarKernel, text, 1000);
      for (const Kernel* kernel : SupportedKernels()) {
        for (const std::size_t chunk : {1u, 2u, 7u, 31u, 32u, 33u, 64u, 1000u}) {
          CAPTURE(kernel->name, text, chunk);
          REQUIRE(Squeezed(*kernel, text, chunk) == whole);
        }
      }
    }
  }
}

TEST_CASE("kernels: the common prefix ends at the first difference, wherever it is", "[kernels]") {
  std::mt19937 random(8);
  for (std::size_t size = 0; size < 300; ++size) {
    const std::string a = RandomText(random, size + 3, "abcdefgh"sv);
    for (const Kernel* kernel : SupportedKernels()) {
      CAPTURE(kernel->name, size);
      REQUIRE(kernel->common_prefix(a.data(), a.data(), size) == size);
      for (std::size_t place = 0; place < size; ++place) {
        std::string b = "..." + a;  // another alignment
        b[place + 3] = '#';
        if (place + 5 < size) b[place + 8] = '#';
        REQUIRE(kernel->common_prefix(a.data(), b.data() + 3, size) == place);
      }
    }
  }
}

TEST_CASE("kernels: line feeds are counted", "[kernels]") {
  std::mt19937 random(9);
  for (std::size_t size = 0; size < 300; ++size) {
    const std::string text = RandomText(random, size, "\na\r"sv);
    const std::size_t count = kScalarKernel.count_line_feeds(text.data(), size);
    for (const Kernel* kernel : SupportedKernels()) {
      CAPTURE(kernel->name, size);
      REQUIRE(kernel->count_line_feeds(text.data(), size) == count);
    }
  }
}

}  // namespace
}  // namespace tally

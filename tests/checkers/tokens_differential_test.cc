// The fast comparison against the naive one, with every kernel, on texts made to be awkward: dense white
// space, differences around the edges of vectors, chunks and pages, and forbidden memory on both sides.
#include <algorithm>
#include <random>
#include <string>
#include <vector>

#include "checkers/squeezed_side.h"
#include "checkers/token_walk.h"
#include "tests/checkers/guarded_text.h"
#include "tests/checkers/naive_compare.h"
#include "tests/support/catch.h"

using namespace std::string_view_literals;

namespace tally {
namespace {

class Random {
 public:
  explicit Random(unsigned seed) : engine_(seed) {}
  std::size_t Below(std::size_t end) { return static_cast<std::size_t>(engine_()) % end; }
  char OneOf(std::string_view bytes) { return bytes[Below(bytes.size())]; }
  std::string Text(std::size_t size, std::string_view alphabet) {
    std::string text(size, ' ');
    for (char& byte : text) byte = OneOf(alphabet);
    return text;
  }
  std::string Blanks(std::size_t at_most) { return Text(Below(at_most + 1), " \t\r\v\0"sv); }

 private:
  std::mt19937 engine_;
};

std::optional<TokenMismatch> CompareWith(const Kernel& kernel, std::string_view a, std::string_view b) {
  return TokenWalk(Cursor(a), Cursor(b), kernel).Run();
}

// Counts failures instead of asserting each time: a CHECK costs more than a comparison.
bool AllAgree(std::string_view a, std::string_view b) {
  const std::optional<TokenMismatch> answer = NaiveCompare(a, b);
  const std::vector<const Kernel*> kernels = SupportedKernels();
  return std::all_of(kernels.begin(), kernels.end(), [&](const Kernel* kernel) {
    if (CompareWith(*kernel, a, b) == answer) return true;
    UNSCOPED_INFO("kernel " << kernel->name);
    return false;
  });
}

bool AllAgreeGuarded(std::string_view a, std::string_view b) {
  using Flush = GuardedText::Flush;
  for (const Flush flush : {Flush::kAtItsBegin, Flush::kAtItsEnd}) {
    const GuardedText guarded_a(a, flush);
    const GuardedText guarded_b(b, flush);
    if (!AllAgree(guarded_a.text(), guarded_b.text())) return false;
  }
  return true;
}

// The same words and line ends, blanks anew.
std::string Reblanked(std::string_view text, Random& random, std::size_t most_blanks) {
  std::string out = random.Blanks(most_blanks);
  bool word_before = false;
  for (const Token& token : NaiveTokens(text)) {
    const bool word = token.kind == Token::Kind::kWord;
    if (word && word_before) out += random.OneOf(" \t\r\v\0"sv);
    if (word) out += token.text;
    if (!word) out += '\n';
    out += random.Blanks(most_blanks);
    word_before = word;
  }
  return out;
}

std::string Lines(Random& random, std::size_t size, std::size_t longest_word) {
  std::string text;
  while (text.size() < size) {
    text += random.Text(1 + random.Below(longest_word), "abc019-\f\x80\xff"sv);
    text += random.Below(8) == 0 ? '\n' : ' ';
  }
  return text;
}

TEST_CASE("tokens differential: short texts over all kinds of bytes", "[tokens][differential]") {
  Random random(1);
  for (int round = 0; round < 30000; ++round) {
    const std::string a = random.Text(random.Below(12), "aA1 \t\n\r\v\f\0"sv);
    const std::string b =
        round % 2 == 0 ? random.Text(random.Below(12), "aA1 \t\n\r\v\f\0"sv) : Reblanked(a, random, 3);
    if (!AllAgree(a, b)) {
      CAPTURE(a, b);
      FAIL("a kernel disagrees with the naive comparison");
    }
  }
  SUCCEED();
}

TEST_CASE("tokens differential: the same tokens stay equal under any blanks", "[tokens][differential]") {
  Random random(2);
  for (const std::size_t size : {100u, 1000u, 5000u, 20000u, 300000u}) {
    for (const std::size_t longest_word : {1u, 3u, 12u, 70u}) {
      for (const std::size_t most_blanks : {1u, 3u, 80u}) {
        const std::string a = Lines(random, size, longest_word);
        const std::string b = Reblanked(a, random, most_blanks);
        CAPTURE(size, longest_word, most_blanks);
        CHECK_FALSE(NaiveCompare(a, b).has_value());
        CHECK(AllAgree(a, b));
        CHECK(AllAgree(b, a));
      }
    }
  }
}

TEST_CASE("tokens differential: one changed byte in a long text is found where it is",
          "[tokens][differential]") {
  Random random(3);
  for (int round = 0; round < 400; ++round) {
    const std::string a = Lines(random, 1 + random.Below(40000), 1 + random.Below(20));
    std::string b = round % 2 == 0 ? a : Reblanked(a, random, random.Below(6));
    for (std::size_t changes = 1 + random.Below(2); changes > 0 && !b.empty(); --changes) {
      b[random.Below(b.size())] = random.OneOf("aA1 \t\n\r\v\f\0"sv);
    }
    CAPTURE(round);
    REQUIRE(AllAgree(a, b));
    REQUIRE(AllAgree(b, a));
  }
}

TEST_CASE("tokens differential: a difference at every place around vector edges", "[tokens][differential]") {
  for (const std::size_t size : {1u, 15u, 16u, 17u, 31u, 32u, 33u, 63u, 64u, 65u, 127u, 128u, 129u, 200u}) {
    for (const char fill : {'x', ' ', '\n'}) {
      const std::string a(size, fill);
      for (std::size_t place = 0; place < size; ++place) {
        for (const char other : {'y', '\t', '\n', '\f'}) {
          std::string b = a;
          b[place] = other;
          CAPTURE(size, fill, place, other);
          REQUIRE(AllAgree(a, b));
          REQUIRE(AllAgree(b, a));
        }
      }
    }
  }
}

TEST_CASE("tokens differential: no byte outside the texts is read", "[tokens][differential]") {
  Random random(4);
  for (std::size_t size = 0; size < 140; ++size) {
    const std::string a = random.Text(size, "ab \n"sv);
    CAPTURE(size);
    REQUIRE(AllAgreeGuarded(a, a));
    REQUIRE(AllAgreeGuarded(a, Reblanked(a, random, 2)));
    REQUIRE(AllAgreeGuarded(a, a.substr(0, random.Below(size + 1))));
    REQUIRE(AllAgreeGuarded(std::string(size, 'x'), std::string(size, 'x') + "y"));
  }
  for (const std::size_t size : {4095u, 4096u, 4097u, 8191u, 8192u, 8193u}) {
    const std::string a = Lines(random, size, 3).substr(0, size);
    CAPTURE(size);
    REQUIRE(AllAgreeGuarded(a, a));
    REQUIRE(AllAgreeGuarded(a, Reblanked(a, random, 3)));
    REQUIRE(AllAgreeGuarded(a, Reblanked(a, random, 3) + "z"));
    REQUIRE(AllAgreeGuarded(a, a.substr(0, size - 1)));
  }
}

// Dense differences switch to squeezed chunks; then a word, a run of blanks or the difference itself lies
// across the chunks' edges.
TEST_CASE("tokens differential: words and blanks across the edges of squeezed chunks",
          "[tokens][differential]") {
  std::string dense_a;
  std::string dense_b;
  for (int i = 0; i < 40; ++i) {
    dense_a += "1 ";
    dense_b += "1  ";
  }
  for (std::size_t shift = 0; shift < 70; ++shift) {
    const std::string filler(4096 - 70 + shift, 'x');
    const std::string blanks(4096 - 70 + shift, ' ');
    for (const std::string& tail : {std::string("ab cd"), std::string("abcd"), std::string("ab\ncd")}) {
      CAPTURE(shift, tail);
      REQUIRE(AllAgree(dense_a + filler + " " + tail, dense_b + filler + "  " + tail));
      REQUIRE(AllAgree(dense_a + filler + " ab cd", dense_b + filler + "  " + tail));
      REQUIRE(AllAgree(dense_a + "ab" + blanks + tail, dense_b + "ab " + tail));
      REQUIRE(AllAgree(dense_a + "ab" + blanks + "cd ef", dense_b + "ab" + blanks + blanks + tail));
      REQUIRE(AllAgree(dense_a + "ab" + blanks + "cd", dense_b + "ab" + blanks + blanks + "\n"));
      REQUIRE(AllAgree(dense_a + filler + tail, dense_b + filler + "ab" + blanks + "cd"));
    }
  }
}

// Where a squeezed byte came from is asked only when the squeeze stops, so it is tried for every number of
// bytes taken around the edges of chunks (4096 bytes), with the chunk after already loaded or not.
TEST_CASE("squeezed side: the cursor returns to right after the last byte taken", "[tokens]") {
  for (const std::size_t word : {1u, 4094u, 4095u, 4096u, 4097u, 8191u, 8192u}) {
    for (const std::size_t blanks : {1u, 2u, 4095u, 4096u, 4097u, 8192u, 12288u}) {
      const std::string text = std::string(word, 'x') + std::string(blanks, ' ') + "cd \n\n e";
      // After each squeezed byte "xx...x cd\n\ne": the separator ends where the word begins.
      std::vector<std::size_t> ends;
      for (std::size_t i = 1; i <= word; ++i) ends.push_back(i);
      const std::size_t next = word + blanks;
      for (const std::size_t more : {0u, 1u, 2u, 4u, 5u, 7u}) ends.push_back(next + more);
      const std::size_t first = word > 3 ? word - 3 : 0;
      for (std::size_t taken = first; taken <= ends.size(); ++taken) {
        for (const bool load_next : {false, true}) {
          for (const Kernel* kernel : SupportedKernels()) {
            Cursor cursor(text);
            SqueezedSide side(cursor, false, *kernel);
            for (std::size_t left = taken; left > 0;) {
              const std::size_t part = std::min(side.Available().size(), left);
              side.Take(part);
              left -= part;
            }
            if (load_next) side.Available();
            const std::size_t at = taken == 0 ? 0 : ends[taken - 1];
            const bool in_word = at > 0 && text[at - 1] != ' ' && text[at - 1] != '\n';
            side.MoveCursorBack();
            CAPTURE(kernel->name, word, blanks, taken, load_next);
            REQUIRE(static_cast<std::size_t>(cursor.at() - text.data()) == at);
            REQUIRE(side.InWord() == in_word);
          }
        }
      }
    }
  }
}

}  // namespace
}  // namespace tally

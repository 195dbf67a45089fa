#include "profile/generators.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <iterator>
#include <numeric>

#include "base/did_you_mean.h"
#include "base/error.h"

namespace tally {
namespace {

constexpr std::array<std::string_view, 9> kNames = {"number",      "array",  "sorted", "reverse", "permutation",
                                                    "string", "tree",   "graph",   "grid"};
constexpr std::uint64_t kFirstNumber = 100'000'000, kNumbers = 900'000'000;  // nine digits

class Random {
 public:
  Random(std::uint64_t seed, std::uint64_t n) : state_(seed * 0xD1342543DE82EF95 + n) {}
  std::uint64_t Below(std::uint64_t bound) { return (Draw() >> 32) * bound >> 32; }

 private:
  std::uint64_t Draw() {
    std::uint64_t z = state_ += 0x9E3779B97F4A7C15;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EB;
    return z ^ (z >> 31);
  }
  std::uint64_t state_;
};

class Text {
 public:
  void Line(const std::vector<std::uint64_t>& numbers) {
    for (std::size_t i = 0; i < numbers.size(); ++i) {
      if (i > 0) text_ += ' ';
      fmt::format_to(std::back_inserter(text_), "{}", numbers[i]);
    }
    text_ += '\n';
  }
  void Add(char c) { text_ += c; }
  std::string Take() { return std::move(text_); }

 private:
  std::string text_;
};

std::vector<std::uint64_t> Numbers(std::uint64_t n, Random* random) {
  std::vector<std::uint64_t> numbers(n);
  for (std::uint64_t& number : numbers) number = kFirstNumber + random->Below(kNumbers);
  return numbers;
}

std::vector<std::uint64_t> Permutation(std::uint64_t n, Random* random) {
  std::vector<std::uint64_t> numbers(n);
  std::iota(numbers.begin(), numbers.end(), 1);
  for (std::uint64_t i = n; i-- > 1;) std::swap(numbers[i], numbers[random->Below(i + 1)]);
  return numbers;
}

void AddTree(std::uint64_t n, Random* random, Text* text) {
  for (std::uint64_t child = 2; child <= n; ++child) text->Line({1 + random->Below(child - 1), child});
}

void AddGraph(std::uint64_t n, Random* random, Text* text) {
  const std::uint64_t edges = n < 2 ? 0 : 2 * n;
  text->Line({n, edges});
  AddTree(n, random, text);
  for (std::uint64_t i = n - 1; n >= 2 && i < edges; ++i) {
    const std::uint64_t from = random->Below(n), step = 1 + random->Below(n - 1);
    text->Line({1 + from, 1 + (from + step) % n});
  }
}

void AddGrid(std::uint64_t n, Random* random, Text* text) {
  const auto side = static_cast<std::uint64_t>(std::sqrt(static_cast<double>(n)));
  text->Line({side, side});
  for (std::uint64_t row = 0; row < side; ++row) {
    for (std::uint64_t column = 0; column < side; ++column) text->Add(random->Below(4) == 0 ? '#' : '.');
    text->Add('\n');
  }
}

}  // namespace

std::string_view Name(Shape shape) { return kNames[static_cast<std::size_t>(shape)]; }

bool IsRandom(Shape shape) { return shape != Shape::kNumber; }

std::vector<std::string> ShapeNames() { return {kNames.begin(), kNames.end()}; }

Shape ParseShape(std::string_view key, std::string_view word) {
  const auto found = std::find(kNames.begin(), kNames.end(), word);
  if (found != kNames.end()) return static_cast<Shape>(found - kNames.begin());
  throw UserError(fmt::format("{}: \"{}\" is unknown{}; expected one of: {}", key, word, DidYouMean(word, ShapeNames()),
                              JoinWords(ShapeNames())));
}

void CheckSize(Shape shape, std::uint64_t n) {
  if (shape == Shape::kNumber || n <= kLargestShape) return;
  throw UserError(fmt::format("generator: {} of {} is more than the {} that Tally makes", Name(shape), n, kLargestShape));
}

std::string GenerateInput(Shape shape, std::uint64_t n, std::uint64_t seed) {
  CheckSize(shape, n);
  Text text;
  if (shape == Shape::kNumber) {
    text.Line({n});
    return text.Take();
  }
  Random random(seed, n);
  if (shape != Shape::kGraph && shape != Shape::kGrid) text.Line({n});
  std::vector<std::uint64_t> numbers;
  switch (shape) {
    case Shape::kNumber: break;
    case Shape::kArray: text.Line(Numbers(n, &random)); break;
    case Shape::kSorted:
    case Shape::kReverse:
      numbers = Numbers(n, &random);
      std::sort(numbers.begin(), numbers.end());
      if (shape == Shape::kReverse) std::reverse(numbers.begin(), numbers.end());
      text.Line(numbers);
      break;
    case Shape::kPermutation: text.Line(Permutation(n, &random)); break;
    case Shape::kString:
      for (std::uint64_t i = 0; i < n; ++i) text.Add(static_cast<char>('a' + random.Below(26)));
      text.Add('\n');
      break;
    case Shape::kTree: AddTree(n, &random, &text); break;
    case Shape::kGraph: AddGraph(n, &random, &text); break;
    case Shape::kGrid: AddGrid(n, &random, &text); break;
  }
  return text.Take();
}

}  // namespace tally

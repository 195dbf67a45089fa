// The shapes of inputs: their form, and that they are the same bytes everywhere and always.
#include "profile/generators.h"

#include <algorithm>
#include <numeric>
#include <sstream>

#include "base/error.h"
#include "tests/support/catch.h"

namespace tally {
namespace {

std::vector<std::uint64_t> NumbersIn(const std::string& text) {
  std::istringstream in(text);
  std::vector<std::uint64_t> numbers;
  for (std::uint64_t number; in >> number;) numbers.push_back(number);
  return numbers;
}

std::vector<std::uint64_t> Rest(std::vector<std::uint64_t> numbers, std::size_t first) {
  return {numbers.begin() + static_cast<std::ptrdiff_t>(first), numbers.end()};
}

// FNV-1a, of inputs too long to write here.
std::uint64_t Sum(const std::string& text) {
  std::uint64_t sum = 0xcbf29ce484222325;
  for (const char c : text) sum = (sum ^ static_cast<unsigned char>(c)) * 0x100000001b3;
  return sum;
}

TEST_CASE("generators: small inputs are these bytes", "[generators]") {
  CHECK(GenerateInput(Shape::kNumber, 100'000, 7) == "100000\n");
  CHECK(GenerateInput(Shape::kArray, 3, 0) == "3\n202105307 730264162 651677214\n");
  CHECK(GenerateInput(Shape::kSorted, 3, 0) == "3\n202105307 651677214 730264162\n");
  CHECK(GenerateInput(Shape::kReverse, 3, 0) == "3\n730264162 651677214 202105307\n");
}

TEST_CASE("generators: large inputs are the same bytes on every machine", "[generators]") {
  std::uint64_t sum = 0;
  for (const std::string& name : ShapeNames()) {
    for (const std::uint64_t n : {0u, 1u, 2u, 1'000u, 10'000u}) sum = sum * 31 + Sum(GenerateInput(ParseShape("", name), n, 5));
  }
  CHECK(sum == 3503475705165008248u);
}

TEST_CASE("generators: another seed gives another input of the same form", "[generators]") {
  for (const Shape shape : {Shape::kArray, Shape::kPermutation, Shape::kString, Shape::kTree, Shape::kGraph, Shape::kGrid}) {
    CAPTURE(Name(shape));
    const std::string one = GenerateInput(shape, 100, 1), two = GenerateInput(shape, 100, 2);
    CHECK(one != two);
    CHECK(std::count(one.begin(), one.end(), '\n') == std::count(two.begin(), two.end(), '\n'));
    CHECK(one == GenerateInput(shape, 100, 1));
  }
}

TEST_CASE("generators: an array has n numbers of nine digits, so its bytes grow as n", "[generators]") {
  const std::string text = GenerateInput(Shape::kArray, 1'000, 3);
  CHECK(text.size() == std::string("1000\n").size() + 10'000);
  const auto numbers = Rest(NumbersIn(text), 1);
  CHECK(numbers.size() == 1'000);
  CHECK(std::all_of(numbers.begin(), numbers.end(), [](std::uint64_t v) { return v >= 100'000'000 && v < 1'000'000'000; }));
}

TEST_CASE("generators: a permutation has each of 1 to n once, shuffled", "[generators]") {
  auto numbers = Rest(NumbersIn(GenerateInput(Shape::kPermutation, 500, 3)), 1);
  std::vector<std::uint64_t> all(500);
  std::iota(all.begin(), all.end(), 1);
  CHECK(numbers != all);
  std::sort(numbers.begin(), numbers.end());
  CHECK(numbers == all);
}

TEST_CASE("generators: a tree is a tree, and a graph is connected and has no loops", "[generators]") {
  for (const std::uint64_t n : {2u, 3u, 300u}) {
    const auto tree = Rest(NumbersIn(GenerateInput(Shape::kTree, n, 3)), 1);
    REQUIRE(tree.size() == 2 * (n - 1));
    for (std::size_t i = 0; i < tree.size(); i += 2) {
      CHECK(tree[i] >= 1);
      CHECK(tree[i] < tree[i + 1]);  // so each vertex hangs on an earlier one
      CHECK(tree[i + 1] == i / 2 + 2);
    }
    const auto graph = NumbersIn(GenerateInput(Shape::kGraph, n, 3));
    REQUIRE(graph.size() == 2 + 2 * 2 * n);
    CHECK(graph[1] == 2 * n);
    for (std::size_t i = 2; i < graph.size(); i += 2) {
      CHECK(graph[i] != graph[i + 1]);
      CHECK(std::min(graph[i], graph[i + 1]) >= 1);
      CHECK(std::max(graph[i], graph[i + 1]) <= n);
    }
  }
}

TEST_CASE("generators: a grid has n cells at most, a string n letters", "[generators]") {
  const std::string grid = GenerateInput(Shape::kGrid, 110, 3);
  CHECK(grid.starts_with("10 10\n"));
  CHECK(std::count(grid.begin(), grid.end(), '\n') == 11);
  CHECK(std::count(grid.begin(), grid.end(), '.') + std::count(grid.begin(), grid.end(), '#') == 100);
  CHECK(GenerateInput(Shape::kString, 10, 3).size() == std::string("10\n").size() + 11);
}

TEST_CASE("generators: the sizes 0 and 1 have every shape", "[generators]") {
  CHECK(GenerateInput(Shape::kArray, 0, 3) == "0\n\n");
  CHECK(GenerateInput(Shape::kString, 0, 3) == "0\n\n");
  CHECK(GenerateInput(Shape::kPermutation, 1, 3) == "1\n1\n");
  CHECK(GenerateInput(Shape::kTree, 0, 3) == "0\n");
  CHECK(GenerateInput(Shape::kTree, 1, 3) == "1\n");
  CHECK(GenerateInput(Shape::kGraph, 0, 3) == "0 0\n");
  CHECK(GenerateInput(Shape::kGraph, 1, 3) == "1 0\n");
  CHECK(GenerateInput(Shape::kGrid, 0, 3) == "0 0\n");
}

TEST_CASE("generators: an unknown shape and a size beyond measure are mistakes", "[generators]") {
  CHECK_THROWS_WITH(ParseShape("generator", "aray"),
                    "generator: \"aray\" is unknown (did you mean \"array\"?); expected one of: number, array, sorted, "
                    "reverse, permutation, string, tree, graph, grid");
  CHECK_THROWS_AS(GenerateInput(Shape::kTree, kLargestShape + 1, 0), UserError);
  CHECK(GenerateInput(Shape::kNumber, 1'000'000'000'000, 0) == "1000000000000\n");
}

}  // namespace
}  // namespace tally

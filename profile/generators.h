// Inputs of the usual shapes, the same bytes for a size and a seed on every machine and in every version.
//
// Randomness is SplitMix64: a state s, which begins as seed * 0xD1342543DE82EF95 + n. Each draw adds
// 0x9E3779B97F4A7C15 to s and takes z = s; z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9;
// z = (z ^ z >> 27) * 0x94D049BB133111EB; z ^ z >> 31. A number below k is (upper 32 bits of the draw) * k >> 32.
//
//   number       n
//   array        n; n numbers of nine digits each, so that reading them costs the same for every n
//   sorted       the numbers of `array`, rising
//   reverse      the same, falling
//   permutation  n; the numbers 1 to n shuffled (for i = n - 1 down to 1, swap i with a number below i + 1)
//   string       n; n letters a to z
//   tree         n; n - 1 lines "parent child", child = 2..n, parent a random smaller vertex
//   graph        n m, m = 2n (0 below two vertices); a tree as above, then random edges without loops, perhaps twice
//   grid         s s, s = floor(sqrt(n)); s lines of s characters, '#' one in four, else '.': n counts the cells
//
// Lines end in \n; numbers of one line are separated by one space.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace tally {

enum class Shape : std::uint8_t { kNumber, kArray, kSorted, kReverse, kPermutation, kString, kTree, kGraph, kGrid };

std::string_view Name(Shape shape);
std::vector<std::string> ShapeNames();
bool IsRandom(Shape shape);  // does an input depend on the seed?
// UserError begins with `key` and lists the shapes.
Shape ParseShape(std::string_view key, std::string_view word);

// What n may be for all shapes but `number`: the input of a hundred million is near 1 GB.
inline constexpr std::uint64_t kLargestShape = 20'000'000;

// UserError when n is more than kLargestShape and the shape has n parts.
void CheckSize(Shape shape, std::uint64_t n);
// The same, and the input.
std::string GenerateInput(Shape shape, std::uint64_t n, std::uint64_t seed);

}  // namespace tally

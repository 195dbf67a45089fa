// Which bytes part words: the one table that every comparison obeys, scalar or vector. NUL, TAB, VT, CR and
// SPACE are blanks; LF is a token of its own; every other byte, form feed included, belongs to a word.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace tally {

enum class ByteClass : std::uint8_t { kWord, kBlank, kLineFeed };

inline constexpr std::array<ByteClass, 256> kByteClasses = [] {
  std::array<ByteClass, 256> classes{};
  for (const unsigned char blank : {'\0', '\t', '\v', '\r', ' '}) classes[blank] = ByteClass::kBlank;
  classes['\n'] = ByteClass::kLineFeed;
  return classes;
}();

constexpr ByteClass ClassOf(char byte) { return kByteClasses[static_cast<unsigned char>(byte)]; }
constexpr bool IsWord(char byte) { return ClassOf(byte) == ByteClass::kWord; }
// White space as C has it, for the comparisons that know no lines.
constexpr bool IsSpace(char byte) { return byte == ' ' || (byte >= '\t' && byte <= '\r'); }
constexpr bool IsBlank(char byte) { return ClassOf(byte) == ByteClass::kBlank; }

}  // namespace tally

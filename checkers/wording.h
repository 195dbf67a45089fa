// How a comparison is told to people: two languages, three lengths, one line without its line end. The texts
// are fixed: contestants and packages read them, and the names are values of `checker_format`.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "checkers/tokens.h"

namespace tally {

struct Wording {
  enum class Language : std::uint8_t { kEnglish, kPolish };
  // kTerse: "OK" or "WRONG" only. kAbbreviated: at most 100 bytes per word and 254 in all, around the place
  // where the words differ. kFull: whole words (of absurd ones the first mebibyte).
  enum class Length : std::uint8_t { kTerse, kAbbreviated, kFull };

  Language language = Language::kEnglish;
  Length length = Length::kAbbreviated;

  bool operator==(const Wording&) const = default;
};

// "english_abbreviated"; nullopt for a name that is none of WordingNames().
std::optional<Wording> ParseWording(std::string_view name);
const std::array<std::string_view, 6>& WordingNames();

// "OK", or "WRONG: line 2: expected "15", got end of file".
std::string Describe(const std::optional<TokenMismatch>& mismatch, Wording wording);

}  // namespace tally

// Whether bytes are text, and how many characters.
#pragma once

#include <cstddef>
#include <optional>
#include <string_view>

#include "base/units.h"

namespace tally {

// Where the first byte is that belongs to no character of UTF-8 (RFC 3629: nothing overlong, no surrogates).
std::optional<std::size_t> FirstInvalidUtf8(std::string_view bytes);

// A byte that belongs to no character is one, as it is where JSON and terminals show it.
Characters CharactersOf(std::string_view bytes);
// How many bytes the first `characters` are.
std::size_t BytesOfFirst(Characters characters, std::string_view bytes);

}  // namespace tally

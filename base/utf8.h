// Whether bytes are text.
#pragma once

#include <cstddef>
#include <optional>
#include <string_view>

namespace tally {

// Where the first byte is that belongs to no character of UTF-8 (RFC 3629: nothing overlong, no surrogates).
std::optional<std::size_t> FirstInvalidUtf8(std::string_view bytes);

}  // namespace tally

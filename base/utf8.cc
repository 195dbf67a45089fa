#include "base/utf8.h"

#include <algorithm>
#include <cstdint>
#include <cstring>

namespace tally {
namespace {

bool IsBetween(unsigned char c, unsigned char low, unsigned char high) { return c >= low && c <= high; }

// Of the character that begins with a byte of at least 0x80; 0: none does.
std::size_t LengthOf(const unsigned char* at, std::size_t left) {
  const unsigned char lead = at[0];
  const std::size_t length = IsBetween(lead, 0xc2, 0xdf)   ? 2
                             : IsBetween(lead, 0xe0, 0xef) ? 3
                             : IsBetween(lead, 0xf0, 0xf4) ? 4
                                                           : 0;
  if (length == 0 || length > left) return 0;
  const unsigned char low = lead == 0xe0 ? 0xa0 : lead == 0xf0 ? 0x90 : 0x80;
  const unsigned char high = lead == 0xed ? 0x9f : lead == 0xf4 ? 0x8f : 0xbf;
  if (!IsBetween(at[1], low, high)) return 0;
  for (std::size_t i = 2; i < length; ++i) {
    if (!IsBetween(at[i], 0x80, 0xbf)) return 0;
  }
  return length;
}

// As many characters as there are, `most` at most; how many is in `most` then.
std::size_t Walk(std::string_view bytes, std::uint64_t* most) {
  const auto* const data = reinterpret_cast<const unsigned char*>(bytes.data());
  std::size_t at = 0;
  std::uint64_t characters = 0;
  for (; at < bytes.size() && characters < *most; ++characters) {
    at += data[at] < 0x80 ? 1 : std::max<std::size_t>(1, LengthOf(data + at, bytes.size() - at));
  }
  *most = characters;
  return at;
}

}  // namespace

Characters CharactersOf(std::string_view bytes) {
  std::uint64_t characters = bytes.size();
  Walk(bytes, &characters);
  return {characters};
}

std::size_t BytesOfFirst(Characters characters, std::string_view bytes) { return Walk(bytes, &characters.count); }

std::optional<std::size_t> FirstInvalidUtf8(std::string_view bytes) {
  const auto* const data = reinterpret_cast<const unsigned char*>(bytes.data());
  std::size_t at = 0;
  while (at < bytes.size()) {
    std::uint64_t eight = 0;
    if (bytes.size() - at >= sizeof eight) std::memcpy(&eight, data + at, sizeof eight);
    if (bytes.size() - at >= sizeof eight && (eight & 0x8080808080808080) == 0) {
      at += sizeof eight;
    } else if (data[at] < 0x80) {
      ++at;
    } else {
      const std::size_t length = LengthOf(data + at, bytes.size() - at);
      if (length == 0) return at;
      at += length;
    }
  }
  return std::nullopt;
}

}  // namespace tally

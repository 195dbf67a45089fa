#include "base/printable.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/utf8.h"

namespace tally {
namespace {

// The bytes of the character that begins there; text is UTF-8.
std::size_t LengthAt(std::string_view text, std::size_t at) {
  const auto lead = static_cast<unsigned char>(text[at]);
  const std::size_t length = lead < 0x80 ? 1 : lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : 4;
  return std::min(length, text.size() - at);
}

bool IsShown(std::string_view character) {
  const auto byte = [character](std::size_t i) { return static_cast<unsigned char>(character[i]); };
  if (character.size() == 1) return byte(0) == '\t' || (byte(0) >= ' ' && byte(0) != 0x7f);
  if (character.size() == 2) return !(byte(0) == 0xc2 && byte(1) < 0xa0);
  if (character == "\xef\xbf\xbe" || character == "\xef\xbf\xbf") return false;  // no characters, and XML has none of them
  if (character.size() != 3 || byte(0) != 0xe2) return true;
  if (byte(1) == 0x80) return !(byte(2) == 0x8e || byte(2) == 0x8f || (byte(2) >= 0xaa && byte(2) <= 0xae));
  return !(byte(1) == 0x81 && byte(2) >= 0xa6 && byte(2) <= 0xa9);
}

void Escape(std::string_view bytes, std::string* out) {
  for (const char byte : bytes) *out += fmt::format("\\x{:02x}", static_cast<unsigned char>(byte));
}

}  // namespace

std::string Printable(std::string_view text) {
  std::string out;
  while (!text.empty()) {
    const std::size_t valid = FirstInvalidUtf8(text).value_or(text.size());
    for (std::size_t at = 0; at < valid;) {
      const std::string_view character = text.substr(at, LengthAt(text, at));
      if (IsShown(character)) out += character;
      else Escape(character, &out);
      at += character.size();
    }
    if (valid < text.size()) Escape(text.substr(valid, 1), &out);
    text.remove_prefix(std::min(valid + 1, text.size()));
  }
  return out;
}

}  // namespace tally

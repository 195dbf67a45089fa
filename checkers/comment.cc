#include "checkers/comment.h"

#include <algorithm>

namespace tally {
namespace {

constexpr std::string_view kBlanks = " \t\v\f\r\n";
constexpr std::string_view kReplacement = "\xEF\xBF\xBD";  // U+FFFD
constexpr std::string_view kCut = "[...]";
constexpr std::size_t kQuotedBytes = 60;

struct Sequence {
  std::size_t size = 1;
  bool valid = false;
};

// The character that `bytes` begins with, or the longest beginning of one, which is replaced as a whole.
// Overlong forms, surrogates and what lies beyond U+10FFFF show in the second byte.
Sequence FirstSequence(std::string_view bytes) {
  const auto at = [&](std::size_t i) { return static_cast<unsigned char>(bytes[i]); };
  const unsigned char lead = at(0);
  if (lead < 0x80) return {1, lead != 0};
  std::size_t size = 0;
  unsigned char low = 0x80;
  unsigned char high = 0xBF;
  if (lead >= 0xC2 && lead <= 0xDF) {
    size = 2;
  } else if (lead >= 0xE0 && lead <= 0xEF) {
    size = 3;
    if (lead == 0xE0) low = 0xA0;
    if (lead == 0xED) high = 0x9F;
  } else if (lead >= 0xF0 && lead <= 0xF4) {
    size = 4;
    if (lead == 0xF0) low = 0x90;
    if (lead == 0xF4) high = 0x8F;
  } else {
    return {1, false};
  }
  for (std::size_t i = 1; i < size; ++i) {
    if (i >= bytes.size() || at(i) < low || at(i) > high) return {i, false};
    low = 0x80;
    high = 0xBF;
  }
  return {size, true};
}

// Cuts valid UTF-8 to at most `limit` bytes, between characters.
void CutTo(std::string& text, std::size_t limit) {
  while (limit > 0 && (static_cast<unsigned char>(text[limit]) & 0xC0) == 0x80) --limit;
  text.resize(limit);
}

// Repairs no more than what can matter for `limit` bytes: a checker may print megabytes without a line end.
std::string Limited(std::string_view bytes, std::size_t limit) {
  std::string text = RepairUtf8(bytes.substr(0, limit + 4));
  if (text.size() <= limit && bytes.size() <= limit) return text;
  if (text.size() > limit - kCut.size()) CutTo(text, limit - kCut.size());
  text += kCut;
  return text;
}

}  // namespace

std::string RepairUtf8(std::string_view bytes) {
  std::string text;
  text.reserve(bytes.size());
  while (!bytes.empty()) {
    const Sequence next = FirstSequence(bytes);
    text += next.valid ? bytes.substr(0, next.size) : kReplacement;
    bytes.remove_prefix(next.size);
  }
  return text;
}

std::string MakeComment(std::string_view bytes) { return Limited(bytes, kCommentBytes); }

std::string_view TrimEnd(std::string_view line) {
  return line.substr(0, line.find_last_not_of(kBlanks) + 1);  // npos + 1 is 0
}

std::string_view FirstLine(std::string_view text) {
  const std::size_t begin = text.find_first_not_of(kBlanks);
  if (begin == std::string_view::npos) return {};
  text.remove_prefix(begin);
  return TrimEnd(text.substr(0, text.find('\n')));
}

std::string Quoted(std::string_view bytes) { return '"' + Limited(bytes, kQuotedBytes) + '"'; }

}  // namespace tally

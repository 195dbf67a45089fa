#include "dispatcher/netstrings.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "base/error.h"

namespace tally {

std::string Netstring(std::string_view text) { return fmt::format("{}:{},", text.size(), text); }

std::optional<std::string> Netstrings::Take() {
  constexpr std::size_t kLongestNumber = 10;
  const std::size_t colon = bytes_.find(':');
  const std::string_view number = std::string_view(bytes_).substr(0, std::min(colon, kLongestNumber + 1));
  const bool is_number = std::all_of(number.begin(), number.end(), [](char c) { return c >= '0' && c <= '9'; });
  if (!is_number || number.size() > kLongestNumber || (colon == 0 && !bytes_.empty())) throw UserError("what came is no netstring");
  if (colon == std::string::npos) return std::nullopt;
  std::size_t size = 0;
  std::from_chars(number.data(), number.data() + number.size(), size);
  if (size > longest_) throw UserError(fmt::format("a message of {} bytes came; {} are the most", size, longest_));
  if (bytes_.size() < colon + size + 2) return std::nullopt;
  if (bytes_[colon + 1 + size] != ',') throw UserError("what came is no netstring");
  std::string text = bytes_.substr(colon + 1, size);
  bytes_.erase(0, colon + size + 2);
  return text;
}

}  // namespace tally

// Base64 of RFC 4648, section 4: with padding, without line ends.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace tally {

std::string EncodeBase64(std::string_view bytes);
// nullopt when the text is none.
std::optional<std::string> DecodeBase64(std::string_view text);

}  // namespace tally

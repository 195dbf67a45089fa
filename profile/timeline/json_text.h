// A text as a JSON string, whatever bytes it has: names of files are the program's.
#pragma once

#include <string>
#include <string_view>

namespace tally {

// With its quotes. Bytes that are no UTF-8 become U+FFFD.
std::string JsonText(std::string_view text);

}  // namespace tally

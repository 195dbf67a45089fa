// Text that strangers wrote, on its way to a terminal: what would move the cursor, paint, or turn the direction of writing is shown as what
// it is.
#pragma once

#include <string>
#include <string_view>

namespace tally {

// One line's text: tabs stay; other control characters (C0, DEL, C1: U+0080 to U+009F), controls of direction (U+200E, U+200F, U+202A to
// U+202E, U+2066 to U+2069), U+FFFE, U+FFFF and bytes that are no UTF-8 become \xNN, byte by byte. A line feed is one of them.
std::string Printable(std::string_view text);

}  // namespace tally

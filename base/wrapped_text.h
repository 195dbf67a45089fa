// A whole text for a terminal, none of whose lines is wider than it: those that are go on below themselves, further in.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace tally {

// Lines are broken at blanks, or within words that are wider than the terminal; what paints takes no room. `columns` 0: as it is.
std::string WrappedText(std::string_view text, std::size_t columns);

// A help text, whose descriptions begin in one column: where few columns are left for them, each stands below its option.
std::string WrappedHelp(std::string_view text, std::size_t columns);

}  // namespace tally

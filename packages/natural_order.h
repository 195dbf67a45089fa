// "10" after "2", "1b" after "1a": digits compare as numbers.
#pragma once

#include <string_view>

namespace tally {

bool NaturallyBefore(std::string_view a, std::string_view b);

}  // namespace tally

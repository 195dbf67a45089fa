// {name} in the words of a command template. Braces around anything but a name are plain text, so a template
// may hold a small program in another language.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace tally {

using PlaceholderValues = std::vector<std::pair<std::string, std::string>>;

// The names in braces in `word`.
std::vector<std::string> PlaceholdersIn(std::string_view word);

// Names that are not in `values` stay as they are.
std::string FillIn(std::string_view word, const PlaceholderValues& values);

}  // namespace tally

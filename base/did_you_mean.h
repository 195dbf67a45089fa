// Help for a word that is not one of the known ones: the closest of them, and their list.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace tally {

// ` (did you mean "time"?)` when one of `words` is close to `word`, else "".
std::string DidYouMean(std::string_view word, const std::vector<std::string>& words);

// "a, b, c"
std::string JoinWords(const std::vector<std::string>& words);

}  // namespace tally

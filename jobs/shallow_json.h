// JSON of strangers. nlohmann's is copied and written by recursion: what is nested deeper than anything needs would take our stack, so it is
// not taken in at all.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string_view>

namespace tally {

inline constexpr int kDeepestNesting = 64;

// UserError: nested too deep; `source` is how messages call the text. Else what nlohmann's parse throws.
nlohmann::json ParseShallow(std::string_view text, std::string_view source);
// Without what is nested too deep, and *was_cut says that there was some. A discarded value where it is no JSON.
nlohmann::json ParseWithoutDepths(std::string_view text, bool* was_cut);

}  // namespace tally

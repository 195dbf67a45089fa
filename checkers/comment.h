// What a checker prints is bytes; what goes into a report is text of a bounded size. These turn one into the
// other, so that no checker can break a report or flood it.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace tally {

inline constexpr std::size_t kCommentBytes = 1024;

// Valid UTF-8 without NULs: each broken sequence becomes U+FFFD.
std::string RepairUtf8(std::string_view bytes);

// Repaired, and at most kCommentBytes long: a longer one is cut to 1019 bytes, or to the last whole character
// before, and "[...]" follows.
std::string MakeComment(std::string_view bytes);

// The first line that is not blank, without the blanks around it; empty if there is none.
std::string_view FirstLine(std::string_view text);

std::string_view TrimEnd(std::string_view line);

// In quotes, for a sentence about what a checker printed; the beginning only if it is long.
std::string Quoted(std::string_view bytes);

}  // namespace tally

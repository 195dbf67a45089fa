// The field's words for what became of a program; docs/results.md defines each and the order in which they win.
#pragma once

#include <cstddef>
#include <cstdint>
#include <iterator>
#include <optional>
#include <string_view>

namespace tally {

// OK WA TLE MLE OLE RE RV CE SE. A run itself never gives WA (a checker does), CE (a compile job does) or
// SE (an exception does).
enum class ResultCode : std::uint8_t { kOk, kWa, kTle, kMle, kOle, kRe, kRv, kCe, kSe };
inline constexpr std::string_view kResultCodeNames[] = {"OK", "WA", "TLE", "MLE", "OLE", "RE", "RV", "CE", "SE"};

constexpr std::string_view Name(ResultCode code) { return kResultCodeNames[static_cast<std::size_t>(code)]; }

constexpr std::optional<ResultCode> ParseResultCode(std::string_view name) {
  for (std::size_t i = 0; i < std::size(kResultCodeNames); ++i) {
    if (kResultCodeNames[i] == name) return static_cast<ResultCode>(i);
  }
  return std::nullopt;
}

}  // namespace tally

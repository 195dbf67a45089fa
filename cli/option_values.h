// Options that hold a size or a duration: parsed if the user gave them, and a mistake names the option.
#pragma once

#include <fmt/format.h>

#include <optional>
#include <string>
#include <string_view>

#include "base/error.h"
#include "base/units.h"

namespace tally {

template <typename Parse>
auto Given(const char* option, const std::optional<std::string>& text, Parse parse)
    -> std::optional<decltype(parse(std::string_view()))> {
  if (!text) return std::nullopt;
  try {
    return parse(*text);
  } catch (const UserError& error) {
    throw UserError(fmt::format("{}: {}", option, error.what()));
  }
}

inline Bytes ParseMemoryLimit(std::string_view text) {
  const Bytes size = ParseBytes(text);
  if (size.count == 0) throw UserError("0 leaves no memory to run; leave it out for no limit");
  return size;
}

inline Nanoseconds ParseTimeLimit(std::string_view text) {
  const Nanoseconds time = ParseDuration(text);
  if (time.count() == 0) throw UserError("0 leaves no time to run; leave it out for no limit");
  return time;
}

}  // namespace tally

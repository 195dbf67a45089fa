#include "dispatcher/setting_values.h"

#include <fmt/format.h>

#include <charconv>

#include "base/error.h"

namespace tally {

double ParseCpus(const std::string& text) {
  double cpus = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), cpus);
  if (error != std::errc() || end != text.data() + text.size() || !(cpus >= 0.01 && cpus <= 1024)) {
    throw UserError(fmt::format("found \"{}\"; expected a number of processors, like 1 or 0.5", text));
  }
  return cpus;
}

std::int64_t ParseCacheSeconds(const std::string& text) {
  std::int64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size() || number < -1) {
    throw UserError(fmt::format("found \"{}\"; expected seconds, 0 for off or -1 for ever", text));
  }
  return number;
}

Characters ParseOutputSize(const std::string& text) {
  const bool is_bare = !text.empty() && text.find_first_not_of("0123456789") == std::string::npos;
  const std::uint64_t count = ParseBytes(is_bare ? text + "b" : text).count;
  if (count < 1 || count > kMostOutputSize.count) {
    throw UserError(fmt::format("found \"{}\"; expected characters, 1 to {}", text, FormatCount(kMostOutputSize.count)));
  }
  return {count};
}

}  // namespace tally

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

}  // namespace tally

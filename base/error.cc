#include "base/error.h"

#include <algorithm>
#include <cstdio>
#include <cstring>

namespace tally {
namespace {

std::string Describe(std::string_view call, int error) {
  std::string text(call);
  if (error != 0) text += ": " + ErrnoText(error);
  return text;
}

std::string OneLine(std::string text) {
  std::replace_if(text.begin(), text.end(), [](unsigned char c) { return c < ' ' || c == 127; }, '?');
  return text;
}

}  // namespace

UserError::UserError(const std::string& sentence) : std::runtime_error(OneLine(sentence)) {}
UserError::UserError(const std::string& sentence, const std::string& details)
    : std::runtime_error(OneLine(sentence) + "\n" + details) {}

SystemError::SystemError(std::string_view call, int error)
    : std::runtime_error(Describe(call, error)), error_(error) {}

void Complain(const std::string& line) noexcept {
  [[maybe_unused]] const std::size_t written = std::fwrite(line.data(), 1, line.size(), stderr);
  std::fputc('\n', stderr);
}

std::string ErrnoText(int error) {
  const char* text = ::strerrordesc_np(error);
  return text != nullptr ? text : "error " + std::to_string(error);
}

}  // namespace tally

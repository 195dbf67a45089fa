#include "base/error.h"

#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <exception>
#include <string_view>

#include "base/printable.h"
#include "base/terminal.h"
#include "base/wrapped_text.h"

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

// Names of files and sentences of others are in it.
std::string Complaint(std::string_view text, int descriptor) {
  std::string shown;
  const std::size_t columns = TerminalColumns(descriptor);
  for (;;) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    shown += WrappedText(Printable(text.substr(0, end)), columns) + "\n";
    if (end == text.size()) return shown;
    text.remove_prefix(end + 1);
  }
}

void Complain(const std::string& text) noexcept {
  try {
    const std::string shown = Complaint(text, STDERR_FILENO);
    [[maybe_unused]] const std::size_t written = std::fwrite(shown.data(), 1, shown.size(), stderr);
  } catch (const std::exception&) {
    std::fputs("tally: failure: no memory is left\n", stderr);
  }
}

std::string ErrnoText(int error) {
  const char* text = ::strerrordesc_np(error);
  return text != nullptr ? text : "error " + std::to_string(error);
}

}  // namespace tally

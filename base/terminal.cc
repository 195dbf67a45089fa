#include "base/terminal.h"

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>

#include "base/printable.h"

namespace tally {
namespace {

constexpr int kBarWidth = 24;

std::size_t TerminalWidth() {
  winsize size{};
  return ::ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0 ? size.ws_col : 80;
}

// Over what the line was.
void Draw(std::string_view line) {
  fmt::print(stderr, "\r\x1b[K{}", line.substr(0, TerminalWidth() - 1));
  std::fflush(stderr);
}

}  // namespace

bool WantsColour(int fd) {
  const char* no_colour = std::getenv("NO_COLOR");
  const char* terminal = std::getenv("TERM");
  if (no_colour != nullptr && *no_colour != '\0') return false;
  return ::isatty(fd) == 1 && terminal != nullptr && std::strcmp(terminal, "dumb") != 0;
}

std::string Paint(std::string_view text, const char* style, bool colour) {
  if (!colour) return std::string(text);
  return fmt::format("\x1b[{}m{}\x1b[0m", style, text);
}

std::string Dim(std::string_view text, bool colour) { return Paint(text, "2", colour); }
std::string Bold(std::string_view text, bool colour) { return Paint(text, "1", colour); }

ProgressBar::ProgressBar(std::size_t total, std::string title)
    : total_(std::max<std::size_t>(total, 1)), title_(std::move(title)), active_(::isatty(STDERR_FILENO) == 1) {}

ProgressBar::~ProgressBar() { Clear(); }

void ProgressBar::Show(std::size_t done, std::string_view note) const {
  if (!active_) return;
  const auto filled = static_cast<std::size_t>(kBarWidth) * std::min(done, total_) / total_;
  std::string line = fmt::format("{} ", title_);
  for (std::size_t i = 0; i < kBarWidth; ++i) line += i < filled ? "#" : ".";
  line += fmt::format(" {}/{} {}", done, total_, note);
  Draw(Printable(line));
}

void ProgressBar::Clear() const {
  if (active_) Draw("");
}

StatusLine::~StatusLine() { Clear(); }

void StatusLine::Show(std::string_view text) {
  if (::isatty(STDERR_FILENO) != 1) return;
  Draw(Printable(text));
  drawn_ = true;
}

void StatusLine::Clear() {
  if (drawn_) Draw("");
  drawn_ = false;
}

}  // namespace tally

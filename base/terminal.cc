#include "base/terminal.h"

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>

#include "base/columns.h"
#include "base/printable.h"

namespace tally {
namespace {

constexpr int kBarWidth = 24;

constexpr std::size_t kUsualColumns = 80;

// Over what the line was.
void Draw(std::string_view line) {
  const std::size_t columns = TerminalColumns(STDERR_FILENO);
  fmt::print(stderr, "\r\x1b[K{}", Shortened(line, (columns > 0 ? columns : kUsualColumns) - 1));
  std::fflush(stderr);
}

}  // namespace

bool WantsColour(int fd) {
  const char* no_colour = std::getenv("NO_COLOR");
  return (no_colour == nullptr || *no_colour == '\0') && CanRedraw(fd);
}

bool CanRedraw(int fd) {
  const char* terminal = std::getenv("TERM");
  return ::isatty(fd) == 1 && terminal != nullptr && *terminal != '\0' && std::strcmp(terminal, "dumb") != 0;
}

std::size_t TerminalColumns(int fd) {
  winsize size{};
  return ::ioctl(fd, TIOCGWINSZ, &size) == 0 ? size.ws_col : 0;
}

std::string Paint(std::string_view text, const char* style, bool colour) {
  if (!colour) return std::string(text);
  return fmt::format("\x1b[{}m{}\x1b[0m", style, text);
}

std::string Dim(std::string_view text, bool colour) { return Paint(text, "2", colour); }
std::string Bold(std::string_view text, bool colour) { return Paint(text, "1", colour); }

ProgressBar::ProgressBar(std::size_t total, std::string title)
    : total_(std::max<std::size_t>(total, 1)), title_(std::move(title)), active_(CanRedraw(STDERR_FILENO)) {}

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
  if (!CanRedraw(STDERR_FILENO)) return;
  Draw(Printable(text));
  drawn_ = true;
}

void StatusLine::Clear() {
  if (drawn_) Draw("");
  drawn_ = false;
}

}  // namespace tally

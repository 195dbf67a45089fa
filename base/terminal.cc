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

constexpr std::size_t kBarWidth = 24;

std::size_t StderrColumns() {
  constexpr std::size_t kUsual = 80;
  const std::size_t columns = TerminalColumns(STDERR_FILENO);
  return columns > 0 ? columns : kUsual;
}

// Over what the line was.
void Draw(std::string_view line) {
  fmt::print(stderr, "\r\x1b[K{}", Shortened(line, StderrColumns() - 1));
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

std::string ProgressText(std::string_view title, std::size_t done, std::size_t total, std::string_view note, std::size_t columns) {
  constexpr std::size_t kShortestNote = 12;
  const std::string count = fmt::format("{}/{}", done, total);
  const std::size_t beside = CharactersIn(title) + CharactersIn(count) + std::min(CharactersIn(note), kShortestNote) + 4;
  const std::size_t width = std::min(kBarWidth, columns - std::min(columns, beside));
  const std::size_t filled = width * std::min(done, total) / total;
  const std::string bar = std::string(filled, '#') + std::string(width - filled, '.');
  return fmt::format("{} {}{}{} {}", title, bar, bar.empty() ? "" : " ", count, note);
}

ProgressBar::ProgressBar(std::size_t total, std::string title)
    : total_(std::max<std::size_t>(total, 1)), title_(std::move(title)), active_(CanRedraw(STDERR_FILENO)) {}

ProgressBar::~ProgressBar() { Clear(); }

void ProgressBar::Show(std::size_t done, std::string_view note) const {
  if (active_) Draw(Printable(ProgressText(title_, done, total_, note, StderrColumns())));
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

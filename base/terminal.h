// What is printed for people: colours only on a terminal that wants them, a progress bar that leaves no trace.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace tally {

// stderr and stdout are asked apart; NO_COLOR (no-color.org) and TERM=dumb are respected.
bool WantsColour(int fd);

// Whether a line there can be drawn over: a terminal that is not TERM=dumb, which would show the codes for it.
bool CanRedraw(int fd);

// How many columns the terminal has; 0 where it is none, or does not say.
std::size_t TerminalColumns(int fd);

// In the colours of SGR parameters, "1;32", if `colour`.
std::string Paint(std::string_view text, const char* style, bool colour);
std::string Dim(std::string_view text, bool colour);
std::string Bold(std::string_view text, bool colour);

// "sum.cpp ######...... 1/2 what is done": on a terminal of so many columns the bar is the shorter, so that the count is seen.
std::string ProgressText(std::string_view title, std::size_t done, std::size_t total, std::string_view note, std::size_t columns);

// One line on stderr that is drawn over and over, and wiped at the end. Nothing without a terminal.
class ProgressBar {
 public:
  ProgressBar(std::size_t total, std::string title);
  ~ProgressBar();
  ProgressBar(const ProgressBar&) = delete;
  ProgressBar& operator=(const ProgressBar&) = delete;
  // `note` says what is being done now.
  void Show(std::size_t done, std::string_view note) const;
  // Wipes the line, so that something else can be printed.
  void Clear() const;

 private:
  std::size_t total_;
  std::string title_;
  bool active_;
};

// The same without a bar: what is done now, where nobody can tell how much is left.
class StatusLine {
 public:
  StatusLine() = default;
  ~StatusLine();
  StatusLine(const StatusLine&) = delete;
  StatusLine& operator=(const StatusLine&) = delete;
  void Show(std::string_view text);
  void Clear();

 private:
  bool drawn_ = false;
};

}  // namespace tally

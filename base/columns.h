// A table for people: cells under heads, and a text behind them. Where the terminal is too narrow for that, the text gets a line of its
// own, and columns go until the others fit.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace tally {

struct Column {
  std::string head;
  std::size_t width = 0;
  bool to_the_right = false;  // as figures stand
  unsigned goes = 0;          // from a narrow terminal: 1 before 2; 0 stays
  const char* gap = "  ";     // before it
};

struct Cell {
  std::string text;
  const char* style = "";  // SGR parameters; "" is plain
};

class Columns {
 public:
  // `terminal` is how many columns that has, 0 as many as are wanted.
  Columns(std::vector<Column> columns, std::size_t terminal, bool colour);

  [[nodiscard]] std::string Head() const;  // with its end of line
  // A cell for each column, those that went included. The text stays whole where it has lines of its own, and behind the cells it is cut.
  [[nodiscard]] std::string Row(const std::vector<Cell>& cells, const Cell& text = {}) const;
  [[nodiscard]] std::size_t width() const;  // of all that did not go

 private:
  [[nodiscard]] bool Shows(const Column& column) const { return column.goes == 0 || column.goes > gone_; }

  std::vector<Column> columns_;
  std::size_t terminal_;
  bool colour_;
  unsigned gone_ = 0;  // those whose turn it was
};

// How many characters a text has: their columns, but for scripts whose characters take two.
std::size_t CharactersIn(std::string_view text);

// Cut behind as many characters, "..." the last three of them.
std::string Shortened(std::string_view text, std::size_t most);

// The same of a path, whose end says more than its beginning: "...accepted/sum.cpp".
std::string ShortenedInFront(std::string_view text, std::size_t most);

// Broken at blanks, so that no line is longer than `columns` (0: not at all); lines after the first one begin with `indent` blanks.
std::string Wrapped(std::string_view text, std::size_t columns, std::size_t indent);

}  // namespace tally

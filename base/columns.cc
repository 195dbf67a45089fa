#include "base/columns.h"

#include <algorithm>
#include <utility>

#include "base/terminal.h"

namespace tally {
namespace {

constexpr std::size_t kMargin = 2;
constexpr std::size_t kShortestText = 30;  // behind the cells
constexpr std::size_t kLongestText = 90;   // likewise
constexpr std::size_t kTextIndent = 6;     // on lines of its own
constexpr std::string_view kTextGap = "  ";
constexpr std::string_view kDots = "...";

bool BeginsCharacter(char byte) { return (static_cast<unsigned char>(byte) & 0xc0) != 0x80; }

// Where so many characters end.
std::size_t EndOf(std::string_view text, std::size_t characters) {
  std::size_t end = 0;
  for (std::size_t seen = 0; end < text.size(); ++end) {
    if (BeginsCharacter(text[end]) && seen++ == characters) break;
  }
  return end;
}

std::string Blanks(std::size_t count) { return std::string(count, ' '); }

}  // namespace

std::size_t CharactersIn(std::string_view text) { return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), BeginsCharacter)); }

std::string Shortened(std::string_view text, std::size_t most) {
  if (CharactersIn(text) <= most) return std::string(text);
  return std::string(text.substr(0, EndOf(text, most - std::min(most, kDots.size())))).append(kDots);
}

std::string ShortenedInFront(std::string_view text, std::size_t most) {
  const std::size_t characters = CharactersIn(text);
  if (characters <= most) return std::string(text);
  const std::size_t dots = std::min(most, kDots.size());
  return std::string(kDots.substr(0, dots)).append(text.substr(EndOf(text, characters - (most - dots))));
}

std::string Wrapped(std::string_view text, std::size_t columns, std::size_t indent) {
  if (columns == 0) return std::string(text);
  std::string out;
  std::size_t room = columns;
  while (CharactersIn(text) > room) {
    const std::size_t full = EndOf(text, room);
    const std::size_t blank = text.rfind(' ', full);  // at the end of what fits, or before it
    const bool is_word = blank == std::string_view::npos || blank == 0;
    const std::size_t end = is_word ? full : blank;
    if (end == 0) break;
    out.append(text.substr(0, end)).append("\n").append(indent, ' ');
    text.remove_prefix(end);
    while (text.starts_with(' ')) text.remove_prefix(1);
    room = columns > indent ? columns - indent : 1;
  }
  return out.append(text);
}

Columns::Columns(std::vector<Column> columns, std::size_t terminal, bool colour) : columns_(std::move(columns)), terminal_(terminal), colour_(colour) {
  for (Column& column : columns_) column.width = std::max(column.width, CharactersIn(column.head));
  unsigned last = 0;
  for (const Column& column : columns_) last = std::max(last, column.goes);
  while (terminal_ > 0 && width() > terminal_ && gone_ < last) ++gone_;
}

std::size_t Columns::width() const {
  std::size_t sum = 0;
  for (const Column& column : columns_) {
    if (Shows(column)) sum += (sum == 0 ? kMargin : CharactersIn(column.gap)) + column.width;
  }
  return sum;
}

std::string Columns::Head() const {
  std::vector<Cell> heads;
  for (const Column& column : columns_) heads.push_back({column.head, "2"});
  return Row(heads);
}

std::string Columns::Row(const std::vector<Cell>& cells, const Cell& text) const {
  std::string out;
  std::size_t blanks = 0;  // not written where nothing follows
  const auto add = [&](const Cell& cell) {
    if (cell.text.empty()) return;
    out += Blanks(std::exchange(blanks, 0)) + (*cell.style != '\0' ? Paint(cell.text, cell.style, colour_) : cell.text);
  };
  for (std::size_t i = 0; i < columns_.size() && i < cells.size(); ++i) {
    const Column& column = columns_[i];
    if (!Shows(column)) continue;
    blanks += i == 0 ? kMargin : CharactersIn(column.gap);
    const std::size_t padding = column.width - std::min(column.width, CharactersIn(cells[i].text));
    if (column.to_the_right) blanks += padding;
    add(cells[i]);
    if (!column.to_the_right) blanks += padding;
  }
  const std::size_t taken = width() + kTextGap.size();
  if (terminal_ == 0 || terminal_ >= taken + kShortestText) {
    blanks += kTextGap.size();
    add({Shortened(text.text, terminal_ == 0 ? kLongestText : std::min(kLongestText, terminal_ - taken)), text.style});
    return out + "\n";
  }
  if (text.text.empty()) return out + "\n";
  const std::string own = Wrapped(Blanks(kTextIndent) + text.text, terminal_, kTextIndent);
  return out + "\n" + (*text.style != '\0' ? Paint(own, text.style, colour_) : own) + "\n";
}

}  // namespace tally

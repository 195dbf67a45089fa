#include "base/wrapped_text.h"

#include <algorithm>
#include <optional>


namespace tally {
namespace {

constexpr char kEscape = '\x1b';
constexpr std::size_t kDescriptions = 30;  // the column in which they begin
constexpr std::size_t kNarrowest = 70;     // for them to stay there

// One line, taken byte by byte.
class Line {
 public:
  Line(std::size_t columns, std::size_t indent) : columns_(columns), indent_(std::min(indent, columns / 2)) {}

  void Add(char byte) {
    if (byte == kEscape) paints_ = true;
    const bool begins_character = !paints_ && (static_cast<unsigned char>(byte) & 0xc0) != 0x80;
    while (begins_character && width_ >= columns_) {
      if (!Break(byte)) return;
    }
    if (begins_character) {
      if (byte == ' ' && has_word_) {
        blank_ = line_.size();
        width_at_blank_ = width_;
      }
      has_word_ = has_word_ || byte != ' ';
      ++width_;
    }
    line_ += byte;
    if (paints_ && byte >= '@' && byte <= '~' && byte != '[') paints_ = false;
  }
  std::string End() { return done_ + line_; }

 private:
  // false: the byte is the blank at which it is broken.
  bool Break(char byte) {
    std::string rest;
    std::size_t width = 0;
    if (byte != ' ' && blank_) {
      rest = line_.substr(*blank_ + 1);
      width = width_ - width_at_blank_ - 1;
      line_.erase(*blank_);
    }
    line_.erase(line_.find_last_not_of(' ') + 1);
    done_ += line_ + "\n";
    line_ = std::string(indent_, ' ') + rest;
    width_ = indent_ + width;
    blank_.reset();
    has_word_ = !rest.empty();
    return byte != ' ';
  }

  std::size_t columns_, indent_;
  std::string done_, line_;
  std::size_t width_ = 0;
  std::optional<std::size_t> blank_;  // the last one that has a word before it
  std::size_t width_at_blank_ = 0;
  bool has_word_ = false, paints_ = false;
};

std::string WrappedLine(std::string_view line, std::size_t columns, std::size_t indent) {
  Line out(columns, indent);
  for (const char byte : line) out.Add(byte);
  return out.End();
}

std::size_t IndentOf(std::string_view line) { return std::min(line.find_first_not_of(' '), line.size()); }

// "  --name TEXT      What it is", or a description alone, behind blanks.
bool HasDescription(std::string_view line) {
  return line.size() > kDescriptions && line.starts_with("  ") && line[kDescriptions - 1] == ' ' && line[kDescriptions] != ' ' &&
         (line[2] == '-' || IndentOf(line) == kDescriptions || line.substr(2, kDescriptions - 2).find("  ") != std::string_view::npos);
}

template <typename Wrap>
std::string EachLine(std::string_view text, std::size_t columns, Wrap wrap) {
  if (columns == 0) return std::string(text);
  std::string out;
  while (!text.empty()) {
    const std::size_t end = text.find('\n');
    out += wrap(text.substr(0, end));
    if (end == std::string_view::npos) break;
    out += '\n';
    text.remove_prefix(end + 1);
  }
  return out;
}

}  // namespace

std::string WrappedText(std::string_view text, std::size_t columns) {
  return EachLine(text, columns, [columns](std::string_view line) { return WrappedLine(line, columns, IndentOf(line) + 2); });
}

std::string WrappedHelp(std::string_view text, std::size_t columns) {
  return EachLine(text, columns, [columns](std::string_view line) {
    if (!HasDescription(line)) return WrappedLine(line, columns, IndentOf(line) + 2);
    if (columns >= kNarrowest) return WrappedLine(line, columns, kDescriptions);
    constexpr std::size_t kBelow = 6;
    std::string names(line.substr(0, kDescriptions));
    names.erase(names.find_last_not_of(' ') + 1);
    const std::string description = std::string(kBelow, ' ').append(line.substr(kDescriptions));
    return (names.empty() ? "" : WrappedLine(names, columns, kBelow) + "\n") + WrappedLine(description, columns, kBelow);
  });
}

}  // namespace tally

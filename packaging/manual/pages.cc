#include "packaging/manual/pages.h"

#include <algorithm>
#include <cctype>

namespace tally {
namespace {

// Plain text as roff: a backslash is none of roff's, "-" is a hyphen-minus (people copy options), and no line is a request.
std::string Plain(const std::string& text) {
  std::string out;
  for (const char c : text) {
    if (c == '\\') {
      out += "\\e";
    } else if (c == '-') {
      out += "\\-";
    } else if (out.empty() && (c == '.' || c == '\'')) {
      out += std::string("\\&") + c;
    } else {
      out += c;
    }
  }
  return out;
}

std::string Upper(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(), [](unsigned char c) { return std::toupper(c); });
  return text;
}

std::string Sentence(std::string text) {
  if (!text.empty()) text.front() = static_cast<char>(std::tolower(static_cast<unsigned char>(text.front())));
  return text;
}

// "auto|full" in bold, "TEXT" in italics.
std::string Value(const std::string& value) {
  std::string out;
  for (const std::string& word : Split(value, '|')) {
    const bool is_placeholder = word == Upper(word);
    out += (out.empty() ? "" : "|") + std::string(is_placeholder ? "\\fI" : "\\fB") + Plain(word) + "\\fR";
  }
  return out;
}

std::string OptionEntry(const OptionText& option) {
  std::string names;
  for (const std::string& name : option.names) names += (names.empty() ? "" : ", ") + ("\\fB" + Plain(name) + "\\fR");
  if (option.kind == OptionText::Kind::kPositional) names = "\\fI" + Plain(Upper(option.names.front())) + "\\fR";
  if (option.kind == OptionText::Kind::kOption) names += " " + Value(option.value);
  return ".TP\n" + names + (option.many ? " ..." : "") + "\n" + Plain(option.help) + "\n";
}

std::string Synopsis(const CommandText& command) {
  std::string out = ".B tally " + Plain(command.name) + "\n.RI [ options ]\n";
  for (const OptionText& option : command.options) {
    if (option.kind != OptionText::Kind::kPositional) continue;
    const std::string name = "\\fI" + Plain(Upper(option.names.front())) + "\\fR" + (option.many ? " ..." : "");
    out += option.required ? name + "\n" : "[" + name + "]\n";
  }
  return out;
}

}  // namespace

std::string CommandPage(const CommandText& command, const std::string& text) {
  const std::string name = "tally-" + command.name;
  std::string out = ".TH " + Upper(name) + " 1 \"\" \"tally " TALLY_VERSION "\" \"User Commands\"\n";
  out += ".SH NAME\n" + Plain(name) + " \\- " + Plain(Sentence(command.help)) + "\n";
  out += ".SH SYNOPSIS\n" + Synopsis(command);
  if (!text.empty()) out += ".SH DESCRIPTION\n" + text;
  out += ".SH OPTIONS\n";
  for (const OptionText& option : command.options) out += OptionEntry(option);
  if (!command.footer.empty()) {
    out += ".SH NOTES\n.nf\n";
    for (const std::string& line : command.footer) out += line.empty() ? ".sp\n" : Plain(line) + "\n";
    out += ".fi\n";
  }
  return out + ".SH SEE ALSO\n.BR tally (1)\n";
}

std::string ListOfCommands(const std::vector<CommandText>& commands) {
  std::string out;
  for (const CommandText& command : commands) {
    out += ".TP\n.BR tally\\-" + Plain(command.name) + " (1)\n" + Plain(command.help) + "\n";
  }
  return out;
}

}  // namespace tally

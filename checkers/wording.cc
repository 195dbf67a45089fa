#include "checkers/wording.h"

#include <algorithm>
#include <cstddef>

namespace tally {
namespace {

struct NamedWording {
  std::string_view name;
  Wording wording;
};

constexpr std::array<NamedWording, 6> kWordings = {{
    {"english_terse", {Wording::Language::kEnglish, Wording::Length::kTerse}},
    {"english_abbreviated", {Wording::Language::kEnglish, Wording::Length::kAbbreviated}},
    {"english_full", {Wording::Language::kEnglish, Wording::Length::kFull}},
    {"polish_terse", {Wording::Language::kPolish, Wording::Length::kTerse}},
    {"polish_abbreviated", {Wording::Language::kPolish, Wording::Length::kAbbreviated}},
    {"polish_full", {Wording::Language::kPolish, Wording::Length::kFull}},
}};

struct Phrases {
  std::string_view ok;
  std::string_view wrong;
  std::string_view line;
  std::string_view expected;
  std::string_view got;
  std::string_view end_of_line;
  std::string_view end_of_file;
};

constexpr Phrases kEnglish = {"OK",     "WRONG",       ": line ",    ": expected ",
                              ", got ", "end of line", "end of file"};
constexpr Phrases kPolish = {
    "OK", "ŹLE", ": wiersz ", ": oczekiwano ", ", otrzymano ", "koniec wiersza", "koniec pliku"};

constexpr std::string_view kEllipsis = "…";

// What a word may cost, in bytes as shown. The quotes around it are on the bill at the price of an escape,
// which leaves 88 bytes for an abbreviated word.
constexpr std::size_t kEscapeCost = 6;
constexpr std::size_t kAbbreviatedCost = 100 - 2 * kEscapeCost;
constexpr std::size_t kFullCost = std::size_t{1} << 20;

bool ShownAsItIs(char byte) { return byte > ' ' && byte <= '~' && byte != '"' && byte != '<' && byte != '>'; }

std::size_t CostOf(char byte) { return ShownAsItIs(byte) ? 1 : kEscapeCost; }

std::size_t CostOf(std::string_view text) {
  std::size_t cost = 0;
  for (const char byte : text) cost += CostOf(byte);
  return cost;
}

// Whether `text` costs no more than `limit`; reads no more of it than it must.
bool Fits(std::string_view text, std::size_t limit) { return text.size() <= limit && CostOf(text) <= limit; }

void Show(std::string_view text, std::string& out) {
  constexpr std::string_view kDigits = "0123456789ABCDEF";
  for (const char byte : text) {
    if (ShownAsItIs(byte)) {
      out += byte;
      continue;
    }
    const auto value = static_cast<unsigned char>(byte);
    out += "<0x";
    out += kDigits[value >> 4];
    out += kDigits[value & 15];
    out += '>';
  }
}

// Shows `gap` whole if it fits the budget, else as many of its first bytes as fit with an ellipsis. The
// budget is never below what the ellipsis, or a gap that is shorter than one, costs.
void ShowGap(std::string_view gap, std::size_t& budget, std::string& out) {
  if (Fits(gap, budget)) {
    budget -= CostOf(gap);
    Show(gap, out);
    return;
  }
  budget -= kEllipsis.size();
  std::size_t shown = 0;
  while (CostOf(gap[shown]) <= budget) budget -= CostOf(gap[shown++]);
  Show(gap.substr(0, shown), out);
  out += kEllipsis;
}

// Shows a word, which differs from its peer after `same` bytes, within a budget. What must be seen is its
// first byte and the place of the first difference with a byte on each side; the bytes before that place,
// then those after it, share what is left.
void ShowWord(std::string_view word, std::size_t same, std::size_t budget, std::string& out) {
  if (Fits(word, budget)) return Show(word, out);
  const std::size_t place_begin = std::min(same > 0 ? same - 1 : 0, word.size());
  const std::size_t place_end = std::min(same + 2, word.size());
  const std::string_view first = word.substr(0, place_begin > 0 ? 1 : 0);
  const std::string_view before = word.substr(first.size(), place_begin - first.size());
  const std::string_view place = word.substr(place_begin, place_end - place_begin);
  const std::string_view after = word.substr(place_end);

  budget -= CostOf(first) + CostOf(place);
  const std::size_t kept_for_after = Fits(after, kEllipsis.size()) ? CostOf(after) : kEllipsis.size();
  budget -= kept_for_after;
  Show(first, out);
  ShowGap(before, budget, out);
  Show(place, out);
  budget += kept_for_after;
  ShowGap(after, budget, out);
}

void ShowToken(const Token& token, std::size_t same, const Phrases& phrases, std::size_t budget,
               std::string& out) {
  switch (token.kind) {
    case Token::Kind::kEndOfLine:
      out += phrases.end_of_line;
      return;
    case Token::Kind::kEndOfFile:
      out += phrases.end_of_file;
      return;
    case Token::Kind::kWord:
      out += '"';
      ShowWord(token.text, same, budget, out);
      out += '"';
      return;
  }
}

}  // namespace

std::optional<Wording> ParseWording(std::string_view name) {
  for (const NamedWording& known : kWordings) {
    if (known.name == name) return known.wording;
  }
  return std::nullopt;
}

const std::array<std::string_view, 6>& WordingNames() {
  static constexpr std::array<std::string_view, 6> kNames = [] {
    std::array<std::string_view, 6> names;
    for (std::size_t i = 0; i < names.size(); ++i) names[i] = kWordings[i].name;
    return names;
  }();
  return kNames;
}

std::string Describe(const std::optional<TokenMismatch>& mismatch, Wording wording) {
  const Phrases& phrases = wording.language == Wording::Language::kPolish ? kPolish : kEnglish;
  if (!mismatch) return std::string(phrases.ok);
  std::string out(phrases.wrong);
  if (wording.length == Wording::Length::kTerse) return out;

  const Token& expected = mismatch->expected;
  const Token& got = mismatch->got;
  const std::size_t budget = wording.length == Wording::Length::kFull ? kFullCost : kAbbreviatedCost;
  out += phrases.line;
  out += std::to_string(mismatch->line);
  out += phrases.expected;
  ShowToken(expected, mismatch->same_bytes, phrases, budget, out);
  out += phrases.got;
  ShowToken(got, mismatch->same_bytes, phrases, budget, out);
  return out;
}

}  // namespace tally

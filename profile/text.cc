#include "profile/text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "base/columns.h"
#include "base/lines.h"
#include "base/printable.h"
#include "base/units.h"
#include "base/wrapped_text.h"
#include "profile/hotspot_text.h"

namespace tally {
namespace {

constexpr std::size_t kMostHotspots = 12;
constexpr std::size_t kLongestName = 44;
constexpr std::size_t kMostCompilerLines = 20;
constexpr std::size_t kMostLastWords = 3, kLongestLastWords = 90;

class Painter {
 public:
  explicit Painter(bool colour) : colour_(colour) {}
  [[nodiscard]] std::string Bold(std::string_view text) const { return Paint("1", text); }
  [[nodiscard]] std::string Dim(std::string_view text) const { return Paint("2", text); }
  [[nodiscard]] std::string Good(std::string_view text) const { return Paint("1;32", text); }
  [[nodiscard]] std::string Bad(std::string_view text) const { return Paint("1;31", text); }

 private:
  [[nodiscard]] std::string Paint(const char* style, std::string_view text) const {
    return colour_ ? fmt::format("\x1b[{}m{}\x1b[0m", style, text) : std::string(text);
  }
  bool colour_;
};

std::string Ms(double ms) { return FormatMilliseconds(Nanoseconds(std::llround(ms * 1e6))); }

std::string MiB(double mb) { return FormatMebibytes(Bytes{static_cast<std::uint64_t>(std::llround(mb * 1024 * 1024))}); }

template <typename Format>
std::string FigureCell(const Measured<double>& figure, Format format) {
  if (!figure.has_value()) return "-";
  return std::isfinite(figure.value()) ? format(figure.value()) : "infinite";
}

std::string CountCell(const Measured<std::uint64_t>& figure) {
  return figure.has_value() ? FormatCount(figure.value()) : "-";
}

Measured<double> AsDouble(const Measured<std::uint64_t>& figure) {
  if (!figure.has_value()) return Measured<double>::Absent(figure.reason());
  return static_cast<double>(figure.value());
}

std::string Shorten(std::string text, std::size_t most) {
  std::replace_if(text.begin(), text.end(), [](unsigned char c) { return c < ' '; }, ' ');
  if (text.size() > most) text = text.substr(0, most - 3) + "...";
  return text;
}

std::string Causes(const ProfileReport& report, std::uint64_t n) {
  std::string out;
  for (const Failure& failure : report.failures) {
    if (failure.size == n && failure.stage != Stage::kMeasure) out += (out.empty() ? "" : ", ") + failure.cause;
  }
  return out;
}

// How far the counts of a size lie apart, of the mean: "±1.2 %"; "" where they hardly do.
std::string Spread(const SizeReport& size) {
  if (!size.instructions.has_value() || size.others.empty()) return "";
  std::uint64_t least = size.instructions.value(), most = least;
  for (const CountedRun& run : size.others) least = std::min(least, run.instructions), most = std::max(most, run.instructions);
  const double percent = 100.0 * static_cast<double>(most - least) / static_cast<double>(most + least);
  return percent >= 0.1 ? fmt::format("+-{:.1f} %", percent) : "";
}

// Behind a row: what went wrong at its size, or how far its counts lie apart.
Cell Note(const ProfileReport& report, const SizeReport& size) {
  const std::string causes = Causes(report, size.n), spread = Spread(size);
  if (causes.empty()) return {spread, "2"};
  return {spread.empty() ? causes : spread + "  " + causes, "1;31"};
}

// On a narrow terminal virtual time goes first, which is instructions in another unit, then memory; then columns are as narrow as their figures.
std::string Table(const ProfileReport& report, const TextStyle& style) {
  std::vector<Column> shown{{"n", 12, true}, {"CPU time", 12, true, 0, " "}, {"memory", 12, true, 2, " "}, {"instructions", 18, true, 0, " "}, {"virtual time", 14, true, 1, " "}};
  std::vector<std::vector<Cell>> rows;
  for (const SizeReport& size : report.sizes) {
    rows.push_back({{FormatCount(size.n)}, {FigureCell(size.cpu_ms, Ms)}, {FigureCell(size.peak_memory_mb, MiB)}, {CountCell(size.instructions)}, {FigureCell(size.virtual_ms(), Ms)}});
  }
  if (const Columns usual(shown, style.terminal, false); style.terminal > 0 && usual.width() > style.terminal) {
    for (std::size_t i = 0; i < shown.size(); ++i) {
      shown[i].width = 0;
      for (const auto& cells : rows) shown[i].width = std::max(shown[i].width, CharactersIn(cells[i].text));
    }
  }
  const Columns columns(std::move(shown), style.terminal, style.colour);
  std::string out = columns.Head();
  for (std::size_t i = 0; i < rows.size(); ++i) out += columns.Row(rows[i], Note(report, report.sizes[i]));
  return out;
}

std::string Sparklines(const ProfileReport& report, const TextStyle& style) {
  std::vector<Measured<double>> time, memory, instructions;
  for (const SizeReport& size : report.sizes) {
    time.push_back(size.cpu_ms);
    memory.push_back(size.peak_memory_mb);
    instructions.push_back(AsDouble(size.instructions));
  }
  return fmt::format("  CPU time {}   memory {}   instructions {}\n", Sparkline(time, style.unicode), Sparkline(memory, style.unicode),
                     Sparkline(instructions, style.unicode));
}

std::string GrowthLines(const ProfileReport& report, const Painter& paint) {
  std::string out;
  if (report.growth.has_value()) {
    const Growth& growth = report.growth.value();
    out += fmt::format("  growth    {}\n", paint.Bold(growth.Sentence()));
    const std::string runs = growth.runs > growth.sizes ? fmt::format("{} runs of {} sizes", growth.runs, growth.sizes) : fmt::format("{} sizes", growth.sizes);
    out += paint.Dim(fmt::format("            instructions = {}  ({}, off by {:.2g} %)", growth.Sum(), runs, growth.error * 100)) + "\n";
  } else {
    out += fmt::format("  growth    {}\n", report.growth.reason());
  }
  if (report.expect) {
    const std::string verdict = report.expect->met ? paint.Good("met") : paint.Bad("NOT MET");
    out += fmt::format("  {}: {}\n", report.expect->sentence, verdict);
  }
  return out;
}

std::string FailureLines(const ProfileReport& report) {
  std::string out;
  for (const Failure& failure : report.failures) {
    out += fmt::format("  n = {}: {}: {}\n", FormatCount(failure.size), failure.cause, Shorten(failure.sentence, 160));
    const std::vector<std::string> words = LinesOf(failure.last_words);
    const std::size_t first = words.size() - std::min(words.size(), kMostLastWords);
    for (std::size_t i = first; i < words.size(); ++i) out += fmt::format("      {}\n", Shortened(Printable(words[i]), kLongestLastWords));
  }
  return out.empty() ? out : "\n" + out;
}

std::string ErrorLines(const SeriesError& error, const Painter& paint) {
  std::string out = fmt::format("  {}  {}\n", paint.Bad("CE"), error.sentence);
  std::size_t start = 0;
  for (std::size_t line = 0; start < error.text.size() && line < kMostCompilerLines; ++line) {
    const std::size_t end = std::min(error.text.find('\n', start), error.text.size());
    out += "    " + error.text.substr(start, end - start) + "\n";
    start = end + 1;
  }
  return out;
}

std::string Ratio(double one, double other) {
  if (!std::isfinite(one) || !std::isfinite(other) || one <= 0) return "-";
  return fmt::format("{:.2f}", other / one);
}

const FunctionCost* FunctionNamed(const Hotspots& spots, const std::string& name) {
  const auto found =
      std::find_if(spots.functions.begin(), spots.functions.end(), [&](const FunctionCost& f) { return f.name == name; });
  return found == spots.functions.end() ? nullptr : &*found;
}

// Functions by what either spends in them; with all that they call, where both say that.
std::string CompareFunctions(const Hotspots& one, const Hotspots& other, const Painter& paint) {
  std::set<std::string> names;
  for (const Hotspots* spots : {&one, &other}) {
    for (std::size_t i = 0; i < std::min(kMostHotspots, spots->functions.size()); ++i) names.insert(spots->functions[i].name);
  }
  const bool is_inclusive = one.no_inclusive.empty() && other.no_inclusive.empty();
  const auto cost = [is_inclusive](const FunctionCost& function) { return is_inclusive ? function.inclusive : function.self; };
  const char* row = "  {:>18} {:>18} {:>8}  {}";
  std::string out = "\n" + paint.Dim(fmt::format(fmt::runtime(row), is_inclusive ? "inclusive, 1" : "self, 1", "2", "2 / 1", "function")) + "\n";
  for (const std::string& name : names) {
    const FunctionCost* a = FunctionNamed(one, name);
    const FunctionCost* b = FunctionNamed(other, name);
    out += fmt::format(fmt::runtime(row), a != nullptr ? FormatCount(cost(*a)) : "-", b != nullptr ? FormatCount(cost(*b)) : "-",
                       a != nullptr && b != nullptr ? Ratio(static_cast<double>(cost(*a)), static_cast<double>(cost(*b))) : "-",
                       Shorten(name, kLongestName)) + "\n";
  }
  return out;
}

}  // namespace

std::string Sparkline(const std::vector<Measured<double>>& figures, bool unicode) {
  static const char* const kBlocks[] = {"▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"};
  static const char* const kAscii[] = {"_", ".", ":", "-", "=", "+", "*", "#"};
  double most = 0;
  for (const auto& figure : figures) {
    if (figure.has_value() && std::isfinite(figure.value())) most = std::max(most, figure.value());
  }
  std::string out;
  for (const auto& figure : figures) {
    if (!figure.has_value()) {
      out += ' ';
    } else if (!std::isfinite(figure.value())) {
      out += '!';
    } else {
      const long level = most > 0 ? std::lround(figure.value() / most * 7) : 0;
      out += (unicode ? kBlocks : kAscii)[level];
    }
  }
  return out;
}

std::string FormatReport(const ProfileReport& report, const TextStyle& style) {
  const Painter paint(style.colour);
  if (report.error) return WrappedText(ErrorLines(*report.error, paint), style.terminal);
  return WrappedText(Table(report, style) + "\n" + Sparklines(report, style) + "\n" + GrowthLines(report, paint) + FormatHotspots(report, style) + FailureLines(report),
                     style.terminal);
}

std::string FormatComparison(std::string_view one_name, const ProfileReport& one, std::string_view other_name,
                             const ProfileReport& other, const TextStyle& style) {
  const Painter paint(style.colour);
  std::string out = fmt::format("  1: {}\n  2: {}\n\n", one_name, other_name);
  const Columns columns({{"n", 12, true}, {"instructions, 1", 18, true, 0, " "}, {"2", 18, true, 0, " "}, {"2 / 1", 8, true, 0, " "}, {"CPU time, 1", 11, true, 1}, {"2", 11, true, 1, " "}, {"2 / 1", 8, true, 1, " "}},
                        style.terminal, style.colour);
  out += columns.Head();
  for (std::size_t i = 0; i < std::min(one.sizes.size(), other.sizes.size()); ++i) {
    const SizeReport &a = one.sizes[i], &b = other.sizes[i];
    const bool counted = a.instructions.has_value() && b.instructions.has_value();
    const bool timed = a.cpu_ms.has_value() && b.cpu_ms.has_value();
    out += columns.Row({{FormatCount(a.n)}, {CountCell(a.instructions)}, {CountCell(b.instructions)}, {counted ? Ratio(AsDouble(a.instructions).value(), AsDouble(b.instructions).value()) : "-"},
                        {FigureCell(a.cpu_ms, Ms)}, {FigureCell(b.cpu_ms, Ms)}, {timed ? Ratio(a.cpu_ms.value(), b.cpu_ms.value()) : "-"}});
  }
  const auto growth = [](const ProfileReport& report) {
    return report.growth.has_value() ? report.growth.value().Sentence() : report.growth.reason();
  };
  out += fmt::format("\n  growth 1  {}\n  growth 2  {}\n", paint.Bold(growth(one)), paint.Bold(growth(other)));
  if (one.hotspots && other.hotspots) out += CompareFunctions(*one.hotspots, *other.hotspots, paint);
  return WrappedText(out, style.terminal);
}

}  // namespace tally

#include "profile/hotspot_text.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/columns.h"
#include "base/printable.h"
#include "base/terminal.h"
#include "base/units.h"

namespace tally {
namespace {

constexpr std::size_t kMostBySelf = 12, kFewest = 3;
constexpr std::size_t kMostByInclusive = 4;
constexpr std::size_t kMostOfLibrary = 3;
constexpr double kLeastShown = 0.0005;  // of all: it would be "0.0 %"
constexpr double kLeastInclusive = 0.05, kLeastOfLibrary = 0.01;
constexpr std::size_t kLongestName = 44;

std::string Percent(std::uint64_t part, std::uint64_t all) {
  return all == 0 ? "-" : fmt::format("{:.1f} %", 100.0 * static_cast<double>(part) / static_cast<double>(all));
}

// The first ones cost the most themselves. Behind them, of what costs little itself, what calls the most: `costs` are by self.
template <typename Cost>
std::vector<const Cost*> WorthShowing(const std::vector<Cost>& costs, std::uint64_t total) {
  std::vector<const Cost*> out, callers;
  const double least = kLeastInclusive * static_cast<double>(total);
  for (const Cost& cost : costs) {
    if (out.size() >= kFewest && static_cast<double>(std::max(cost.self, cost.inclusive)) < kLeastShown * static_cast<double>(total)) continue;
    if (out.size() < kMostBySelf) {
      out.push_back(&cost);
    } else if (static_cast<double>(cost.inclusive) >= least) {
      callers.push_back(&cost);
    }
  }
  std::stable_sort(callers.begin(), callers.end(), [](const Cost* a, const Cost* b) { return a->inclusive > b->inclusive; });
  callers.resize(std::min(callers.size(), kMostByInclusive));
  out.insert(out.end(), callers.begin(), callers.end());
  return out;
}

std::string NameOf(const FunctionCost& cost, std::size_t most) { return Shortened(Printable(cost.name), most); }
std::string NameOf(const LineCost& cost, std::size_t most) { return fmt::format("{}:{}", Shortened(Printable(cost.file), most), cost.line); }

// The hottest functions of a library.
std::vector<const FunctionCost*> PartsOf(const FunctionCost& library, std::uint64_t total) {
  std::vector<const FunctionCost*> out;
  for (const FunctionCost& cost : library.functions) {
    const bool counts = static_cast<double>(cost.self) >= kLeastOfLibrary * static_cast<double>(total);
    if (counts && out.size() < kMostOfLibrary) out.push_back(&cost);
  }
  return out;
}
std::vector<const LineCost*> PartsOf(const LineCost& /*line*/, std::uint64_t /*total*/) { return {}; }

template <typename Cost>
std::string Table(const std::vector<Cost>& costs, const char* head, const Hotspots& spots, const TextStyle& style) {
  const bool is_inclusive = spots.no_inclusive.empty();
  std::vector<Column> shown{{"self", 9, true}};
  if (is_inclusive) shown.push_back({"inclusive", 9, true, 0, " "});
  shown.push_back({"self", 18, true, 1, " "});
  const Columns columns(std::move(shown), style.terminal, style.colour);
  const auto row = [&](const std::string& self, const std::string& inclusive, const std::string& count, const Cell& text) {
    std::vector<Cell> cells{{self, text.style}};
    if (is_inclusive) cells.push_back({inclusive, text.style});
    cells.push_back({count, text.style});
    return columns.Row(cells, text);
  };
  const auto cost_row = [&](std::uint64_t self, std::uint64_t inclusive, const Cell& text) {
    return row(Percent(self, spots.total), Percent(inclusive, spots.total), FormatCount(self), text);
  };
  constexpr std::size_t kBeside = 14;  // where a name has a line of its own: its margin, and a line's number
  const std::size_t longest = style.terminal > kBeside ? std::min(kLongestName, style.terminal - kBeside) : kLongestName;
  std::string out = row("self", "inclusive", "self", {head, "2"});
  for (const Cost* const cost : WorthShowing(costs, spots.total)) {
    out += cost_row(cost->self, cost->inclusive, {NameOf(*cost, longest)});
    for (const Cost* const part : PartsOf(*cost, spots.total)) out += cost_row(part->self, part->inclusive, {"  " + NameOf(*part, longest), "2"});
  }
  return out;
}

}  // namespace

std::string FormatHotspots(const ProfileReport& report, const TextStyle& style) {
  const std::string absent = Printable(report.hotspots_absent);
  if (!report.hotspots) return absent.empty() ? "" : "\n  no hotspots: " + absent + "\n";
  const Hotspots& spots = *report.hotspots;
  return "\n" + fmt::format("  hotspots at n = {}, {} instructions\n", FormatCount(report.hotspots_size), FormatCount(spots.total)) +
         (report.hotspots_larger.empty() ? "" : "  not of the largest; " + Printable(report.hotspots_larger) + "\n") +
         (spots.measured.empty() ? "" : Dim("  measured " + spots.measured, style.colour) + "\n") +
         Table(spots.functions, "function", spots, style) +
         (spots.no_inclusive.empty() ? "" : "  none inclusive: " + Printable(spots.no_inclusive) + "\n") +
         (absent.empty() ? Table(spots.lines, "line", spots, style) : "  none by line: " + absent + "\n");
}

}  // namespace tally

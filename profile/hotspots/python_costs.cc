#include "profile/hotspots/python_costs.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <optional>

#include "base/error.h"
#include "base/lines.h"
#include "base/words.h"

namespace tally {

Hotspots ParsePythonCosts(std::string_view text, const std::string& file, std::uint64_t counted) {
  constexpr std::uint64_t kMost = std::numeric_limits<std::uint64_t>::max() / 2;
  const auto lines = LinesOf(text);
  if (lines.size() < 2 || lines.front() != "tally-python-lines 1" || lines.back() != "end") throw UserError("lines of Python: not from begin to end");
  Hotspots out;
  std::uint64_t measured = 0;
  for (std::size_t i = 1; i + 1 < lines.size(); ++i) {
    Words words(lines[i]);
    const std::string_view kind = words.Next();
    const auto own = words.Number<std::uint64_t>(10), whole = words.Number<std::uint64_t>(10);
    if (!own || !whole || *own > *whole || *whole > kMost) throw UserError(fmt::format("lines of Python, line {}: expected: KIND OWN WHOLE NAME", i + 1));
    if (kind == "line") {
      const auto number = words.Number<unsigned>(10);
      if (!number || *number == 0) throw UserError(fmt::format("lines of Python, line {}: expected a line's number", i + 1));
      out.lines.push_back({file, *number, *own, *whole});
    } else if (kind == "function") {
      measured = std::min(kMost, measured + *own);
      out.functions.push_back({words.Rest(), file, *own, *whole, {}});
    } else {
      throw UserError(fmt::format("lines of Python, line {}: expected one of: line, function", i + 1));
    }
  }
  out.total = std::max(counted, measured);
  if (out.total > measured) out.functions.push_back({"[python3]", "", out.total - measured, out.total - measured, {}});
  out.measured = "between marks before each statement, on the virtual clock, without what the marks cost; [python3] is the rest of the exact count";
  SortBySelf(&out);
  return out;
}

}  // namespace tally

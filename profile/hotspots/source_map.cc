#include "profile/hotspots/source_map.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "base/error.h"
#include "base/words.h"

namespace tally {
SourceMap SourceMap::Parse(std::string_view text) {
  SourceMap map;
  std::size_t number = 0;
  bool ended = false;
  const auto fail = [&](const char* what) { throw UserError(fmt::format("debug information, line {}: {}", number, what)); };
  while (!text.empty() && !ended) {
    const std::size_t length = text.find('\n');
    if (length == std::string_view::npos) break;  // the last line ends, too
    const std::string_view line = text.substr(0, length);
    text.remove_prefix(length + 1);
    ++number;
    Words words(line);
    const std::string_view kind = words.Next();
    const auto address = [&] { return words.Number<std::uint64_t>(16); };
    const auto small = [&] { return words.Number<std::uint32_t>(10); };
    const auto known = [&](std::optional<std::uint32_t> file) { return file && *file < map.files_.size(); };
    if (number == 1) {
      if (line != "tally-debug-info 2") fail("not the beginning of what tally-debug-info prints");
    } else if (kind == "file") {
      map.files_.push_back(words.Rest());
    } else if (kind == "row") {
      const auto at = address();
      const auto file = small();
      const auto row = small();
      if (!at || !known(file) || !row) fail("expected: row ADDRESS FILE LINE");
      map.rows_.push_back({*at, *file, *row});
    } else if (kind == "function") {
      const auto at = address();
      const auto file = small();
      if (!at || !known(file)) fail("expected: function ADDRESS FILE NAME");
      map.functions_.push_back({*at, *file, words.Rest()});
    } else if (kind == "inlined") {
      const auto begin = address();
      const auto end = address();
      const auto depth = small();
      const auto file = small();
      const auto caller = small();
      const auto row = small();
      if (!begin || !end || *end < *begin || !depth || !known(file) || !known(caller) || !row) {
        fail("expected: inlined BEGIN END DEPTH FILE CALLER LINE NAME");
      }
      map.inlined_.push_back({*begin, *end, *depth, *file, *caller, *row, words.Rest()});
    } else if (line == "end") {
      ended = true;
    } else {
      fail("expected one of: file, row, function, inlined, end");
    }
  }
  if (!ended) fail("ends too early");
  map.Sort();
  return map;
}

void SourceMap::Sort() {
  // Where one sequence ends another may begin.
  std::stable_sort(rows_.begin(), rows_.end(), [](const Row& a, const Row& b) {
    return a.address != b.address ? a.address < b.address : (a.line == 0 && b.line != 0);
  });
  std::sort(functions_.begin(), functions_.end(), [](const Function& a, const Function& b) { return a.address < b.address; });
  std::sort(inlined_.begin(), inlined_.end(), [](const Inlined& a, const Inlined& b) { return a.begin < b.begin; });
  for (const Inlined& range : inlined_) longest_inlined_ = std::max(longest_inlined_, range.end - range.begin);
}

// Of rows for one address, the last is meant: the others are empty.
const SourceMap::Row* SourceMap::RowAt(std::uint64_t address) const {
  const auto after = std::upper_bound(rows_.begin(), rows_.end(), address,
                                      [](std::uint64_t value, const Row& row) { return value < row.address; });
  if (after == rows_.begin() || std::prev(after)->line == 0) return nullptr;
  return &*std::prev(after);
}

const SourceMap::Function* SourceMap::FunctionAt(std::uint64_t address) const {
  const auto at = std::lower_bound(functions_.begin(), functions_.end(), address,
                                   [](const Function& function, std::uint64_t value) { return function.address < value; });
  return at != functions_.end() && at->address == address ? &*at : nullptr;
}

std::vector<const SourceMap::Inlined*> SourceMap::InlinedAt(std::uint64_t address) const {
  std::vector<const Inlined*> out;
  const std::uint64_t first = address - std::min(address, longest_inlined_);
  auto at = std::lower_bound(inlined_.begin(), inlined_.end(), first,
                             [](const Inlined& range, std::uint64_t value) { return range.begin < value; });
  for (; at != inlined_.end() && at->begin <= address; ++at) {
    if (address < at->end) out.push_back(&*at);
  }
  std::stable_sort(out.begin(), out.end(), [](const Inlined* a, const Inlined* b) { return a->depth < b->depth; });
  return out;
}

}  // namespace tally

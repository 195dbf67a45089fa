#include "profile/hotspots/costs.h"

#include <algorithm>
#include <map>
#include <tuple>
#include <utility>

namespace tally {
namespace {

class Costs {
 public:
  explicit Costs(CodeMap* map) : map_(map) {}

  void Add(const BlockProfile::Block& block) {
    std::uint64_t executed = block.count;
    std::uint64_t offset = 0;
    for (std::size_t i = 0; i < block.lengths.size(); offset += block.lengths[i++]) {
      if (const auto left = block.left_at.find(i); left != block.left_at.end()) executed -= left->second;
      if (executed == 0) continue;
      const std::uint64_t address = block.address == 0 ? 0 : block.address + offset;
      AddTo(FunctionAt(block, address), executed);
      if (address != 0) AddToLine(address, executed);
    }
  }

  Hotspots Make(const BlockProfile& profile) {
    Hotspots out;
    out.total = profile.total();
    for (FunctionNumber f = 0; f < map_->functions(); ++f) {
      const std::uint64_t self = f < self_.size() ? self_[f] : 0;
      const std::uint64_t inclusive = profile.InclusiveOf(f);
      if (inclusive != 0) out.functions.push_back({map_->NameOf(f).name, map_->NameOf(f).file, self, inclusive});
    }
    for (const auto& [place, instructions] : lines_) {
      out.lines.push_back({map_->source().FileName(place.first), place.second, instructions});
    }
    std::stable_sort(out.functions.begin(), out.functions.end(), [](const FunctionCost& a, const FunctionCost& b) {
      return std::tie(b.inclusive, b.self, a.name) < std::tie(a.inclusive, a.self, b.name);
    });
    std::stable_sort(out.lines.begin(), out.lines.end(), [](const LineCost& a, const LineCost& b) {
      return std::tie(b.instructions, a.file, a.line) < std::tie(a.instructions, b.file, b.line);
    });
    return out;
  }

 private:
  FunctionNumber FunctionAt(const BlockProfile::Block& block, std::uint64_t address) {
    if (address == 0 || block.inlined.empty()) return block.function;
    const std::vector<FunctionNumber> inlined = map_->InlinedAt(address);
    return inlined.empty() ? block.function : inlined.back();
  }
  void AddTo(FunctionNumber function, std::uint64_t instructions) {
    if (function >= self_.size()) self_.resize(function + 1);
    self_[function] += instructions;
  }
  void AddToLine(std::uint64_t address, std::uint64_t instructions) {
    const SourceMap::Row* const row = map_->source().RowAt(address);
    if (row != nullptr) lines_[{row->file, row->line}] += instructions;
  }

  CodeMap* map_;
  std::vector<std::uint64_t> self_;
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint64_t> lines_;  // by file and line
};

}  // namespace

Hotspots CostsOf(const BlockProfile& profile, CodeMap* map) {
  Costs costs(map);
  for (const BlockProfile::Block& block : profile.blocks()) costs.Add(block);
  return costs.Make(profile);
}

}  // namespace tally

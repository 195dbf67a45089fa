#include "profile/hotspots/costs.h"

#include <map>
#include <utility>
#include <vector>

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
      if (address == 0) continue;
      if (const auto line = map_->LineAt(address)) AddTo(*line, executed);
    }
  }

  Hotspots Make(const BlockProfile& profile) {
    Hotspots out;
    out.total = profile.total();
    std::map<CentreNumber, FunctionCost> libraries;
    for (CentreNumber number = 0; number < map_->centres(); ++number) {
      const CostCentre& centre = map_->Centre(number);
      const std::uint64_t self = number < self_.size() ? self_[number] : 0;
      const std::uint64_t inclusive = profile.InclusiveOf(number);
      if (self == 0 && inclusive == 0) continue;
      if (centre.line != 0) {
        out.lines.push_back({centre.file, centre.line, self, inclusive});
        continue;
      }
      FunctionCost cost{centre.name, centre.file, self, inclusive, {}};
      if (centre.is_library) {
        FunctionCost& library = libraries[number];
        cost.self = library.self;
        cost.functions = std::move(library.functions);
        library = std::move(cost);
      } else if (centre.library != kNoCentre) {
        FunctionCost& library = libraries[centre.library];
        library.self += self;
        library.functions.push_back(std::move(cost));
      } else {
        out.functions.push_back(std::move(cost));
      }
    }
    for (auto& [number, library] : libraries) out.functions.push_back(std::move(library));
    SortBySelf(&out);
    return out;
  }

 private:
  FunctionNumber FunctionAt(const BlockProfile::Block& block, std::uint64_t address) {
    if (address == 0) return map_->MadeAtRunTime(block.function, block.pc);
    if (block.centres.empty()) return block.function;
    const std::vector<FunctionNumber> inlined = map_->InlinedAt(address);
    return inlined.empty() ? block.function : inlined.back();
  }
  void AddTo(CentreNumber centre, std::uint64_t instructions) {
    if (centre >= self_.size()) self_.resize(centre + 1);
    self_[centre] += instructions;
  }

  CodeMap* map_;
  std::vector<std::uint64_t> self_;  // by centre
};

}  // namespace

Hotspots CostsOf(const BlockProfile& profile, CodeMap* map) {
  Costs costs(map);
  for (const BlockProfile::Block& block : profile.blocks()) costs.Add(block);
  return costs.Make(profile);
}

}  // namespace tally

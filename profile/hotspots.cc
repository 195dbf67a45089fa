#include "profile/hotspots.h"

#include <algorithm>
#include <tuple>

namespace tally {
namespace {

void Sort(std::vector<FunctionCost>* functions) {
  std::stable_sort(functions->begin(), functions->end(), [](const FunctionCost& a, const FunctionCost& b) {
    return std::tie(b.self, b.inclusive, a.name) < std::tie(a.self, a.inclusive, b.name);
  });
  for (FunctionCost& function : *functions) Sort(&function.functions);
}

}  // namespace

void SortBySelf(Hotspots* hotspots) {
  Sort(&hotspots->functions);
  std::stable_sort(hotspots->lines.begin(), hotspots->lines.end(), [](const LineCost& a, const LineCost& b) {
    return std::tie(b.self, b.inclusive, a.file, a.line) < std::tie(a.self, a.inclusive, b.file, b.line);
  });
}

}  // namespace tally

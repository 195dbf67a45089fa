#include "profile/hotspots.h"

#include <algorithm>
#include <tuple>

namespace tally {

void SortBySelf(Hotspots* hotspots) {
  std::stable_sort(hotspots->functions.begin(), hotspots->functions.end(), [](const FunctionCost& a, const FunctionCost& b) {
    return std::tie(b.self, b.inclusive, a.name) < std::tie(a.self, a.inclusive, b.name);
  });
  std::stable_sort(hotspots->lines.begin(), hotspots->lines.end(), [](const LineCost& a, const LineCost& b) {
    return std::tie(b.self, b.inclusive, a.file, a.line) < std::tie(a.self, a.inclusive, b.file, b.line);
  });
}

}  // namespace tally

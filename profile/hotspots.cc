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

void LeaveOut(std::vector<FunctionCost>* functions) {
  std::erase_if(*functions, [](const FunctionCost& function) { return function.self == 0; });
  for (FunctionCost& function : *functions) {
    function.inclusive = 0;
    LeaveOut(&function.functions);
  }
}

}  // namespace

void SortBySelf(Hotspots* hotspots) {
  Sort(&hotspots->functions);
  std::stable_sort(hotspots->lines.begin(), hotspots->lines.end(), [](const LineCost& a, const LineCost& b) {
    return std::tie(b.self, b.inclusive, a.file, a.line) < std::tie(a.self, a.inclusive, b.file, b.line);
  });
}

void LeaveOutInclusive(Hotspots* hotspots, const std::string& why) {
  hotspots->no_inclusive = why;
  LeaveOut(&hotspots->functions);
  std::erase_if(hotspots->lines, [](const LineCost& line) { return line.self == 0; });
  for (LineCost& line : hotspots->lines) line.inclusive = 0;
}

}  // namespace tally

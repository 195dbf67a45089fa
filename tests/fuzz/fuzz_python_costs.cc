// What a Python program that is measured wrote of itself, or in place of that: own is at most whole, and the shares fit into the total.
#include "profile/hotspots/python_costs.h"
#include "tests/fuzz/fuzz_target.h"

TALLY_FUZZ_TARGET(python_costs) {
  using namespace tally;
  fuzz::MayRefuse([&] {
    const Hotspots found = ParsePythonCosts(input, "a.py", 1'000);
    fuzz::Require(found.total >= 1'000);
    for (const LineCost& cost : found.lines) fuzz::Require(cost.line != 0 && cost.self <= cost.inclusive);
    for (const FunctionCost& cost : found.functions) fuzz::Require(cost.self <= cost.inclusive && cost.self <= found.total);
  });
}

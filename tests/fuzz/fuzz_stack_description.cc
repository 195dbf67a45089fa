// Descriptions of stacks from arbitrary bytes: each ends as a value or as a mistake told in one line.
#include "evaluation/stack_spec.h"
#include "tests/fuzz/fuzz_target.h"

using namespace tally;

TALLY_FUZZ_TARGET(stack_description) {
  fuzz::MayRefuse([&] {
    const StackSpec spec = ReadStackSpec(YamlMap::FromText(input, "fuzz.yaml"), "fuzz");
    fuzz::Require(!spec.name.empty() && (spec.input_output || !spec.extensions.empty()));
    if (spec.tests) fuzz::Require(!spec.tests->run.empty() && spec.tests->case_time.count() > 0);
  });
}

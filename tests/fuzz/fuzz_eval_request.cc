// Requests of evaluations from arbitrary bytes: each ends as a request whose paths stay in their folder, or as a mistake
// told in one line.
#include "evaluation/eval_request.h"
#include "tests/fuzz/fuzz_target.h"

using namespace tally;

namespace {

void RequireInside(const std::vector<EvalFile>& files) {
  for (const EvalFile& file : files) {
    fuzz::Require(!file.path.empty() && file.path.front() != '/' && ("/" + file.path + "/").find("/../") == std::string::npos);
  }
}

}  // namespace

TALLY_FUZZ_TARGET(eval_request) {
  fuzz::MayRefuse([&] {
    const EvalRequest request = ReadEvalRequest(input);
    fuzz::Require(!request.stack_ref.empty());
    RequireInside(request.solution_files);
    RequireInside(request.include_files);
    RequireInside(request.test_files);
  });
}

// A small soak (bench/soak.cc): verdicts, counts and what the workers hold, over a few hundred runs. The long one is a bench.
#include <string>

#include "tests/support/catch.h"
#include "tests/support/cli_run.h"
#include "tests/support/run_program.h"
#include "tests/support/skip.h"

namespace tally {
namespace {

TEST_CASE("two hundred mixed runs by parallel workers have the right verdicts, the same counts, and leave nothing", "[faults][soak]") {
  if (kSanitized) TALLY_SKIP("a sanitizer keeps freed memory for itself, which looks like growth");
  const CliResult result = Shell(BuildFolder() + "/bin/soak 200");
  INFO(result.out << result.error);
  CHECK(result.status == 0);
}

}  // namespace
}  // namespace tally

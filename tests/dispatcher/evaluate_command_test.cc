// `tally evaluate` as its user sees it: an evaluation without a broker.
#include <string>

#include "tests/support/catch.h"
#include "tests/support/cli_run.h"
#include "tests/support/run_program.h"
#include "tests/support/scratch_folder.h"

namespace tally {
namespace {

// A stack that needs no tools but a shell, and prepares something.
ScratchFolder& Stacks() {
  static ScratchFolder folder;
  folder.Write("stacks/slow.yaml",
               "title: Slow\nversion: 1.0.0\nextensions: [txt]\n"
               "compile:\n  tools: [sh]\n  package: dash\n  commands: [[\"{sh}\", -c, echo compiled]]\n"
               "tests:\n  tools: [sh]\n  package: dash\n  prepare: [[\"{sh}\", -c, echo made > made]]\n  cases: test_files\n"
               "  run: [\"{sh}\", -c, cat /prepared/made]\n");
  folder.Write("a.txt", "a\n");
  folder.Write("a_test.txt", "a\n");
  return folder;
}

const std::string kEvaluate = "/bin/tally-dispatcher evaluate --stack slow --solution a.txt --tests a_test.txt";

Words Environment() { return {"TALLY_STACKS=" + Stacks().path() + "/stacks"}; }

TEST_CASE("evaluate: a terminal shows what is done now, and no trace of it is left", "[cli]") {
  const ScratchFolder cache;
  Words environment = Environment();
  environment.push_back("TALLY_CACHE=" + cache.path());
  const CliResult result = ShellOnTerminal(BuildFolder() + kEvaluate, {.directory = Stacks().path(), .environment = environment});
  INFO(result.out);
  CHECK(result.status == 0);
  std::size_t at = 0;
  for (const char* step : {"\r\x1b[Kpreparing slow, once on this machine ...", "\r\x1b[Kcompiling ...", "\r\x1b[Ktesting ...", "\r\x1b[K"}) {
    CAPTURE(step);
    at = result.out.find(step, at);
    REQUIRE(at != std::string::npos);
    ++at;
  }
  CHECK(result.out.find(" ...", at) == std::string::npos);

  const CliResult again = ShellOnTerminal(BuildFolder() + kEvaluate, {.directory = Stacks().path(), .environment = environment});
  CHECK_FALSE(Has(again.out, "preparing"));
}

TEST_CASE("evaluate: without a terminal nothing but the result is said", "[cli]") {
  const CliResult result = Shell(BuildFolder() + kEvaluate, {.directory = Stacks().path(), .environment = Environment()});
  CHECK(result.status == 0);
  CHECK(result.error.empty());
  CHECK(Has(result.out, "a_test"));
}

}  // namespace
}  // namespace tally

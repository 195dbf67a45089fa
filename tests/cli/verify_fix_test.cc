// `tally verify --fix`: a time limit between who is right and who is too slow, written where the package has it.
#include "verify/fix_time_limit.h"

#include "base/error.h"
#include "base/sys.h"
#include "tests/support/catch.h"
#include "tests/support/cli_run.h"
#include "tests/support/scratch_folder.h"
#include "verify/time_limit.h"

namespace tally {
namespace {

TEST_CASE("verify --fix: each format's spelling of a limit is replaced in its place, and all else stays", "[verify]") {
  const Nanoseconds limit = Milliseconds(1500);
  CHECK(WithTimeLimit("tally.yml", "title: x\ntime_limit: 300ms # short\nmemory_limit: 1M\n", limit) == "title: x\ntime_limit: 1.5s # short\nmemory_limit: 1M\n");
  CHECK(WithTimeLimit("tally.yml", "title: x", limit) == "title: x\ntime_limit: 1.5s\n");
  CHECK(WithTimeLimit("config.yml", "time_limit: 400\noverride_limits: {py: {time_limit: 9}}\n", limit) == "time_limit: 1500\noverride_limits: {py: {time_limit: 9}}\n");
  CHECK(WithTimeLimit("task.yaml", "name: a\ntime_limit: 0.5\n", limit) == "name: a\ntime_limit: 1.5\n");
  CHECK(WithTimeLimit("problem.yaml", "name: a\nlimits:\n  memory: 64\n  time_limit: 2\n", limit) == "name: a\nlimits:\n  memory: 64\n  time_limit: 1.5\n");
  CHECK(WithTimeLimit("problem.yaml", "limits: {time_limit: 2, memory: 3}\n", limit) == "limits: {time_limit: 1.5, memory: 3}\n");
  CHECK(WithTimeLimit("problem.yaml", "name: a\n", limit).empty());
  CHECK(WithTimeLimit(".timelimit", "2\n", limit) == "1.5\n");
  CHECK(WithTimeLimit("domjudge-problem.ini", "name='a'\ntimelimit='3'\n", limit) == "name='a'\ntimelimit='1.5'\n");
  CHECK(WithTimeLimit("problem.xml", "<testset><time-limit>1000</time-limit></testset>", limit) == "<testset><time-limit>1500</time-limit></testset>");
}

TEST_CASE("verify --fix: of what was stopped at a limit only so much is known as was seen", "[verify]") {
  Package package;
  const ScratchFolder folder;
  package.tests.push_back({.name = "1", .input = folder.Write("1.in", "1\n"), .answer = ""});
  package.submissions = {{.name = "right.c", .expected = ExpectRight("accepted")}, {.name = "slow.c", .expected = ExpectOneOf("slow", {ResultCode::kTle})}};
  const auto report = [](ResultCode code, std::uint64_t milliseconds) {
    SolutionReport solution;
    solution.tests = {{.test = "1", .code = code, .instructions = milliseconds * kInstructionsPerMillisecond}};
    return solution;
  };
  const auto better = [&](const SolutionReport& right, const SolutionReport& slow) {
    const std::vector<SolutionReport> judged{report(ResultCode::kOk, 0), report(ResultCode::kTle, 0)}, counted{right, slow};
    return VerifyTimeLimit(package, Milliseconds(100), {judged, counted}).better;
  };
  CHECK(better(report(ResultCode::kOk, 90), report(ResultCode::kOk, 900)) == Milliseconds(500));
  CHECK(better(report(ResultCode::kOk, 90), report(ResultCode::kTle, 500)) == Milliseconds(300));
  CHECK_FALSE(better(report(ResultCode::kOk, 400), report(ResultCode::kTle, 500)));
  CHECK_FALSE(better(report(ResultCode::kTle, 538), report(ResultCode::kTle, 848)));
}

TEST_CASE("verify --fix: a limit that is in the middle, as people would say it", "[verify]") {
  CHECK(LimitBetween(Milliseconds(200), Milliseconds(2000)) == Milliseconds(1000));
  CHECK(LimitBetween(Milliseconds(20), Milliseconds(100)) == Milliseconds(60));
  CHECK(LimitBetween(std::chrono::seconds(3), std::chrono::seconds(40)) == std::chrono::seconds(14));
  CHECK_FALSE(LimitBetween(Milliseconds(900), Milliseconds(1000)));
  CHECK(LimitBetween(Milliseconds(250), Nanoseconds(0)) == Milliseconds(1000));
}

TEST_CASE("verify --fix: the limit of a package is moved between its submissions", "[cli][verify]") {
  const ScratchFolder folder;
  folder.Write("p/in/1.in", "1\n");
  folder.Write("p/out/1.out", "1\n");
  const auto loop = [](const char* rounds) { return std::string("#include <stdio.h>\nint main(void) { int x; volatile unsigned long i; if (scanf(\"%d\", &x) != 1) return 1; for (i = 0; i < ") + rounds + "ul; ++i) ; printf(\"%d\\n\", x); return 0; }\n"; };
  folder.Write("p/fast.c", loop("20000000"));
  folder.Write("p/slow.c", loop("600000000"));
  folder.Write("p/tally.yml", "# the limit is too close to who is right\ntime_limit: 60ms\nsubmissions: {fast.c: OK or TLE, slow.c: TLE}\n");
  const CliResult refused = Tally({"verify", "p", "--fix", "--no-counts"}, {.directory = folder.path()});
  CHECK(refused.status == 1);
  CHECK(refused.error == "tally: --fix: a better limit is found by counting, and --no-counts leaves that out\n");
  const CliResult result = Tally({"verify", "p", "--fix"}, {.directory = folder.path()});
  INFO(result.out << result.error);
  CHECK(Has(result.out, "fixed: time limit: 60 ms is now "));
  const Package package = ReadPackage(folder.path() + "/p");
  REQUIRE(package.time);
  CHECK(*package.time >= Milliseconds(80));
  CHECK(sys::ReadFile(folder.path() + "/p/tally.yml").starts_with("# the limit is too close to who is right\ntime_limit: "));
}

}  // namespace
}  // namespace tally

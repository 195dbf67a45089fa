// `tally verify`: a sound package has no problems, and of a package with many mistakes each is told with its file.
#include <filesystem>
#include <nlohmann/json.hpp>

#include "tests/support/catch.h"
#include "tests/support/cli_run.h"
#include "tests/support/job_sources.h"
#include "tests/support/run_program.h"
#include "tests/support/scratch_folder.h"
#include "tests/support/skip.h"

namespace tally {
namespace {

constexpr const char* kValidator = "import sys\nn = sys.stdin.read()\nsys.exit(0 if n.strip().isdigit() and int(n) < 1000 else 'no number below a thousand')\n";
constexpr const char* kDouble = "print(2 * int(input()))\n";

// Asks for twice a number. Sound.
struct DoublePackage : ScratchFolder {
  DoublePackage() {
    Test("1", "1\n", "2\n");
    Test("2", "20\n", "40\n");
    Test("3", "300\n", "600\n");
    Write("p/double.py", kDouble);
    Write("p/wrong.py", "print(3 * int(input()))\n");
    Write("p/validate.py", kValidator);
    Write("p/broken.txt", "many\n");
    Write("p/tally.yml", Settings(""));
  }
  void Test(const std::string& name, const std::string& input, const std::string& answer) const {
    Write("p/in/" + name + ".in", input);
    Write("p/out/" + name + ".out", answer);
  }
  static std::string Settings(const std::string& more) {
    return "title: Double\ninput_validators: [validate.py]\nbroken_inputs: [broken.txt]\nmodel: double.py\nsubmissions: {double.py: OK, wrong.py: WA}\n" + more;
  }
  [[nodiscard]] CliResult Verify(Words more = {"--no-counts"}) const {
    more.insert(more.begin(), {"verify", "p"});
    return Tally(more, {.directory = path()});
  }
};

TEST_CASE("verify: a sound package has no problems, and every section says what it looked at", "[cli][verify]") {
  if (const auto why = WhyAbsent("python3")) TALLY_SKIP(*why);
  const CliResult result = DoublePackage().Verify();
  INFO(result.out << result.error);
  CHECK(result.status == 0);
  CHECK(Has(result.out, "\nfiles          3 tests\n"));
  CHECK(Has(result.out, "\ninputs         3 of 3 pass validate.py\n"));
  CHECK(Has(result.out, "\nbroken inputs  1 of 1 is refused\n"));
  CHECK(Has(result.out, "\ngenerators     not looked at: no test says how it is made\n"));
  CHECK(Has(result.out, "\nchecker        the comparison is built in\n"));
  CHECK(Has(result.out, "\nsubmissions    2 of 2 get what is promised of them\n"));
  CHECK(Has(result.out, "\nno problems\n"));
}

TEST_CASE("verify: --json has each section with its problems, and the verdicts as judge has them", "[cli][verify]") {
  if (const auto why = WhyAbsent("python3")) TALLY_SKIP(*why);
  const DoublePackage folder;
  folder.Test("4", "20\n", "40\n");
  const CliResult result = folder.Verify({"--no-counts", "--json"});
  CHECK(result.status == 3);
  const nlohmann::json json = nlohmann::json::parse(result.out, nullptr, false);
  REQUIRE(json.is_object());
  CHECK(json["problems"] == 1);
  CHECK(json["sections"][0]["section"] == "files");
  CHECK(json["sections"][0]["problems"][0] == "in/4.in: the same input as in/2.in");
  CHECK(json["solutions"][0]["verdict"] == "OK");
}

TEST_CASE("verify: sinol's ingen writes the inputs, the same each time, and what it writes is compared", "[cli][verify]") {
  if (const auto why = WhyAbsent("python3")) TALLY_SKIP(*why);
  const ScratchFolder folder;
  folder.Write("p/config.yml", "title: Gen\n");
  for (int i = 1; i <= 3; ++i) {
    folder.Write("p/in/gen" + std::to_string(i) + ".in", std::to_string(10 * i) + "\n");
    folder.Write("p/out/gen" + std::to_string(i) + ".out", "1\n");
  }
  const auto generators = [&](const char* ingen) {
    folder.Write("p/prog/geningen.py", ingen);
    const CliResult result = Tally({"verify", "p", "--no-counts"}, {.directory = folder.path()});
    INFO(result.error);
    return result.out.substr(result.out.find("generators"));
  };
  CHECK(generators("for i in (1, 2):\n  open(f'gen{i}.in', 'w').write(f'{10 * i}\\n')\n").starts_with("generators     2 of 2 tests are what prog/geningen.py writes; 1 made otherwise\n"));
  const std::string other = generators("for i in (1, 2, 9):\n  open(f'gen{i}.in', 'w').write('10\\n')\n");
  CHECK(Has(other, "problem: in/gen2.in: prog/geningen.py writes another input than this\n"));
  CHECK(Has(other, "note: prog/geningen.py writes gen9.in, which is no test of the package\n"));
  CHECK(Has(generators("import random\nopen('gen1.in', 'w').write(str(random.SystemRandom().random()))\n"), "problem: in/gen1.in: prog/geningen.py writes another input each time\n"));
  CHECK(Has(generators("raise SystemExit('no seed')\n"), "problem: prog/geningen.py: it fails: no seed\n"));
}

TEST_CASE("verify: ten mistakes in one package, and a sentence with its file for each", "[cli][verify]") {
  if (const auto why = WhyAbsent("python3")) TALLY_SKIP(*why);
  const DoublePackage folder;
  folder.Test("4", "20\n", "40\n");                                                        // 1: test 2 again
  folder.Test("5", "5000\n", "10000\n");                                                   // 2: beyond the validator's bound
  folder.Test("6", "7\n", "15\n");                                                         // 3: a wrong answer
  folder.Test("7", "8\n", "\n");                                                           // 4: an empty one
  folder.Write("p/out/9.out", "1\n");                                                      // 5: an answer without a test
  folder.Write("p/broken.txt", "12\n");                                                    // 6: broken input that is none
  folder.Write("p/gen.py", "import random\nprint(random.SystemRandom().randint(1, 10**6))\n");  // 7: another one each time
  folder.Write("p/check.py", "print('OK')\n");                                             // 8: a checker that accepts all
  folder.Write("p/right.py", "import sys\nx = input()\nif x == '300': sys.exit(4)\nprint(2 * int(x))\n");  // 9: fails, and should be right
  folder.Write("p/slow.py", "print(2 * int(input()))\n");                                  // 10: should be too slow, and is not
  folder.Write("p/tally.yml", "title: Double\ninput_validators: [validate.py]\nbroken_inputs: [broken.txt]\nmodel: double.py\nchecker: check.py\n"
                              "submissions: {double.py: OK, wrong.py: WA, right.py: OK, slow.py: TLE}\ngenerated: {3: gen.py}\n");
  const CliResult all = folder.Verify();
  INFO(all.out << all.error);
  CHECK(all.status == 3);
  CHECK(Has(all.out, "problem: in/4.in: the same input as in/2.in\n"));
  CHECK(Has(all.out, "problem: in/5.in: validate.py refuses it: no number below a thousand\n"));
  CHECK(Has(all.out, "problem: out/7.out: the answer is empty\n"));
  CHECK(Has(all.out, "problem: out/9.out: it looks like a test or settings, and nothing reads it\n"));
  CHECK(Has(all.out, "problem: broken.txt: validate.py accepts it, though it is broken\n"));
  CHECK(Has(all.out, "problem: in/3.in: gen.py prints another input each time\n"));
  CHECK(Has(all.out, "problem: check.py: it accepts an empty output for test 1 and 5 others\n"));
  CHECK(Has(all.out, "problem: wrong.py: no test is WA, which WA promises\n"));
  CHECK(Has(all.out, "problem: right.py: it is RE, where OK permits OK (test 3: runtime error 4)\n"));
  CHECK(Has(all.out, "problem: slow.py: no test is TLE, which TLE promises\n"));
  // With a comparison that looks, the wrong answer shows too.
  folder.Write("p/tally.yml", DoublePackage::Settings(""));
  const CliResult compared = folder.Verify();
  INFO(compared.out << compared.error);
  CHECK(Has(compared.out, "problem: double.py: it is WA, where OK permits OK (test 6: WRONG: line 1: expected \"15\", got \"14\")\n"));
}

TEST_CASE("verify: the time limit by instructions, between the slowest that should pass and the fastest that should not", "[cli][verify]") {
  if (const auto why = WhyAbsent("python3")) TALLY_SKIP(*why);
  const DoublePackage folder;
  folder.Write("p/slow.py", "n = int(input())\nfor i in range(n * 20000): pass\nprint(2 * n)\n");
  folder.Write("p/tally.yml", "time_limit: 200ms\nvirtual_time: yes\nsubmissions: {double.py: OK, slow.py: TLE}\nmodel: double.py\n");
  const CliResult result = folder.Verify({});
  INFO(result.out << result.error);
  CHECK(result.status == 0);
  CHECK(Has(result.out, "\ntime limit     200 ms is "));
  CHECK(Has(result.out, " times the slowest that is right (double.py, test "));
  CHECK(Has(result.out, " times below the fastest that is too slow (slow.py, test 3: "));
  CHECK(Has(result.out, " separate them\n"));
}

TEST_CASE("verify: a validator that does not compile is a problem, and the others go on", "[cli][verify]") {
  if (const auto why = WhyAbsent("python3")) TALLY_SKIP(*why);
  const DoublePackage folder;
  folder.Write("p/validate.py", "print((\n");
  const CliResult result = folder.Verify();
  CHECK(result.status == 3);
  CHECK(Has(result.out, "validate.py: compilation failed"));
  CHECK(Has(result.out, "\nsubmissions    2 of 2 get what is promised of them\n"));
}

}  // namespace
}  // namespace tally

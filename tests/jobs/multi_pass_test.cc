// Kattis' multi-pass problems: a solution is run again on what the validator leaves.
#include "jobs/judging.h"
#include "jobs/transcript.h"
#include "tests/support/catch.h"
#include "tests/support/job_run.h"
#include "tests/support/package_mistake.h"
#include "tests/support/scratch_folder.h"

namespace tally {
namespace {

// Pass 1: the solution is given 21 and prints a number, pass 2: it is given that number and prints 21 again. The validator counts passes in its
// folder, and reads what the solution is given.
constexpr const char* kValidator = R"(#include <cstdio>
#include <cstdlib>
#include <string>
int Read(FILE* f) { int n = -1; if (f == nullptr || std::fscanf(f, "%d", &n) != 1) return -1; return n; }
int main(int argc, char** argv) {
  if (argc < 4) return 3;
  const std::string folder = argv[3];  // with a slash at its end
  const int passes = std::max(0, Read(std::fopen((folder + "passes").c_str(), "r"))) + 1;
  std::fprintf(std::fopen((folder + "passes").c_str(), "w"), "%d\n", passes);
  const int in = Read(std::fopen(argv[1], "r")), out = Read(stdin);
  if (passes == 2 && in < 100) return 3;
  if (passes == PASSES) return out == 21 ? 42 : 43;
  if (out < 100) { if (LEAVES) std::fprintf(std::fopen((folder + "nextpass.in").c_str(), "w"), "1\n"); return 43; }
  std::fprintf(std::fopen((folder + "nextpass.in").c_str(), "w"), "%d\n", out);
  return 42;
}
)";

struct MultiPassFolder : ScratchFolder {
  explicit MultiPassFolder(int passes = 2, const std::string& limits = "", const char* leaves = "false") {
    Write("problem.yaml", "problem_format_version: 2023-07\nname: There and back\ntype: multi-pass\n" + limits);
    Write("data/secret/1.in", "21\n");
    Write("data/secret/1.ans", "21\n");
    Write("output_validators/v.cpp", "#include <algorithm>\n#define PASSES " + std::to_string(passes) + "\n#define LEAVES " + leaves + "\n" + kValidator);
  }
  [[nodiscard]] std::string Judge(const std::string& body, const JudgeOptions& options = {}) const {
    const Package package = ReadPackage(path());
    const std::string source = "#include <stdio.h>\n#include <unistd.h>\nint main(void) { int n; if (scanf(\"%d\", &n) != 1) return 1; " + body + " return 0; }\n";
    const SolutionReport report = Judging(package, options).Judge(Write("solution.c", source), [](std::size_t, const std::string&) {});
    const TestReport& test = report.tests.front();
    return std::string(Name(test.code)) + ": " + test.sentence;
  }
};

constexpr const char* kRight = "printf(\"%d\\n\", n < 100 ? n + 100 : n - 100);";

TEST_CASE("multi-pass: the second pass has what the validator left, which remembers the first", "[judging]") {
  const MultiPassFolder folder;
  CHECK(folder.Judge(kRight) == "OK: ok");
  CHECK(folder.Judge("printf(\"%d\\n\", n < 100 ? n + 100 : n);").starts_with("WA: pass 2: "));
  CHECK(folder.Judge("printf(\"%d\\n\", n);").starts_with("WA: wrong answer"));
  CHECK(folder.Judge("if (n > 100) _exit(7); printf(\"%d\\n\", n + 100);") == "RE: pass 2: runtime error 7");
  CHECK(folder.Judge(kRight, {.isolation = Isolation::kReduced}) == "OK: ok");
  CHECK(folder.Judge(kRight, {.virtual_time = true}) == "OK: ok");
}

TEST_CASE("multi-pass: each pass has the limits for itself, and the most that one took is told", "[judging]") {
  const MultiPassFolder folder;
  const std::string spin = "for (volatile long i = 0; i < (n < 100 ? 1000 : ROUNDS); ++i) ; ";
  const auto with = [&](const char* rounds) { return "enum { ROUNDS = " + std::string(rounds) + " }; " + spin + kRight; };
  JudgeOptions options{.virtual_time = true};
  options.time = Milliseconds(100);
  CHECK(folder.Judge(with("2000000000"), options).starts_with("TLE: pass 2: "));
  const Package package = ReadPackage(folder.path());
  const auto count = [&](const char* rounds) {
    const std::string source = "#include <stdio.h>\nint main(void) { int n; if (scanf(\"%d\", &n) != 1) return 1; " + with(rounds) + " return 0; }\n";
    return Judging(package, options).Judge(folder.Write("solution.c", source), [](std::size_t, const std::string&) {}).tests.front().instructions.value();
  };
  CHECK(count("1000000") > count("1000") + 2'000'000);
}

TEST_CASE("multi-pass: an input too many, and one beside a refusal, are the validator's faults", "[judging]") {
  CHECK(MultiPassFolder(3).Judge(kRight) == "WA: pass 2: wrong answer");  // 21 is below 100
  const char* const up = "printf(\"%d\\n\", n + 100);";
  CHECK(MultiPassFolder(5).Judge(up) == "SE: checker failed: it left an input for pass 3, and there are 2 at most (limits: validation_passes)");
  CHECK(MultiPassFolder(4, "limits: {validation_passes: 4}\n").Judge(up).starts_with("WA: pass 4: "));
  CHECK(MultiPassFolder(2, "", "true").Judge("printf(\"%d\\n\", n);") == "SE: checker failed: it refused the output, and left an input for another pass");
}

TEST_CASE("multi-pass: a validator may leave no link in the next input's place, and a folder is no input", "[judging]") {
  const MultiPassFolder folder;
  const auto leaving = [&](const std::string& call) {
    folder.Write("output_validators/v.cpp", "#include <string>\n#include <sys/stat.h>\n#include <unistd.h>\nint main(int, char** argv) { const std::string next = std::string(argv[3]) + \"nextpass.in\"; return " + call + " == 0 ? 42 : 3; }\n");
    return folder.Judge(kRight);
  };
  CHECK(leaving("symlink(\"/etc/passwd\", next.c_str())").starts_with("SE: checker failed: the checker ended with exit status 3"));  // no policy lets it
  CHECK(leaving("mkdir(next.c_str(), 0700)") == "SE: checker failed: nextpass.in is no regular file");
}

// The interactor tells a number to guess from in pass 1, and in pass 2 what was said in pass 1, which only its folder still knows.
constexpr const char* kTalking = R"(#include <cstdio>
#include <string>
int main(int, char** argv) {
  const std::string folder = argv[3];
  int n = 0, first = 0, said = 0;
  if (std::fscanf(std::fopen(argv[1], "r"), "%d", &n) != 1) return 3;
  FILE* kept = std::fopen((folder + "kept").c_str(), "r");
  const bool second = kept != nullptr;
  if (second && std::fscanf(kept, "%d", &first) != 1) return 3;
  std::printf("%d %d\n", second ? 2 : 1, n);
  std::fflush(stdout);
  if (std::scanf("%d", &said) != 1) return 43;
  if (second) return said == first && n == first + 1 ? 42 : 43;
  std::fprintf(std::fopen((folder + "kept").c_str(), "w"), "%d\n", said);
  std::fprintf(std::fopen((folder + "nextpass.in").c_str(), "w"), "%d\n", said + 1);
  return said > n ? 42 : 43;
}
)";

TEST_CASE("multi-pass: an interactor talks in each pass, and its folder stays", "[judging][interactive]") {
  const ScratchFolder folder;
  folder.Write("problem.yaml", "problem_format_version: 2023-07\nname: Twice\ntype: [interactive, multi-pass]\n");
  folder.Write("data/secret/1.in", "5\n");
  folder.Write("data/secret/1.ans", "");
  folder.Write("output_validators/v.cpp", kTalking);
  const Package package = ReadPackage(folder.path());
  const auto judge = [&](const std::string& body, JudgeOptions options = {}) {
    const std::string source = "#include <stdio.h>\n#include <unistd.h>\nint main(void) { int pass, n; if (scanf(\"%d %d\", &pass, &n) != 2) return 1; " + body + " return 0; }\n";
    options.transcripts = folder.path() + "/said";
    const TestReport test = Judging(package, options).Judge(folder.Write("solution.c", source), [](std::size_t, const std::string&) {}).tests.front();
    return std::string(Name(test.code)) + ": " + test.sentence;
  };
  const std::string right = "printf(\"%d\\n\", pass == 1 ? n + 10 : n - 1);";
  CHECK(judge(right) == "OK: ok");
  const std::string source = folder.path() + "/solution.c";
  CHECK(ReadText(TranscriptPath(folder.path() + "/said", source, "secret/1")).find("< 1 5\n") != std::string::npos);
  CHECK(ReadText(TranscriptPath(folder.path() + "/said", source, "secret/1-pass-2")).find("< 2 16\n") != std::string::npos);
  CHECK(judge(right, {.isolation = Isolation::kReduced}) == "OK: ok");
  CHECK(judge(right, {.virtual_time = true}) == "OK: ok");
  CHECK(judge("printf(\"%d\\n\", n + 10);") == "WA: pass 2: wrong answer");
  CHECK(judge("if (pass == 2) _exit(7); printf(\"%d\\n\", n + 10);") == "RE: pass 2: runtime error 7");
  CHECK(judge("printf(\"%d\\n\", n);") == "SE: interactor failed: it refused the output, and left an input for another pass");
}

TEST_CASE("multi-pass: a validator is needed", "[judging]") {
  const ScratchFolder folder;
  folder.Write("data/secret/1.in", "1\n");
  folder.Write("data/secret/1.ans", "1\n");
  folder.Write("problem.yaml", "name: a\ntype: multi-pass\n");
  CHECK(PackageMistake(folder.path()).find("the problem is multi-pass, and there is no program in output_validators/") != std::string::npos);
  folder.Write("problem.yaml", "name: a\ntype: [multi-pass, interactive]\n");
  CHECK(PackageMistake(folder.path()).find("and there is no program in output_validators/") != std::string::npos);
}

}  // namespace
}  // namespace tally

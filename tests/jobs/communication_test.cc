// Interactors as SIO and CMS have them, with several processes of the solution; and what was said, kept.
#include <csignal>
#include <filesystem>
#include <set>

#include "jobs/interaction_verdict.h"
#include "jobs/judging.h"
#include "jobs/transcript.h"
#include "tests/support/catch.h"
#include "tests/support/job_run.h"
#include "tests/support/scratch_folder.h"

namespace tally {
namespace {

namespace fs = std::filesystem;

void NoProgress(std::size_t, const std::string&) {}

// Process 0 is told a number and doubles it, process 1 gets that and adds 1.
constexpr const char* kSoc = R"(#include <stdio.h>
#include <stdlib.h>
int main(int argc, char** argv) {
  if (argc != 6 || atoi(argv[1]) != 2) return 3;
  FILE *r0 = fdopen(atoi(argv[2]), "r"), *w0 = fdopen(atoi(argv[3]), "w"), *r1 = fdopen(atoi(argv[4]), "r"), *w1 = fdopen(atoi(argv[5]), "w");
  int n, a;
  if (scanf("%d", &n) != 1) return 4;
  fprintf(w0, "%d\n", n);
  fflush(w0);
  if (fscanf(r0, "%d", &a) != 1) return puts("WA\nprocess 0 is silent") < 0;
  fprintf(w1, "%d\n", a);
  fflush(w1);
  if (fscanf(r1, "%d", &a) != 1) return puts("WA\nprocess 1 is silent") < 0;
  return puts(a == 2 * n + 1 ? "OK\nwell said\n50" : "WA\nnot twice and one") < 0;
}
)";

std::string Solution(const std::string& of_0, const std::string& of_1) {
  return "#include <stdio.h>\n#include <stdlib.h>\n#include <unistd.h>\nint main(int argc, char** argv) {\n  int x = 0, i = atoi(argv[1]);\n"
         "  if (i == 0) { " + of_0 + " } else { " + of_1 + " }\n  (void)argc;\n  return x < 0;\n}\n";
}
constexpr const char* kTwice = "scanf(\"%d\", &x); printf(\"%d\\n\", 2 * x);";
constexpr const char* kAndOne = "scanf(\"%d\", &x); printf(\"%d\\n\", x + 1);";

struct SioPackage : ScratchFolder {
  SioPackage() {
    Write("config.yml", "title: Said\ntime_limit: 400\nmemory_limit: 65536\nnum_processes: 2\n");
    Write("in/sai1.in", "3\n");
    Write("in/sai2.in", "20\n");
    Write("prog/saisoc.c", kSoc);
  }
  [[nodiscard]] SolutionReport Judge(const std::string& solution, const JudgeOptions& options = {}) const {
    const Package package = ReadPackage(path());
    return Judging(package, options).Judge(Write("solution.c", solution), NoProgress);
  }
};

TEST_CASE("communication: SIO's interactor and two processes of the solution", "[judging][interactive]") {
  const SioPackage folder;
  const auto first = [&](const std::string& of_0, const std::string& of_1, const JudgeOptions& options = {}) {
    const TestReport test = folder.Judge(Solution(of_0, of_1), options).tests.front();
    return std::string(Name(test.code)) + " " + test.sentence;
  };
  CHECK(first(kTwice, kAndOne) == "OK well said");
  CHECK(folder.Judge(Solution(kTwice, kAndOne)).tests.front().percentage == 50);
  CHECK(first(kTwice, kAndOne, {.isolation = Isolation::kReduced}) == "OK well said");
  const TestReport counted = folder.Judge(Solution(kTwice, kAndOne), {.virtual_time = true}).tests.front();
  CHECK(std::string(Name(counted.code)) + " " + counted.sentence == "OK well said");
  INFO(counted.json);
  CHECK(counted.json.find("\"exectime_deterministic\":true") != std::string::npos);  // both of them
  CHECK(counted.json.find("\"counter_used\":\"translator\"") != std::string::npos);
  CHECK(first(kTwice, kTwice) == "WA not twice and one");
  CHECK(first("", kAndOne).starts_with("WA "));
  CHECK(first(kTwice, "exit(7);") == "RE runtime error 7");
  CHECK(first("exit(6);", kAndOne) == "RE runtime error 6");
  CHECK(first(kTwice, "for (;;) ;").starts_with("TLE time limit exceeded"));
  CHECK(first("for (;;) ;", kAndOne).starts_with("TLE time limit exceeded"));
  CHECK(first(kTwice, "pause();").starts_with("TLE "));
  std::string codes;
  for (const TestReport& test : folder.Judge(Solution(kTwice, kAndOne), {.workers = 3}).tests) codes += Name(test.code);
  CHECK(codes == "OKOK");
}

TEST_CASE("communication: an interactor of SIO's that fails, or says nothing, is SE", "[judging][interactive]") {
  const SioPackage folder;
  for (const auto& [source, sentence] : {std::pair{"int main(void) { return 5; }", "interactor failed: it ended with exit status 5"}, {"int main(void) { return 0; }", "interactor failed: it said nothing on its stdout"}}) {
    folder.Write("prog/saisoc.c", source);
    const TestReport test = folder.Judge(Solution(kTwice, kAndOne)).tests.front();
    CHECK(test.code == ResultCode::kSe);
    CHECK(test.sentence == std::string(sentence));
  }
}

TEST_CASE("communication: --transcript keeps what was said, in its order, and changes no verdict", "[judging][interactive]") {
  const SioPackage folder;
  const JudgeOptions options{.transcripts = folder.path() + "/said"};
  const std::string good = folder.Write("solution.c", Solution(kTwice, kAndOne)), bad = folder.Write("dies.c", Solution(kTwice, "exit(7);"));
  const Package package = ReadPackage(folder.path());
  CHECK(Judging(package, options).Judge(good, NoProgress).Worst() == ResultCode::kOk);
  CHECK(Judging(package, options).Judge(bad, NoProgress).Worst() == ResultCode::kRe);
  const std::string said = ReadText(TranscriptPath(options.transcripts, good, "sai1"));
  INFO(said);
  std::size_t at = 0;
  for (const char* line : {" 0 < 3\n", " 0 > 6\n", " 1 < 6\n", " 1 > 7\n", "# bytes and lines: the solution 4 and 2, the interactor 4 and 2\n"}) {
    at = said.find(line, at);
    CHECK(at != std::string::npos);
  }
  CHECK(fs::exists(TranscriptPath(options.transcripts, bad, "sai2")));
}

TEST_CASE("communication: each solution and test has a transcript of its own, below the folder", "[interactive]") {
  CHECK(TranscriptPath("said", "anna/main.cpp", "secret/g1/02") == "said/anna/main.cpp/secret/g1/02.txt");
  CHECK(TranscriptPath("said", "./a.cpp", "1") == "said/a.cpp/1.txt");
  CHECK(TranscriptPath("said", "/home/a.cpp", "1") == "said/home/a.cpp/1.txt");
  const std::string long_name(300, 'x');
  std::set<std::string> paths;
  for (const std::string& name : {std::string("a/b"), std::string("a_b"), std::string("../a"), std::string("../../a"), std::string(".a"), long_name + "a", long_name + "b", std::string("\xff"), std::string("\xfe")}) {
    const std::string path = TranscriptPath("said", name, "1");
    CHECK(path.starts_with("said/"));
    CHECK(fs::path(path).lexically_normal() == fs::path(path));
    paths.insert(path);
  }
  CHECK(paths.size() == 9);
}

TEST_CASE("communication: a folder for transcripts that cannot be written to is a mistake at the start", "[judging][interactive]") {
  const SioPackage folder;
  const Package package = ReadPackage(folder.path());
  for (const char* const path : {"/dev/null", "/dev/null/x", "/proc/x"}) {
    CHECK_THROWS_WITH(Judging(package, {.transcripts = path}), Catch::Matchers::StartsWith(std::string("--transcript: ") + path + ": "));
  }
}

TEST_CASE("communication: a manager that cannot be executed is a mistake at the start", "[judging][interactive]") {
  const ScratchFolder folder;
  folder.Write("task.yaml", "name: one\nn_input: 1\n");
  folder.Write("input/input0.txt", "");
  folder.Write("output/output0.txt", "");
  folder.Write("check/manager", "no program\n");
  const Package package = ReadPackage(folder.path());
  CHECK_THROWS_WITH(Judging(package, {}), Catch::Matchers::Contains("interactor: ") && Catch::Matchers::Contains("manager cannot be executed: it is neither an ELF program"));
}

// The manager says the number to both processes, one after the other, and wants four times it.
struct CmsPackage : ScratchFolder {
  CmsPackage() {
    Write("task.yaml", "name: twice\ntitle: Twice\ntime_limit: 0.5\nmemory_limit: 64\nn_input: 1\nnum_processes: 2\n");
    Write("input/input0.txt", "5\n");
    Write("output/output0.txt", "");
    Write("check/manager.c", R"(#include <stdio.h>
int main(int argc, char** argv) {
  FILE *r0 = fopen(argv[1], "r"), *w0 = fopen(argv[2], "w"), *r1 = fopen(argv[3], "r"), *w1 = fopen(argv[4], "w");
  int n, a = 0, b = 0;
  if (argc != 5 || scanf("%d", &n) != 1) return 1;
  fprintf(w0, "%d\n", n);
  fflush(w0);
  if (fscanf(r0, "%d", &a) != 1) return printf("0.0\n") < 0;
  fprintf(w1, "%d\n", a);
  fflush(w1);
  if (fscanf(r1, "%d", &b) != 1) return printf("0.0\n") < 0;
  fprintf(stderr, b == 4 * n ? "as it should be\n" : "not four times\n");
  return printf(b == 4 * n ? "0.25\n" : "0.0\n") < 0;
}
)");
    Write("sol/twice.h", "int twice(int x, int process);\n");
    Write("sol/stub.c", R"(#include <stdio.h>
#include <stdlib.h>
#include "twice.h"
int main(int argc, char** argv) {
  FILE *w = fopen(argv[2], "w"), *r = fopen(argv[1], "r");
  int x;
  if (argc != 4 || fscanf(r, "%d", &x) != 1) return 2;
  fprintf(w, "%d\n", twice(x, atoi(argv[3])));
  return 0;
}
)");
  }
  [[nodiscard]] TestReport Judge(const std::string& body, const JudgeOptions& options = {}) const {
    const Package package = ReadPackage(path());
    const std::string solution = Write("solution.c", "#include <stdlib.h>\n#include \"twice.h\"\n" + body);
    const SolutionReport report = Judging(package, options).Judge(solution, NoProgress);
    INFO(report.compilation.output);
    REQUIRE(report.tests.size() == 1);
    return report.tests.front();
  }
};

TEST_CASE("communication: CMS' manager, stub and fifos", "[judging][interactive]") {
  const CmsPackage folder;
  const auto end = [&](const std::string& body, const JudgeOptions& options = {}) {
    const TestReport test = folder.Judge(body, options);
    return std::string(Name(test.code)) + " " + test.sentence;
  };
  const std::string good = "int twice(int x, int p) { (void)p; return 2 * x; }\n";
  CHECK(end(good) == "OK as it should be");
  CHECK(folder.Judge(good).percentage == 25);
  CHECK(end(good, {.isolation = Isolation::kReduced}) == "OK as it should be");
  CHECK(end(good, {.virtual_time = true}) == "OK as it should be");
  CHECK(end("int twice(int x, int p) { return 2 * x + p; }\n") == "WA not four times");
  CHECK(end("int twice(int x, int p) { if (p == 1) exit(5); return 2 * x; }\n") == "RE runtime error 5");
  CHECK(end("int twice(int x, int p) { while (p == 1) ; return 2 * x; }\n").starts_with("TLE "));
}

TEST_CASE("communication: a side that ends before it has opened its fifo leaves nobody waiting", "[judging][interactive]") {
  const CmsPackage folder;
  const std::string early = "int twice(int x, int p) { (void)p; return 2 * x; }\n__attribute__((constructor)) static void early(void) { exit(9); }\n";
  const TestReport solution = folder.Judge(early);
  CHECK(solution.code == ResultCode::kRe);
  CHECK(solution.sentence == "runtime error 9");
  folder.Write("check/manager.c", "int main(void) { return 3; }\n");
  const TestReport manager = folder.Judge("int twice(int x, int p) { (void)p; return 2 * x; }\n");
  INFO(manager.sentence);
  CHECK(manager.code == ResultCode::kSe);
}

// The same manager, and solutions that talk by their streams.
struct StdIoPackage : CmsPackage {
  StdIoPackage() {
    Write("task.yaml", "name: twice\ntitle: Twice\ntime_limit: 0.5\nmemory_limit: 64\nn_input: 1\nnum_processes: 2\nuser_io: std_io\n");
    fs::remove_all(path() + "/sol");
  }
  [[nodiscard]] TestReport Test(const std::string& solution, const JudgeOptions& options = {}) const {
    const Package package = ReadPackage(path());
    return Judging(package, options).Judge(Write("solution.c", solution), NoProgress).tests.front();
  }
  [[nodiscard]] std::string End(const std::string& solution, const JudgeOptions& options = {}) const {
    const TestReport test = Test(solution, options);
    return std::string(Name(test.code)) + " " + test.sentence;
  }
  void SetManager(const std::string& body) const {
    Write("check/manager.c", "#include <stdio.h>\n#include <unistd.h>\nint main(int argc, char** argv) { (void)argc; (void)argv; " + body + " }\n");
  }
};
constexpr const char* kTwiceEach = "scanf(\"%d\", &x); printf(\"%d\\n\", 2 * x);";

TEST_CASE("communication: CMS' std_io, where the fifos are the solution's streams", "[judging][interactive]") {
  const StdIoPackage folder;
  const std::string good = Solution(kTwiceEach, kTwiceEach);
  CHECK(folder.End(good) == "OK as it should be");
  CHECK(folder.End(good, {.isolation = Isolation::kReduced}) == "OK as it should be");
  const TestReport counted = folder.Test(good, {.virtual_time = true});
  CHECK(counted.code == ResultCode::kOk);
  INFO(counted.json);
  CHECK(counted.json.find("\"exectime_deterministic\":true") != std::string::npos);
  CHECK(folder.End(Solution(kTwiceEach, kAndOne)) == "WA not four times");
  CHECK(folder.End(Solution("exit(6);", kTwiceEach)) == "RE runtime error 6");
  CHECK(folder.End(Solution(kTwiceEach, "exit(7);")) == "RE runtime error 7");
  CHECK(folder.End(Solution(kTwiceEach, "for (;;) ;")).starts_with("TLE "));
  CHECK(folder.End(Solution("pause();", kTwiceEach)).starts_with("TLE "));
  const JudgeOptions kept{.transcripts = folder.path() + "/said"};
  CHECK(folder.End(good, kept) == "OK as it should be");
  const std::string said = ReadText(TranscriptPath(kept.transcripts, folder.path() + "/solution.c", "0"));
  INFO(said);
  CHECK(said.find(" 1 > 20\n") != std::string::npos);
}

TEST_CASE("communication: with std_io each side may end before the other has opened, and what was said is heard", "[judging][interactive]") {
  const StdIoPackage folder;
  folder.Write("task.yaml", "name: one\ntime_limit: 0.5\nmemory_limit: 64\nn_input: 1\nuser_io: std_io\n");
  const auto solution = [](const std::string& body) { return "#include <stdio.h>\n#include <stdlib.h>\n#include <unistd.h>\nint main(void) { int x = 0; " + body + " return 0; }\n"; };
  const std::string speaks_first = solution("printf(\"7\\n\");"), listens = solution("if (scanf(\"%d\", &x) != 1) exit(3); if (x != 8) exit(4);");

  folder.SetManager("usleep(100000); int a = 0; FILE* r = fopen(argv[1], \"r\"); fscanf(r, \"%d\", &a); return printf(a == 7 ? \"1.0\\n\" : \"0.0\\n\") < 0;");
  CHECK(folder.End(speaks_first) == "OK ok");  // it has ended long before
  folder.SetManager("FILE* w = fopen(argv[2], \"w\"); fprintf(w, \"8\\n\"); fclose(w); return printf(\"1.0\\n\") < 0;");
  CHECK(folder.End(listens) == "OK ok");  // it never opens what it would read from
  folder.SetManager("return printf(\"1.0\\n\") < 0;");
  CHECK(folder.End(listens) == "RE runtime error 3");  // an end, and no word
  CHECK(folder.End(solution("for (int i = 0; i < 1000000; ++i) puts(\"more\");")) == "OK ok");  // SIGPIPE after it was accepted
  folder.SetManager("return 3;");
  CHECK(folder.End(listens).starts_with("SE interactor failed: "));
  folder.SetManager("sleep(100); return 0;");
  CHECK(folder.End(listens).starts_with("TLE "));
}

TEST_CASE("communication: what an interactor says to one that has ended is no harm, whenever it says it", "[judging][interactive]") {
  const StdIoPackage folder;
  const auto verdict = [&](const char* how, const std::string& pause, const JudgeOptions& options = {}) {
    folder.Write("task.yaml", std::string("name: one\ntime_limit: 0.5\nmemory_limit: 64\nn_input: 1\nuser_io: ") + how + "\n");
    folder.SetManager("FILE *w = fopen(argv[2], \"w\"), *r = fopen(argv[1], \"r\"); int c = fgetc(r); " + pause +
                      " fputs(\"right\\n\", w); fflush(w); return puts(c == 'o' ? \"1.0\" : \"0.0\") < 0;");
    const std::string talk = std::string(how) == "std_io" ? "int w = 1;" : "int r = open(argv[1], O_RDONLY), w = open(argv[2], O_WRONLY); (void)r;";
    return folder.End("#include <fcntl.h>\n#include <unistd.h>\nint main(int argc, char** argv) { (void)argc; (void)argv; " + talk + " return write(w, \"ok\\n\", 3) < 0; }\n", options);
  };
  for (const char* const how : {"std_io", "fifo_io"}) {
    CHECK(verdict(how, "usleep(50000);") == "OK ok");
    CHECK(verdict(how, "usleep(50000);", {.virtual_time = true}) == "OK ok");
    for (int i = 0; i < 5; ++i) CHECK(verdict(how, "") == "OK ok");
  }
  CHECK(verdict("std_io", "usleep(50000);", {.transcripts = folder.path() + "/said"}) == "OK ok");
}

TEST_CASE("communication: processes of CMS that are within the limit each and not together are TLE", "[interactive]") {
  const auto used = [](int ms) {
    RunResult result;
    result.user_time = Milliseconds(ms);
    result.ended = Nanoseconds(ms);
    return result;
  };
  Limits limits;
  limits.user_time = Milliseconds(1000);
  CHECK(EndOfAll({used(600), used(600)}, Together::kSum, limits).all.code == ResultCode::kTle);
  CHECK(EndOfAll({used(600), used(600)}, Together::kMost, limits).all.code == ResultCode::kOk);
  CHECK(EndOfAll({used(600), used(600)}, Together::kMost, limits).all.user_time == Milliseconds(600));
  CHECK(EndOfAll({used(400), used(600)}, Together::kSum, limits).all.code == ResultCode::kOk);
}

TEST_CASE("communication: of several processes the first that failed decides, and a broken pipe only where none did otherwise", "[interactive]") {
  const auto failed = [](ResultCode code, std::optional<int> signal, int ended) {
    RunResult result;
    result.code = code;
    result.signal = signal;
    result.ended = Nanoseconds(ended);
    return result;
  };
  const RunResult well = failed(ResultCode::kOk, {}, 9), pipe = failed(ResultCode::kRe, SIGPIPE, 1), crash = failed(ResultCode::kRe, SIGSEGV, 5), slow = failed(ResultCode::kTle, {}, 7);
  CHECK(EndOfAll({well, slow, crash}, Together::kMost, {}).process == 2);
  CHECK(EndOfAll({pipe, crash}, Together::kMost, {}).process == 1);
  CHECK(EndOfAll({well, pipe}, Together::kMost, {}).process == 1);
  CHECK(EndOfAll({failed(ResultCode::kOk, {}, 3), well}, Together::kMost, {}).process == 1);
}

TEST_CASE("graders: a solution that is a function is compiled with its language's grader, headers and all", "[judging]") {
  const CmsPackage folder;
  fs::remove_all(folder.path() + "/check");
  folder.Write("task.yaml", "name: twice\ntime_limit: 5\nmemory_limit: 256\nn_input: 1\ninfile: ''\noutfile: ''\n");
  folder.Write("output/output0.txt", "10\n");
  folder.Write("sol/grader.c", "#include <stdio.h>\n#include \"twice.h\"\nint main(void) { int x; return scanf(\"%d\", &x) != 1 || printf(\"%d\\n\", twice(x, 0)) < 0; }\n");
  folder.Write("sol/grader.py", "import twice\nprint(twice.twice(int(input())))\n");
  CHECK(folder.Judge("int twice(int x, int p) { return 2 * x + p; }\n").code == ResultCode::kOk);
  const Package package = ReadPackage(folder.path());
  CHECK(Judging(package, {}).Judge(folder.Write("any_name.py", "def twice(x):\n  return x + x\n"), NoProgress).Worst() == ResultCode::kOk);
  CHECK_THROWS_WITH(Judging(package, {}).Judge(folder.Write("a.java", "class a {}\n"), NoProgress),
                    Catch::Matchers::Contains("a.java: solutions of this problem are compiled with a grader, and the package has none for .java (it has grader.c, grader.py)"));
}

TEST_CASE("libraries of sinol: the source of a language and the headers of all are compiled along", "[judging]") {
  const ScratchFolder folder;
  folder.Write("config.yml", "title: Lib\ntime_limit: 5000\nmemory_limit: 262144\nextra_compilation_files: [lib.h, lib.py]\nextra_compilation_args: {c: lib.c}\n");
  folder.Write("in/lib1.in", "4\n");
  folder.Write("out/lib1.out", "16\n");
  folder.Write("prog/lib.h", "int square(int);\n");
  folder.Write("prog/lib.c", "#include \"lib.h\"\nint square(int x) { return x * x; }\n");
  folder.Write("prog/lib.py", "def square(x): return x * x\n");
  const Package package = ReadPackage(folder.path());
  CHECK(Judging(package, {}).Judge(folder.Write("s.c", "#include <stdio.h>\n#include \"lib.h\"\nint main(void) { int x; return scanf(\"%d\", &x) != 1 || printf(\"%d\\n\", square(x)) < 0; }\n"), NoProgress).Worst() == ResultCode::kOk);
  CHECK(Judging(package, {}).Judge(folder.Write("s.py", "from lib import square\nprint(square(int(input())))\n"), NoProgress).Worst() == ResultCode::kOk);
  folder.Write("config.yml", "extra_compilation_args: {c: [-O0, lib.c]}\n");
  CHECK(MistakeIn([&] { return ReadPackage(folder.path()).title; }).find("config.yml:1:") != std::string::npos);
}

}  // namespace
}  // namespace tally

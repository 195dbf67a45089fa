// The series with real programs: what is measured, what a failure leaves, and how near two series are.
#include "jobs/profile_series.h"

#include <unistd.h>

#include <chrono>
#include <cmath>
#include <cstdlib>
#include <fstream>
#include <map>

#include "base/error.h"
#include "jobs/series_programs.h"
#include "tests/support/catch.h"
#include "tests/support/job_run.h"
#include "tests/support/job_sources.h"
#include "tests/support/run_program.h"
#include "tests/support/scratch_folder.h"
#include "tests/support/skip.h"

namespace tally {
namespace {

// In C, which compiles quickly: reads n and goes n times around `body`.
std::string LoopOver(const std::string& body) {
  return "#include <stdio.h>\n#include <stdlib.h>\n#include <string.h>\n"
         "int main(void) {\n  long n; unsigned sum = 1;\n  if (scanf(\"%ld\", &n) != 1) return 3;\n"
         "  for (long i = 0; i < n; ++i) { " + body + " }\n  printf(\"%u\\n\", sum);\n  return 0;\n}\n";
}
const std::string kLinear = LoopOver("sum = sum * 7 + (unsigned)i; __asm__ volatile(\"\");");

CodeMessage InC(const std::string& code, std::vector<std::uint64_t> scales = {1'000, 2'000, 4'000, 8'000}) {
  CodeMessage message;
  message.program = {code, "c17", ""};
  message.sizes.scales = std::move(scales);
  return message;
}

struct Told {
  std::vector<std::string> warnings, others;
  std::size_t steps = 0, total = 0;
};

ProfileReport Profile(const CodeMessage& message, Told* told = nullptr) {
  Told unused;
  Told* to = told != nullptr ? told : &unused;
  return RunSeries(message, Isolation::kFull,
                   {[to](std::size_t done, std::size_t total, const std::string&) {
                      to->steps = std::max(to->steps, done);
                      to->total = total;
                    },
                    [to](LogLevel level, const std::string& sentence) { (level == LogLevel::kWarning ? to->warnings : to->others).push_back(sentence); }});
}

std::vector<std::uint64_t> Instructions(const ProfileReport& report) {
  std::vector<std::uint64_t> out;
  for (const SizeReport& size : report.sizes) {
    out.push_back(size.instructions.has_value() ? size.instructions.value() : 0);
  }
  return out;
}

std::string Causes(const ProfileReport& report) {
  std::string out;
  for (const Failure& failure : report.failures) {
    out += (out.empty() ? "" : ", ") + std::to_string(failure.size) + " " + std::string(Name(failure.stage)) + " " +
           failure.cause;
  }
  return out;
}

TEST_CASE("series: hotspots are of a smaller size where the largest is too slow for them, and say so", "[series]") {
  if (const auto why = WhyAbsent("c17")) TALLY_SKIP(*why);
  CodeMessage message = InC(LoopOver("sum = sum * 7 + (unsigned)i; __asm__ volatile(\"\");"), {1'000, 400'000'000});
  message.sizes.corner_cases = {};
  message.timeout = Milliseconds(1'000);
  message.debug = true;
  const ProfileReport report = Profile(message);
  REQUIRE(report.hotspots);
  CHECK(report.hotspots_size == 1'000);
  CHECK(report.hotspots_larger.find("n = 400,000,000") != std::string::npos);
  CHECK(report.hotspots->total == report.sizes.front().instructions.value());
}

// With hotspots, of one size.
ProfileReport Observed(const std::string& code, const std::string& compiler, std::uint64_t size) {
  CodeMessage message;
  message.program = {code, compiler, ""};
  message.sizes.scales = {size};
  message.sizes.corner_cases = {};
  message.timeout = Milliseconds(20'000);
  message.debug = true;
  ProfileReport report = Profile(message);
  CAPTURE(report.hotspots_absent);
  REQUIRE(report.hotspots);
  return report;
}

TEST_CASE("series: a Python program's lines and functions cost what they execute, all of them the exact count", "[series]") {
  if (const auto why = WhyAbsent("python3")) TALLY_SKIP(*why);
  const ProfileReport report = Observed("from __future__ import annotations\n"
                                        "def work(k):\n"
                                        "    \"\"\"Of a class and a function.\"\"\"\n"
                                        "    total = sum(range(1000 * k))\n"
                                        "    return total\n"
                                        "class Once:\n"
                                        "    __hidden = 1\n"
                                        "    def run(self, n):\n"
                                        "        return work(n) if n < 3 else self.run(n - 1) + work(n)\n"
                                        "def letters(n):\n"
                                        "    for i in range(n):\n"
                                        "        yield i\n"
                                        "print(Once().run(int(input())), sum(letters(3)))\n"
                                        "raise SystemExit(0)\n",
                                        "python3", 50);
  const Hotspots& hotspots = *report.hotspots;
  CHECK(hotspots.total == report.sizes.front().instructions.value());
  std::uint64_t sum = 0;
  for (const FunctionCost& function : hotspots.functions) sum += function.self;
  CHECK(sum == hotspots.total);
  CHECK(hotspots.source == "a.py");
  const auto line = [&](unsigned number) {
    const auto found = std::find_if(hotspots.lines.begin(), hotspots.lines.end(), [&](const LineCost& one) { return one.line == number; });
    return found == hotspots.lines.end() ? LineCost{} : *found;
  };
  // What is in C is most of it, is its line's own, and its callers' inclusively; a recursion counts once.
  CHECK(line(4).self > 1'000 * 49 * 25 * 8);
  CHECK(line(9).inclusive >= line(4).self);
  CHECK(line(9).inclusive < hotspots.total);
  CHECK(line(9).self < line(4).self / 10);
  CHECK(line(13).inclusive >= line(9).inclusive);
  CHECK(line(12).self > 0);
  std::string names;
  for (const FunctionCost& function : hotspots.functions) names += function.name + " ";
  for (const char* name : {"work", "Once.run", "<module>", "[python3]"}) CHECK(names.find(name) != std::string::npos);
  CHECK(report.hotspots->measured.find("marks") != std::string::npos);
}

TEST_CASE("series: hotspots of an interpreter other than Python's are its own functions, with the reason why lines are absent", "[series]") {
  if (const auto why = WhyAbsent("lua")) TALLY_SKIP(*why);
  const ProfileReport report = Observed("print(io.read('n') + 1)\n", "lua", 50);
  CHECK(report.hotspots->lines.empty());
  CHECK(report.hotspots_absent.find("an interpreter runs the program") == 0);
}

// Two methods, one of which does twenty times as much: the one may be in C2's code (two instructions for a pair) where the
// other was left in C1's, which counts itself (25). When a method gets there depends on what else the machine does.
constexpr const char* kTwoMethods =
    "public class Two {\n"
    "  static int often(int[] a) { int sum = 0; for (int turn = 0; turn < 20; ++turn) for (int x : a) for (int y : a) sum += x ^ (y * 31 + turn); return sum; }\n"
    "  static int once(int[] a) { int sum = 0; for (int x : a) for (int y : a) sum += x ^ (y * 31); return sum; }\n"
    "  public static void main(String[] none) {\n"
    "    int n = new java.util.Scanner(System.in).nextInt(), a[] = new int[n];\n"
    "    for (int i = 0; i < n; ++i) a[i] = i * i;\n"
    "    System.out.println(often(a) + once(a));\n  }\n}\n";

TEST_CASE("series: hotspots of a Java program are its compiled methods by what they cost themselves, the machine's interpreter and the machine", "[series]") {
  if (kSanitized) TALLY_SKIP("a sanitized translator takes longer");
  if (const auto why = WhyAbsent("java")) TALLY_SKIP(*why);
  const ProfileReport report = Observed(kTwoMethods, "java", 3'000);
  const Hotspots& hotspots = *report.hotspots;
  CHECK_FALSE(hotspots.no_inclusive.empty());
  if (hotspots.measured.empty()) TALLY_SKIP("this Java machine leaves no map of what it compiled: it is older than 16");
  std::map<std::string, std::uint64_t> self;
  std::uint64_t sum = 0;
  for (const FunctionCost& function : hotspots.functions) {
    CHECK(function.self > 0);
    self[function.name] += function.self;
    sum += function.self;
  }
  CHECK(sum == hotspots.total);
  // Two to 25 instructions for each pair, and at most some tenths of them before they are compiled.
  const std::uint64_t pairs = 3'000 * 3'000, often = self["Two.often(int[])"], once = self["Two.once(int[])"];
  CAPTURE(often, once);
  CHECK(often > 20 * pairs / 2);
  CHECK(once > pairs / 2);
  CHECK(often > once * 3 / 2);
  for (const char* machine : {"[the JVM's interpreter]", "libjvm"}) CHECK(self[machine] > 1'000'000);
  CHECK(self["[code made at run time]"] < hotspots.total / 50);
  CHECK(hotspots.lines.empty());
  CHECK(report.hotspots_absent.find("not their lines") != std::string::npos);
  CHECK(hotspots.measured.find("of its own") != std::string::npos);
}

TEST_CASE("series: every size has its time, memory and instructions, and the growth is told", "[series]") {
  if (const auto why = WhyAbsent("c17")) TALLY_SKIP(*why);
  Told told;
  const ProfileReport report = Profile(InC(kLinear), &told);
  REQUIRE(report.sizes.size() == 6);
  for (const SizeReport& size : report.sizes) {
    CAPTURE(size.n);
    CHECK(size.runtime_ms.value() > 0);
    CHECK(size.cpu_ms.value() > 0);
    CHECK(size.wall_ms.value() > 0);
    CHECK(size.peak_memory_mb.value() > 0.1);
    CHECK(size.instructions.value() > 1'000);
    CHECK(size.virtual_ms().value() == static_cast<double>(size.instructions.value()) / 2e6);
  }
  CHECK(report.failures.empty());
  CHECK(told.warnings.empty());
  CHECK(told.total == 13);
  CHECK(told.steps == 12);
  CHECK(report.growth.value().Name() == "n");
  CHECK(report.compiler == "c17");
  CHECK(report.counter == "translator");
  CHECK(report.instructions_vary.empty());
}

TEST_CASE("series: a run that crashes is infinite, is named, and the series goes on", "[series]") {
  if (const auto why = WhyAbsent("c17")) TALLY_SKIP(*why);
  Told told;
  const ProfileReport report = Profile(InC(LoopOver("if (n == 2000) abort(); ++sum;")), &told);
  CHECK(Causes(report) == "2000 run SIGABRT");
  REQUIRE(report.sizes.size() == 6);
  CHECK(std::isinf(report.sizes[3].runtime_ms.value()));
  CHECK(std::isinf(report.sizes[3].peak_memory_mb.value()));
  CHECK_FALSE(report.sizes[3].instructions.has_value());
  CHECK(report.sizes[5].instructions.has_value());
  CHECK(report.Crash() == "SIGABRT");
  REQUIRE(told.warnings.size() == 1);
  CHECK(Mentions(told.warnings[0], "n = 2,000: SIGABRT: process exited due to signal 6 (SIGABRT)"));
}

TEST_CASE("series: what a failed run wrote to stderr last is in its failure", "[series]") {
  if (const auto why = WhyAbsent("c17")) TALLY_SKIP(*why);
  const ProfileReport report = Profile(InC(LoopOver("if (n == 2000) { fprintf(stderr, \"about to fail\\n\"); return 7; } fprintf(stderr, \"%d\", 1); ++sum;")));
  REQUIRE(Causes(report) == "2000 run exit code 7");
  CHECK(report.failures[0].cause == "exit code 7");
  CHECK(Mentions(report.failures[0].last_words, "about to fail\n"));
  CHECK(ReportObject(report)["failures"][0]["stderr"] == report.failures[0].last_words);
}

TEST_CASE("series: the log has the compiler's command, the figures of each size, and all of each run", "[series]") {
  if (const auto why = WhyAbsent("c17")) TALLY_SKIP(*why);
  Told told;
  Profile(InC(kLinear), &told);
  std::string all;
  for (const std::string& sentence : told.others) all += sentence + "\n";
  for (const char* part : {"compiled by c17: gcc -std=gnu17 ", "\nn = 8,000: CPU time ", "\nn = 8,000, run 1: OK: ok; user time ", "\nn = 8,000, counted: OK", " instructions\n"}) {
    CAPTURE(part);
    CHECK(Mentions(all, part));
  }
}

TEST_CASE("series: each way to fail has its cause", "[series]") {
  if (const auto why = WhyAbsent("c17")) TALLY_SKIP(*why);
  CodeMessage message = InC(LoopOver("if (n == 1) return 5;"
                                     "if (n == 10) *(volatile int*)0 = 1;"
                                     "if (n == 20) for (;;) __asm__ volatile(\"\");"
                                     "if (n == 30) for (;;) memset(malloc(1 << 20), 1, 1 << 20);"
                                     "if (n == 40) system(\"true\"); sum += i;"),
                            {10, 20, 30});
  message.timeout = Milliseconds(kSanitized ? 3000 : 1000);
  message.memory = Bytes::MiB(64);
  CHECK(Causes(Profile(message)) == "1 run exit code 5, 10 run SIGSEGV, 20 run TLE, 30 run MLE");
}

TEST_CASE("series: 64 processes are within the limit, more are not, and there is no network", "[series]") {
  if (const auto why = WhyAbsent("c17")) TALLY_SKIP(*why);
  CodeMessage message = InC("#include <stdio.h>\n#include <sys/socket.h>\n#include <sys/wait.h>\n#include <unistd.h>\n"
                            "int main(void) {\n  int n, hold[2]; char c;\n  if (scanf(\"%d\", &n) != 1 || pipe(hold) != 0) return 1;\n"
                            "  if (n == 999) return socket(AF_INET, SOCK_STREAM, 0) >= 0;\n"
                            "  for (int i = 1; i < n; ++i) {\n    if (fork() == 0) { close(hold[1]); read(hold[0], &c, 1); _exit(0); }\n  }\n"
                            "  close(hold[1]);\n  while (wait(NULL) > 0) {}\n  return 0;\n}\n",
                            {64, 80, 999});
  message.sizes.corner_cases.clear();
  const ProfileReport report = Profile(message);
  CHECK(report.sizes[0].runtime_ms.has_value());
  CHECK(Mentions(Causes(report), "80 run RV, 999 run RV"));
  CHECK_FALSE(Mentions(Causes(report), "64 run"));
}

TEST_CASE("series: a stack of 200 MiB is within the limit, one of 300 is not", "[series]") {
  if (const auto why = WhyAbsent("c17")) TALLY_SKIP(*why);
  CodeMessage message = InC("#include <stdio.h>\nstatic int Deep(int n) {\n"
                            "  volatile char page[1 << 20]; page[n] = 1;\n  return n > 0 ? Deep(n - 1) + page[n] : 0;\n}\n"
                            "int main(void) { int n; if (scanf(\"%d\", &n) != 1) return 1; printf(\"%d\\n\", Deep(n)); }\n",
                            {1, 200, 300});
  message.sizes.corner_cases.clear();
  const ProfileReport report = Profile(message);
  CHECK(Causes(report) == "300 run SIGSEGV");
}

TEST_CASE("series: a source that does not compile is the error compile with the compiler's words", "[series]") {
  if (const auto why = WhyAbsent("c17")) TALLY_SKIP(*why);
  const ProfileReport report = Profile(InC("int main(void) { return undeclared; }"));
  REQUIRE(report.error);
  CHECK(report.error->code == "compile");
  CHECK(Mentions(report.error->text, "undeclared"));
  CHECK(report.sizes.empty());
  CHECK(report.growth.reason() == "compilation failed");
  CHECK(report.Code() == ResultCode::kCe);
}

TEST_CASE("series: a failed compilation is tried once more", "[series]") {
  if (const auto why = WhyAbsent("c17")) TALLY_SKIP(*why);
  const SeriesProgram failed("code", {"int main(void) { return undeclared; }", "c17", ""}, {.attempts = 2});
  CHECK_FALSE(failed.compilation().ok);
  CHECK(failed.attempts() == 2);
  const SeriesProgram compiled("code", {"int main(void) { return 0; }", "c17", ""}, {.attempts = 2});
  CHECK(compiled.attempts() == 1);
}

TEST_CASE("series: with debug a program executes the same instructions, and where is told to the last one", "[series]") {
  if (const auto why = WhyAbsent("c17")) TALLY_SKIP(*why);
  CodeMessage message = InC(kLinear);
  const std::vector<std::uint64_t> without = Instructions(Profile(message));
  message.debug = true;
  const ProfileReport debug = Profile(message);
  CHECK(Instructions(debug) == without);
  REQUIRE(debug.hotspots);
  CHECK(debug.hotspots->total == without.back());
  CHECK(debug.hotspots_size == 8'000);
  if (!debug.hotspots_absent.empty()) TALLY_SKIP(debug.hotspots_absent);
  REQUIRE_FALSE(debug.hotspots->lines.empty());
  CHECK(debug.hotspots->lines.front().file == "a.c");
  CHECK(debug.hotspots->lines.front().line == 7);
}

TEST_CASE("series: a generator is any program, called with n and the seed, in a sandbox of its own", "[series]") {
  if (const auto why = WhyAbsent("c17")) TALLY_SKIP(*why);
  CodeMessage message = InC(LoopOver("int v; if (scanf(\"%d\", &v) != 1) return 9; sum += v;"), {5, 50, 500});
  message.seed = 7;
  message.generator = ProgramText{
      "#include <stdio.h>\n#include <stdlib.h>\nint main(int count, char** words) {\n"
      "  if (count != 3 || atoi(words[2]) != 7) return 1;\n  int n = atoi(words[1]); printf(\"%d\\n\", n);\n"
      "  if (n == 50) abort();\n  while (n-- > 0) puts(\"3\");\n  return 0;\n}\n", "c17", ""};
  const ProfileReport report = Profile(message);
  CHECK(Causes(report) == "50 input SIGABRT");
  CHECK_FALSE(report.sizes[3].runtime_ms.has_value());
  CHECK(Mentions(report.sizes[3].runtime_ms.reason(), "generator: process exited due to signal 6"));
  CHECK(report.sizes[4].instructions.has_value());
}

TEST_CASE("series: a model solution and a checker check each output, and a wrong one is that size's failure", "[series]") {
  if (const auto why = WhyAbsent("c17")) TALLY_SKIP(*why);
  CodeMessage message = InC(LoopOver("sum += n == 20;"), {10, 20, 30});
  message.hint = ProgramText{"#include <stdio.h>\nint main(void) { puts(\"1\"); return 0; }\n", "c17", ""};
  const ProfileReport wrong = Profile(message);
  CHECK(Causes(wrong) == "20 check WA");
  CHECK(wrong.sizes[3].instructions.has_value());
  CHECK(wrong.Code() == ResultCode::kWa);
  message.checker = ProgramText{"#include <stdio.h>\nint main(void) { puts(\"OK\"); return 0; }\n", "c17", ""};
  CHECK(Causes(Profile(message)).empty());
  message.hint = ProgramText{"int main(void) { return undeclared; }\n", "c17", ""};
  CHECK(Mentions(MistakeIn([&] { return Causes(Profile(message)); }), "hint: compilation failed"));
}

TEST_CASE("series: a counted run that does not fit leaves its count absent, with the reason", "[series]") {
  if (const auto why = WhyAbsent("c17")) TALLY_SKIP(*why);
  // To ask how fine the clock is stops a counted program, and only that (docs/virtual-cpu.md).
  CodeMessage message = InC("#include <time.h>\nint main(void) {\n  struct timespec now; int sum = 0;\n"
                            "  for (int i = 0; i < 200000; ++i) sum += clock_getres(CLOCK_REALTIME, &now);\n  return sum;\n}\n",
                            {100'000});
  message.timeout = Milliseconds(300);
  message.sizes.corner_cases.clear();
  const auto start = std::chrono::steady_clock::now();
  const ProfileReport report = Profile(message);
  CHECK(std::chrono::steady_clock::now() - start < std::chrono::seconds(8));
  CHECK(report.sizes[0].runtime_ms.has_value());
  CHECK_FALSE(report.sizes[0].instructions.has_value());
  CHECK(report.sizes[0].instructions.reason() == "counting did not fit in what was left of the series' 300 ms");
  CHECK(Causes(report) == "100000 measure TLE");
  CHECK(report.Code() == ResultCode::kOk);
}

TEST_CASE("series: two in a row have the same instructions and virtual times", "[series]") {
  if (const auto why = WhyAbsent("c17")) TALLY_SKIP(*why);
  CodeMessage message = InC(LoopOver("unsigned v; if (scanf(\"%u\", &v) != 1) return 9; sum = sum * 31 + v;"));
  message.shape = Shape::kArray;
  const ProfileReport one = Profile(message), two = Profile(message);
  CHECK(Instructions(one) == Instructions(two));
  CHECK(one.growth.value().Sum() == two.growth.value().Sum());
}

const std::string kEvenOnes = LoopOver("unsigned v; if (scanf(\"%u\", &v) != 1) return 9; if (v % 2 == 0) for (int k = 0; k < 50; ++k) sum = sum * 31 + v;");

std::vector<std::uint64_t> SeedsCounted(const SizeReport& size) {
  std::vector<std::uint64_t> seeds;
  for (const CountedRun& run : size.others) seeds.push_back(run.seed);
  return seeds;
}

TEST_CASE("series: a random input has three seeds unless told otherwise, and every count is its own seed's", "[series]") {
  if (const auto why = WhyAbsent("c17")) TALLY_SKIP(*why);
  CodeMessage message = InC(kEvenOnes, {100, 200, 400, 800});
  message.shape = Shape::kArray;
  message.seed = 5;
  Told told;
  const ProfileReport report = Profile(message, &told);
  CHECK(told.total == 1 + 6 * 4);
  REQUIRE(report.sizes.size() == 6);
  CHECK(SeedsCounted(report.sizes[0]).empty());  // 0 and 1 take no part in the fit
  CHECK(SeedsCounted(report.sizes[1]).empty());
  for (std::size_t i = 2; i < 6; ++i) CHECK(SeedsCounted(report.sizes[i]) == std::vector<std::uint64_t>{6, 7});
  CHECK(report.sizes[5].others[0].instructions != report.sizes[5].instructions.value());
  message.seed = 6;
  message.seeds = 1;
  const ProfileReport next = Profile(message);
  CHECK(next.sizes[5].instructions.value() == report.sizes[5].others[0].instructions);
  CHECK(next.sizes[5].others.empty());
}

TEST_CASE("series: what does not look at the seed is counted once, a generator of one's own as often as asked", "[series]") {
  if (const auto why = WhyAbsent("c17")) TALLY_SKIP(*why);
  CodeMessage message = InC(kLinear, {100, 200});
  message.seeds = 4;
  CHECK(Profile(message).sizes[3].others.empty());
  message.generator = ProgramText{"#include <stdio.h>\nint main(int count, char** words) { return count != 3 || printf(\"%s\\n\", words[1]) < 0; }\n", "c17", ""};
  CHECK(SeedsCounted(Profile(message).sizes[3]) == std::vector<std::uint64_t>{1, 2, 3});
  message.seeds.reset();
  CHECK(Profile(message).sizes[3].others.empty());
}

TEST_CASE("series: a crash with another seed is told, and the size keeps its figures", "[series]") {
  if (const auto why = WhyAbsent("c17")) TALLY_SKIP(*why);
  CodeMessage message = InC(LoopOver("unsigned v; if (scanf(\"%u\", &v) != 1) return 9; if (n == 200 && i == 0 && v == BAD) abort(); sum += v;"), {100, 200});
  message.shape = Shape::kArray;
  const std::string input = GenerateInput(Shape::kArray, 200, 2);
  message.program.code.replace(message.program.code.find("BAD"), 3, input.substr(input.find('\n') + 1, 9));
  const ProfileReport report = Profile(message);
  CHECK(Causes(report) == "200 measure SIGABRT");
  CHECK(Mentions(report.failures.front().sentence, "counted with seed 2: process exited due to signal 6"));
  CHECK(report.sizes[3].instructions.has_value());
  CHECK(SeedsCounted(report.sizes[3]) == std::vector<std::uint64_t>{1});
}

TEST_CASE("series: two in a row have user times within 5 %, where the host allows it", "[series]") {
  if (const auto why = WhyAbsent("c17")) TALLY_SKIP(*why);
  CodeMessage message = InC(kLinear, {60'000'000});
  message.sizes.corner_cases.clear();
  double nearest = 1;
  for (int attempt = 0; attempt < 4 && nearest > 0.05; ++attempt) {
    const double one = Profile(message).sizes[0].runtime_ms.value(), two = Profile(message).sizes[0].runtime_ms.value();
    nearest = std::min(nearest, std::abs(one - two) / std::max(one, two));
  }
  if (nearest > 0.05) TALLY_SKIP("other work on this machine: user times differ by more than 5 %");
  CHECK(nearest <= 0.05);
}

// What GNU time -v prints as maximum resident set size. Not by our own fork: a child begins with what we have resident,
// and the kernel keeps that as its maximum over its execve (fs/exec.c, exec_mmap).
double ResidentMebibytes(const std::string& program, const std::string& input, const std::string& output) {
  const std::string command = "/usr/bin/time -f %M -o " + output + " " + program + " < " + input + " > /dev/null";
  REQUIRE(std::system(command.c_str()) == 0);  // NOLINT: a test's own words
  std::ifstream file(output);
  double kib = 0;
  file >> kib;
  return kib / 1024;
}

TEST_CASE("series: memory is within 2 MiB of what time -v says", "[series]") {
  if (const auto why = WhyAbsent("c17")) TALLY_SKIP(*why);
  if (::access("/usr/bin/time", X_OK) != 0) TALLY_SKIP("GNU time is not installed");
  CodeMessage message = InC(LoopOver("memset(malloc(1 << 20), 1, 1 << 20);"), {1, 10, 100});
  const ScratchFolder folder;
  const SeriesProgram program("code", message.program);
  const ProfileReport report = Profile(message);
  for (const SizeReport& size : report.sizes) {
    const std::string input = folder.Write("in", std::to_string(size.n) + "\n");
    CAPTURE(size.n);
    CHECK(std::abs(size.peak_memory_mb.value() - ResidentMebibytes(program.compilation().program, input, folder.Write("kib", ""))) < 2);
  }
}

TEST_CASE("series: a whole one takes less than 2 s times the number of sizes", "[series]") {
  if (kSanitized) TALLY_SKIP("a sanitized translator takes longer");
  if (const auto why = WhyAbsent("python3")) TALLY_SKIP(*why);
  CodeMessage message;
  message.program = {"x = 0\nfor i in range(int(input())):\n    x = x * 5 % 1000 + (i & 7)\nprint(x)\n", "python3", ""};
  const auto start = std::chrono::steady_clock::now();
  const ProfileReport report = Profile(message);
  CHECK(std::chrono::steady_clock::now() - start < std::chrono::seconds(2 * 7));
  CHECK(report.failures.empty());
  CHECK(report.growth.value().Name() == "n");
}

TEST_CASE("series: a program that hangs at every size is ended in time, too", "[series]") {
  if (const auto why = WhyAbsent("c17")) TALLY_SKIP(*why);
  CodeMessage message = InC("int main(void) { for (;;) __asm__ volatile(\"\"); }\n", {1, 2, 3});
  message.timeout = Milliseconds(100);
  const ProfileReport report = Profile(message);
  CHECK(Causes(report) == "0 run TLE, 1 run TLE, 2 run TLE, 3 run TLE");
}

TEST_CASE("series: an input too large to make is a mistake, told before anything runs", "[series]") {
  CodeMessage message = InC("no C at all", {100, 1'000'000'000});
  message.shape = Shape::kTree;
  CHECK(MistakeIn([&] { return Causes(Profile(message)); }) ==
        "generator: tree of 1000000000 is more than the 20000000 that Tally makes");
}

TEST_CASE("profile job: a CodeMessage comes back with its report, and a second time the same way", "[series][job]") {
  if (const auto why = WhyAbsent("c17")) TALLY_SKIP(*why);
  const Json keys{{"task_id", "loop"}, {"iteration", 4}, {"code", kLinear}, {"language", "c17"},
                  {"input_scales", {1e3, 2e3, 4e3, 8e3}}, {"input_bounds", {{"n", 8000}}}, {"expect", "n"}};
  const Json first = RunJobWith("profile", keys);
  CHECK(CodeOf(first) == "OK");
  CHECK(SentenceOf(first) == "ok");
  CHECK(first["task_id"] == "loop");
  CHECK(first["iteration"] == 4);
  CHECK(first["input_sizes"] == Json{0, 1, 1000, 2000, 4000, 8000});
  CHECK(first["growth"]["model"] == "n");
  CHECK(first["expectation"]["met"] == true);
  CHECK(first["hotspots"] == Json::object());
  const Json second = RunJobWith("profile", first);
  CHECK(second["instructions"] == first["instructions"]);
}

TEST_CASE("profile job: what went wrong is the result code, and a mistake names its key", "[series][job]") {
  if (const auto why = WhyAbsent("c17")) TALLY_SKIP(*why);
  const Json crash = RunJobWith("profile", {{"code", "int main(void) { __builtin_trap(); }"}, {"language", "c17"},
                                            {"input_scales", {5}}, {"extra_corner_cases", Json::array()}});
  CHECK(CodeOf(crash) == "RE");
  CHECK(crash["runtime_ms"] == Json{nullptr});
  CHECK(crash["hotspots"]["_crash"] == "SIGILL");
  CHECK(Mentions(SentenceOf(crash), "n = 5: process exited due to signal 4"));
  CHECK(CodeOf(RunJobWith("profile", {{"code", "int main(void) { return x; }"}, {"language", "c17"}})) == "CE");
  CHECK(MistakeOf("profile", Json::object()) == "code: this key is missing");
  CHECK(Mentions(MistakeOf("profile", {{"code", "x"}, {"language", "cobol"}}), "\"cobol\""));
}

}  // namespace
}  // namespace tally

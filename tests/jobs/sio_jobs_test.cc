// The remaining jobs of SIO Workers: interactive-exec, ingen, inwer, and keys that only its newer generation has.
#include <filesystem>
#include <fstream>
#include <string>

#include "tests/support/catch.h"
#include "tests/support/job_run.h"
#include "tests/support/run_program.h"
#include "tests/support/scratch_folder.h"

namespace tally {
namespace {

std::string Write(const std::string& path, const std::string& text) {
  std::ofstream(path) << text;
  return path;
}

// An executable made of C.
std::string Compiled(const ScratchFolder& folder, const std::string& name, const std::string& source) {
  const std::string program = folder.path() + "/" + name;
  const Json result = RunJobWith("compile", {{"source_file", Write(program + ".c", "#include <stdio.h>\n#include <stdlib.h>\n#include <unistd.h>\n" + source)}, {"out_file", program}});
  REQUIRE(CodeOf(result) == "OK");
  return program;
}

// Asks each process for its number plus what is in the test; 50 points if one lies.
constexpr const char* kInteractor = R"(
int main(int argc, char** argv) {
  int n = atoi(argv[1]), add = 0, good = 1;
  if (scanf("%d", &add) != 1) return 2;
  for (int i = 0; i < n; ++i) {
    char text[32] = {0};
    int length = snprintf(text, sizeof text, "%d\n", add);
    if (write(atoi(argv[3 + 2 * i]), text, length) != length) return 2;
    text[read(atoi(argv[2 + 2 * i]), text, sizeof text - 1)] = 0;
    good = good && atoi(text) == i + add;
  }
  printf(good ? "OK\nwell said\n75\n" : "WRONG\na lie\n");
  return 0;
})";

constexpr const char* kSolution = R"(
int main(int argc, char** argv) {
  int add = 0;
  if (scanf("%d", &add) != 1) return 3;
  printf("%d\n", atoi(argv[1]) + add);
  return 0;
})";

TEST_CASE("interactive-exec: processes talk to an interactor, whose verdict and points are the job's", "[sio_jobs]") {
  const ScratchFolder folder;
  Json keys = {{"interactor_file", Compiled(folder, "soc", kInteractor)}, {"exe_file", Compiled(folder, "solution", kSolution)}, {"in_file", Write(folder.path() + "/in", "40\n")}, {"num_processes", 3}};
  for (const char* type : {"interactive-exec", "cpu-interactive-exec", "vcpu-interactive-exec", "sio2jail-interactive-exec", "unsafe-interactive-exec"}) {
    CAPTURE(type);
    const Json result = RunJobWith(type, keys);
    CHECK(CodeOf(result) == "OK");
    CHECK(SentenceOf(result) == "well said");
    CHECK(result["result_percentage"] == 75);
  }
  const Json counted = RunJobWith("vcpu-interactive-exec", keys), again = RunJobWith("vcpu-interactive-exec", keys);
  CHECK(counted["exectime_used"].get<int>() > 1000);
  CHECK(counted["exectime_used"] == again["exectime_used"]);
  CHECK(counted["exectime_deterministic"] == true);
  keys["percentage_format"] = "fraction";
  CHECK(RunJobWith("interactive-exec", keys)["result_percentage"] == Json({75, 1}));
  keys["exe_file"] = Compiled(folder, "liar", "int main() { puts(\"7\"); return 0; }");
  CHECK(CodeOf(RunJobWith("interactive-exec", keys)) == "WA");
  keys["exe_file"] = TestProgram("sleep_forever");
  keys["exec_idle_time_limit"] = 200;
  CHECK(CodeOf(RunJobWith("interactive-exec", keys)) == "TLE");
}

TEST_CASE("interactive-exec: what makes no sense is one sentence", "[sio_jobs]") {
  const Json keys = {{"interactor_file", TestProgram("hello")}, {"exe_file", TestProgram("hello")}};
  const auto with = [&](const char* key, const Json& value) {
    Json changed = keys;
    changed[key] = value;
    return MistakeOf("interactive-exec", changed);
  };
  CHECK(Mentions(with("num_processes", 0), "num_processes: 0"));
  CHECK(Mentions(with("num_processes", 65), "num_processes"));
  CHECK(Mentions(with("interactor_protocol", "smoke"), "interactor_protocol: \"smoke\""));
  CHECK(Mentions(with("interactor_file", nullptr), "interactor_file: this key is missing"));
  CHECK(Mentions(with("interactor_file", "/nowhere"), "/nowhere"));
}

TEST_CASE("ingen: files that match are kept under the path, and what it says is told in lines", "[sio_jobs]") {
  const ScratchFolder folder;
  const std::string ingen = Compiled(folder, "ingen", R"(
int main() {
  FILE* file = fopen("abc1.in", "w");
  fprintf(file, "1\n");
  fclose(file);
  file = fopen("abc2a.in", "w");
  fclose(file);
  file = fopen("notes.txt", "w");
  fclose(file);
  if (symlink("/etc/passwd", "abc3.in") != 0) puts("no link");
  puts("made\ntwo");
  return 0;
})");
  std::filesystem::create_directory(folder.path() + "/kept");
  const Json keys = {{"exe_file", ingen}, {"re_string", "abc[0-9]+[a-z]*\\.in$"}, {"collected_files_path", folder.path() + "/kept"}};
  const Json result = RunJobWith("ingen", keys);
  CHECK(CodeOf(result) == "OK");
  CHECK(result["return_code"] == 0);
  CHECK(result["collected_files"].size() == 2);
  CHECK(result["collected_files"].contains("abc1.in"));
  CHECK(ReadText(folder.path() + "/kept/abc1.in") == "1\n");
  CHECK_FALSE(std::filesystem::exists(folder.path() + "/kept/notes.txt"));
  CHECK(result["stdout"].back() == "two");
  Json wrong = keys;
  wrong["re_string"] = "(";
  CHECK(Mentions(MistakeOf("ingen", wrong), "re_string: \"(\""));
  wrong = keys;
  wrong["exe_file"] = TestProgram("exit_code");
  const Json failed = RunJobWith("ingen", wrong);
  CHECK(CodeOf(failed) == "RE");
  CHECK_FALSE(failed.contains("collected_files"));
}

TEST_CASE("inwer: it reads the input, is told its name, and may not say too much", "[sio_jobs]") {
  const ScratchFolder folder;
  const std::string inwer = Compiled(folder, "inwer", R"(
int main(int argc, char** argv) {
  int n = 0;
  if (scanf("%d", &n) != 1 || n < 1) return 1;
  printf("OK %d\n%s\n", n, argv[1]);
  return 0;
})");
  Json keys = {{"exe_file", inwer}, {"in_file", Write(folder.path() + "/in", "7\n")}, {"in_file_name", "abc1.in"}};
  CHECK(RunJobWith("inwer", keys)["stdout"] == Json({"OK 7", "abc1.in"}));
  keys["in_file"] = Write(folder.path() + "/bad", "none\n");
  CHECK(CodeOf(RunJobWith("inwer", keys)) == "RE");
  keys.erase("in_file_name");
  keys["exe_file"] = TestProgram("stdout_flood");
  CHECK(CodeOf(RunJobWith("inwer", keys)) == "OLE");
}

TEST_CASE("exec: percentages are numbers, or fractions where those are asked for", "[sio_jobs]") {
  const ScratchFolder folder;
  const std::string checker = Compiled(folder, "chk", "int main() { printf(\"OK\\r\\ngood\\r\\n7/42\\r\\n\"); return 0; }");
  const std::string empty = Write(folder.path() + "/hint", "");
  Json keys = {{"check_output", true}, {"hint_file", empty}, {"chk_file", checker}, {"percentage_format", "fraction"}};
  const Json fraction = Exec("hello", keys);
  CHECK(CodeOf(fraction) == "OK");
  CHECK(fraction["result_percentage"] == Json({1, 6}));
  CHECK(Exec("exit_code", keys)["result_percentage"] == Json({0, 1}));
  keys["percentage_format"] = "number";
  CHECK(Exec("hello", keys)["result_percentage"].get<double>() == Approx(1.0 / 6));
  keys["percentage_format"] = "roman";
  CHECK(Mentions(MistakeIn([&] { return CodeOf(Exec("hello", keys)); }), "percentage_format: \"roman\""));
}

TEST_CASE("exec: faked time is told by every clock, also where nobody asked for a count", "[sio_jobs]") {
  const ScratchFolder folder;
  const std::string out = folder.path() + "/out";
  CHECK(CodeOf(Exec("virtual_clocks", {{"fake_time", "zero"}, {"out_file", out}})) == "OK");
  CHECK(Mentions(ReadText(out), "clock 0: 0.000000000\n"));
  CHECK(Mentions(MistakeIn([&] { return CodeOf(Exec("hello", {{"fake_time", "slow"}})); }), "fake_time: \"slow\""));
}

TEST_CASE("unsafe-exec: no description of a sandbox is needed", "[sio_jobs]") {
  const ScratchFolder nothing;
  const char* const before = std::getenv("TALLY_SANDBOXES");
  const std::string kept = before != nullptr ? before : "";
  ::setenv("TALLY_SANDBOXES", nothing.path().c_str(), 1);
  CHECK(CodeOf(UnsafeExec("hello")) == "OK");
  before != nullptr ? ::setenv("TALLY_SANDBOXES", kept.c_str(), 1) : ::unsetenv("TALLY_SANDBOXES");
}

TEST_CASE("ingen: a pattern that would be matched for ever is one sentence", "[sio_jobs]") {
  const ScratchFolder folder;
  const std::string exe = Compiled(folder, "gen", "int main(void) { fclose(fopen(\"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa\", \"w\")); return 0; }");
  CHECK(MistakeOf("ingen", {{"exe_file", exe}, {"re_string", "(a*)*b"}, {"collected_files_path", folder.path() + "/out"}}).starts_with("re_string: to match a name with it takes more than 5 s"));
}

// Both ends of a run-length code: "E\nTEXT\n" in, "D\nCODE\n" of the channel's.
constexpr const char* kRunLengths = R"(
int main(void) {
  int mode = getchar(), c, last = '\n', n = 0;
  getchar();
  if (mode == 'E') {
    do {
      c = getchar();
      if (c != last && last != '\n') printf("%c%d;", last, n), n = 0;
      ++n, last = c;
    } while (c != '\n');
  } else {
    while ((c = getchar()) != '\n') {
      if (scanf("%d;", &n) != 1) return 3;
      while (n-- > 0) putchar(c);
    }
  }
  putchar('\n');
  return 0;
})";

// Lets through what is as long as the hint says, in front of it D; it tells the checker how long it was.
constexpr const char* kChannel = R"(
int main(int argc, char** argv) {
  if (argc != 6) return 9;
  FILE *code = fopen(argv[2], "r"), *hint = fopen(argv[3], "r"), *through = fdopen(atoi(argv[4]), "w"), *told = fdopen(atoi(argv[5]), "w");
  int most = 0, n = 0, c;
  if (!fopen(argv[1], "r") || !code || !through || !told || fscanf(hint, "%d", &most) != 1) return 8;
  fputs("D\n", through);
  while ((c = fgetc(code)) != EOF) fputc(c, through), ++n;
  if (n > most) { puts("WRONG\ntoo long"); return 0; }
  fprintf(told, "%d\n", n);
  fclose(through), fclose(told);
  puts("OK");
  return 0;
})";

constexpr const char* kDecodedCheck = R"(
int main(int argc, char** argv) {
  if (argc != 5) return 9;
  FILE *in = fopen(argv[1], "r"), *told = fopen(argv[3], "r"), *decoded = fopen(argv[4], "r");
  int n = 0, c;
  if (!in || !fopen(argv[2], "r") || !decoded || fscanf(told, "%d", &n) != 1) return 8;
  fgetc(in), fgetc(in);
  while ((c = fgetc(in)) != EOF) if (fgetc(decoded) != c) { puts("WRONG\nanother text"); return 0; }
  printf("OK\n%d bytes\n%d\n", n, n < 8 ? 100 : 50);
  return 0;
})";

class EncdecProblem {
 public:
  EncdecProblem()
      : keys_{{"chn_file", Compiled(folder_, "chn", kChannel)}, {"chk_file", Compiled(folder_, "chk", kDecodedCheck)}, {"in_file", Write(Path("in"), "E\naaaabb\n")}, {"hint_file", Write(Path("hint"), "9\n")}} {
    keys_["encoder_time_limit"] = keys_["decoder_time_limit"] = 500;
  }
  [[nodiscard]] std::string Path(const std::string& name) const { return folder_.path() + "/" + name; }
  [[nodiscard]] std::string Program(const std::string& name, const std::string& source) const { return Compiled(folder_, name, source); }
  [[nodiscard]] Json Run(const std::string& exe, const Json& more = Json::object(), const char* type = "encdec-exec") const { return RunJobWith(type, With(exe, more)); }
  [[nodiscard]] std::string Mistake(const std::string& exe, const Json& more) const { return MistakeOf("encdec-exec", With(exe, more)); }

 private:
  [[nodiscard]] Json With(const std::string& exe, const Json& more) const {
    Json keys = keys_;
    keys["exe_file"] = exe;
    keys.update(more);
    return keys;
  }

  ScratchFolder folder_;
  Json keys_;
};

TEST_CASE("encdec-exec: what a solution encodes comes through a channel to another run of it, and a checker sees both", "[sio_jobs]") {
  const EncdecProblem problem;
  const std::string exe = problem.Program("rle", kRunLengths);
  for (const char* type : {"encdec-exec", "cpu-encdec-exec", "vcpu-encdec-exec", "sio2jail-encdec-exec", "unsafe-encdec-exec"}) {
    CAPTURE(type);
    const Json result = problem.Run(exe, Json::object(), type);
    CHECK(CodeOf(result) == "OK");
    CHECK(SentenceOf(result) == "7 bytes");
    CHECK(result["checker_result_percentage"] == 100);
    for (const char* step : {"encoder", "channel", "decoder", "checker"}) CHECK(result[std::string(step) + "_result_code"] == "OK");
    CHECK(!result.contains("failed_step"));
    CHECK(result.contains("encoder_time_used"));
    CHECK(result.contains("decoder_mem_used"));
  }
  const Json half = problem.Run(exe, {{"in_file", Write(problem.Path("in2"), "E\nabc\n")}, {"percentage_format", "fraction"}, {"hint_file", Write(problem.Path("hint2"), "10\n")}});
  CHECK(half["checker_result_percentage"] == Json({50, 1}));
}

TEST_CASE("encdec-exec: the step that fails is named, and none is made after it", "[sio_jobs]") {
  const EncdecProblem problem;
  const std::string exe = problem.Program("rle", kRunLengths);
  const auto failed = [](const Json& result, const std::string& step, const std::string& code) {
    CAPTURE(step, result.dump());
    CHECK(result.value("failed_step", "") == step);
    CHECK(result.value(step + "_result_code", "") == code);
    CHECK(CodeOf(result) == code);
    CHECK(result["result_percentage"] == 0);
  };
  const std::string loops_at = "int main(void) { int mode = getchar(); if (mode == '";
  const std::string end = "') for (volatile int i = 0;; ++i) {} puts(\"a1;\"); return 0; }";
  const Json encoder = problem.Run(problem.Program("loops_e", loops_at + "E" + end));
  failed(encoder, "encoder", "TLE");
  CHECK(!encoder.contains("channel_result_code"));
  const Json decoder = problem.Run(problem.Program("loops_d", loops_at + "D" + end));
  failed(decoder, "decoder", "TLE");
  CHECK(decoder["encoder_result_code"] == "OK");
  failed(problem.Run(exe, {{"in_file", Write(problem.Path("long"), "E\nabcdefgh\n")}}), "channel", "WA");
  failed(problem.Run(problem.Program("other", "int main(void) { puts(\"a1;\"); return 0; }")), "checker", "WA");
  const std::string large = "int main(void) { if (getchar() == 'D') { char* page = malloc(40 << 20); for (int i = 0; i < 40 << 20; i += 4096) page[i] = 1; } puts(\"a1;\"); return 0; }";
  failed(problem.Run(problem.Program("large", large), {{"decoder_mem_limit", 20'000}}), "decoder", "MLE");
}

TEST_CASE("encdec-exec: a channel or a checker that breaks is SE, whatever it said", "[sio_jobs]") {
  const EncdecProblem problem;
  const std::string exe = problem.Program("rle", kRunLengths);
  const Json channel = problem.Run(exe, {{"chn_file", problem.Program("bad_chn", "int main(void) { puts(\"OK\"); return 2; }")}});
  CHECK(CodeOf(channel) == "SE");
  CHECK(SentenceOf(channel) == "channel failed: it ended with exit status 2");
  // Its last write is a short one, and it does not look.
  const std::string flood = "#include <unistd.h>\nstatic char block[1 << 20]; int main(int argc, char** argv) { const int out = atoi(argv[argc - 2]); "
                            "for (int i = 0; i < 300 && write(out, block, sizeof block) == sizeof block; ++i) {} puts(\"OK\"); return 0; }";
  const Json cut = problem.Run(exe, {{"chn_file", problem.Program("flood_chn", flood)}});
  CHECK(CodeOf(cut) == "SE");
  CHECK(SentenceOf(cut) == "channel failed: it passes on more than 256 MiB");
  CHECK(cut["failed_step"] == "channel");
  const Json checker = problem.Run(exe, {{"chk_file", problem.Program("bad_chk", "int main(void) { puts(\"OK\"); fflush(stdout); abort(); }")}});
  CHECK(CodeOf(checker) == "SE");
  CHECK(SentenceOf(checker) == "checker failed: it was killed by signal 6 (SIGABRT)");
  CHECK(checker["result_percentage"] == 0);
}

TEST_CASE("encdec-exec: the decoder finds nothing of the encoder's run but what came through", "[sio_jobs]") {
  const EncdecProblem problem;
  // Looks for what the encoder left wherever it can write, and for the test.
  const Json result = problem.Run(problem.Program("leaves", R"(
int main(void) {
  const char* places[] = {"/tmp/left", "/box/left", "left", "/dev/shm/left", "enc_in", "/box/enc_in", "/box/hint", "in"};
  int mode = getchar();
  for (int i = 0; i < 8; ++i) {
    FILE* file = fopen(places[i], mode == 'E' ? "w" : "r");
    if (mode == 'E' && file) fputs("aaaabb", file), fclose(file);
    if (mode == 'D' && file) { puts("aaaabb"); return 0; }
  }
  for (int fd = 3; fd < 64; ++fd) if (lseek(fd, 0, SEEK_CUR) != -1) { puts("aaaabb"); return 0; }
  puts("a1;");
  return 0;
})"));
  CHECK(result["failed_step"] == "checker");
  CHECK(CodeOf(result) == "WA");
}

TEST_CASE("encdec-exec: a mistake is one sentence with the stage's own key", "[sio_jobs]") {
  const EncdecProblem problem;
  const std::string exe = problem.Program("rle", kRunLengths);
  CHECK(problem.Mistake(exe, {{"decoder_time_limit", 0}}).starts_with("decoder_time_limit: 0 ms leaves no time to run"));
  CHECK(problem.Mistake(exe, {{"encoder_mem_limit", "much"}}).starts_with("encoder_mem_limit: "));
  CHECK(problem.Mistake(exe, {{"exec_info", {{"mode", "output-only"}}}}) == "exec_info.mode: output-only is an answer and no program, and this job runs one");
  CHECK(problem.Mistake(exe, {{"chn_file", nullptr}}) == "chn_file: this key is missing");
}

}  // namespace
}  // namespace tally

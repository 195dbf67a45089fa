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

}  // namespace
}  // namespace tally

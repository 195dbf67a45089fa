// The job commands: an environ in, by file, stdin or words, and exactly one JSON object out; exit statuses 0,
// 1 and 2.
#include <filesystem>

#include "tests/support/catch.h"
#include "tests/support/cli_run.h"
#include "tests/support/run_program.h"
#include "tests/support/scratch_folder.h"
#include "tests/support/skip.h"

namespace tally {
namespace {

std::string Exe(const std::string& program) { return "exe_file=" + TestProgram(program); }

TEST_CASE("job commands: whatever the verdict, status 0, one JSON object on stdout and nothing on stderr",
          "[cli]") {
  const std::vector<std::pair<std::string, Words>> runs = {
      {"OK", {"exec", Exe("hello")}},
      {"OK", {"unsafe-exec", Exe("hello")}},
      {"OK", {"vcpu-exec", Exe("known_loop")}},
      {"RE", {"exec", Exe("abort")}},
      {"TLE", {"exec", Exe("busy_loop"), "exec_time_limit=50"}},
      {"MLE", {"exec", Exe("malloc_touch"), "exec_mem_limit=10000"}},
      {"OLE", {"exec", Exe("stdout_flood"), "exec_out_limit=1000"}},
      {"RV", {"exec", Exe("open_socket")}},
      {"WA", {"exec", Exe("hello"), "check_output=true", "hint_file=" + TestProgram("hello")}},
  };
  for (const auto& [code, words] : runs) {
    CAPTURE(words);
    const CliResult result = Tally(words);
    CHECK(result.status == 0);
    CHECK(result.code() == code);
    CHECK(result.error.empty());
    CHECK(result.json()["job_type"] == words.front());
    CHECK(result.out.back() == '\n');
  }
}

TEST_CASE("job commands: what the program prints never mixes with the result", "[cli]") {
  const ScratchFolder folder;
  const CliResult result = Tally({"exec", Exe("stderr_flood"), "out_file=" + folder.path() + "/out"});
  CHECK(result.code() == "OK");
  CHECK(result.error.empty());
}

TEST_CASE("job commands: the environ comes from a file or from stdin, and words go over it", "[cli]") {
  const ScratchFolder folder;
  const Json environ = {{"exe_file", TestProgram("stdout_exact")},
                        {"use_filetracker", false},
                        {"exec_out_limit", 999},
                        {"id", "17"}};
  const std::string file = folder.Write("environ.json", environ.dump());
  CHECK(Tally({"exec", file}).code() == "OLE");
  CHECK(Tally({"exec", file, "exec_out_limit=1000"}).code() == "OK");
  const CliResult from_stdin = Tally({"exec", "-", "exec_out_limit=1000"}, {.input = environ.dump()});
  CHECK(from_stdin.code() == "OK");
  CHECK(from_stdin.json()["id"] == "17");
  CHECK(Shell("$TALLY exec - < environ.json", {.directory = folder.path()}).code() == "OLE");
}

TEST_CASE("job commands: the command is the job's type, whatever the environ says", "[cli]") {
  const Json environ = {
      {"exe_file", TestProgram("known_loop")}, {"use_filetracker", false}, {"job_type", "compile"}};
  const CliResult result = Tally({"vcpu-exec", "-"}, {.input = environ.dump()});
  CHECK(result.json()["job_type"] == "vcpu-exec");
  CHECK(result.json()["exectime_used"] == 2012);
}

TEST_CASE("job commands: paths of words are plain, paths of a file are filetracker's", "[cli]") {
  const ScratchFolder folder;
  const Words store = {"FILETRACKER_DIR=" + folder.path() + "/store"};
  folder.Write("environ.json", Json{{"exe_file", TestProgram("hello")}}.dump());
  const CliResult tracked = Tally({"exec", folder.path() + "/environ.json"}, {.environment = store});
  CHECK(tracked.status == 1);
  CHECK(Has(tracked.error, "is not in the store " + folder.path() + "/store"));
  CHECK(Tally({"exec", folder.path() + "/environ.json", "use_filetracker=false"}, {.environment = store})
            .code() == "OK");
  CHECK(Tally({"exec", Exe("hello")}, {.environment = store}).code() == "OK");
  const CliResult relative = Tally({"exec", Exe("hello"), "out_file=here"}, {.directory = folder.path()});
  CHECK(relative.json()["out_file"] == "here");
  CHECK(std::filesystem::exists(folder.path() + "/here"));
}

TEST_CASE("job commands: a compiled program runs in the next command", "[cli]") {
  const ScratchFolder folder;
  folder.Write("answer.py", "print(42)\n");
  const CliOptions here{.directory = folder.path()};
  const CliResult compiled = Tally({"compile", "source_file=answer.py", "out_file=answer"}, here);
  if (compiled.status == 1 && Has(compiled.error, "is absent")) TALLY_SKIP(compiled.error);
  REQUIRE(compiled.code() == "OK");
  folder.Write("hint", "42");
  const std::string info = compiled.json()["exec_info"].dump();
  const CliResult run =
      Tally({"exec", "exe_file=answer", "exec_info=" + info, "check_output=true", "hint_file=hint"}, here);
  CHECK(run.code() == "OK");
  CHECK(run.json()["result_percentage"] == 100);
}

TEST_CASE("job commands: the user's mistake is status 1, a sentence on stderr, and an environ with SE",
          "[cli]") {
  const Json environ = {{"exe_file", "/no/program"}, {"use_filetracker", false}, {"group", 3}};
  const CliResult result = Tally({"exec", "-"}, {.input = environ.dump()});
  CHECK(result.status == 1);
  CHECK(result.error == "tally: exe_file: /no/program: No such file or directory\n");
  CHECK(result.code() == "SE");
  CHECK(result.json()["result_string"] == "exe_file: /no/program: No such file or directory");
  CHECK(result.json()["group"] == 3);
}

TEST_CASE("job commands: the host's failure is status 2, and says which call failed", "[cli]") {
  const CliResult result = Tally({"exec", Exe("hello")}, {.environment = {"TMPDIR=/no/such/folder"}});
  CHECK(result.status == 2);
  CHECK(IsOneSentence(result.error));
  CHECK(Has(result.error, "tally: failure: make a temporary directory /no/such/folder/"));
  CHECK(Has(result.error, ": No such file or directory\n"));
  CHECK(result.code() == "SE");
}

TEST_CASE("job commands: an environ that cannot be read is a mistake with its place", "[cli]") {
  const ScratchFolder folder;
  const CliOptions here{.directory = folder.path()};
  const auto sentence = [&](const char* text) {
    folder.Write("job.json", text);
    const CliResult result = Tally({"exec", "job.json"}, here);
    CHECK(result.status == 1);
    CHECK(IsOneSentence(result.error));
    return result.error;
  };
  CHECK(sentence("{\"a\": 1,\n  oops}") ==
        "tally: job.json:2:3: this is not JSON; expected an object like {\"exe_file\": \"a.out\"}\n");
  CHECK(Has(sentence(""), "job.json:1:1: this is not JSON"));
  CHECK(Has(sentence("[1, 2]"), "job.json: expected a JSON object"));
  CHECK(Tally({"exec", "absent.json"}, here).error == "tally: absent.json: No such file or directory\n");
  CHECK(Tally({"exec", "."}, here).error == "tally: .: Is a directory\n");
  CHECK(Tally({"exec", "exe_file=x", "oops"}, here).error ==
        "tally: \"oops\": expected KEY=VALUE, like exec_time_limit=1000\n");
  CHECK(Has(Tally({"exec", "-"}, {.input = "{"}).error, "tally: stdin:1:"));
}

TEST_CASE("job commands: stdout is one JSON object even when the environ itself cannot be read", "[cli]") {
  // docs/results.md: "prints its environ all the same, with result_code SE and the sentence"
  for (const Words& words :
       {Words{"exec", "/no/such.json"}, Words{"exec", "a=1", "oops"}, Words{"compile", "-"}}) {
    CAPTURE(words);
    const CliResult result = Tally(words, {.input = "not json"});
    CHECK(result.status == 1);
    CHECK(result.code() == "SE");
  }
}

TEST_CASE("job commands: garbage in the environ is kept as valid JSON", "[cli]") {
  const CliResult result =
      Tally({"exec", Exe("hello"), "hint_file=\xff\xfe", "chk_file=\"", "checker_format=", "checker_protocol=a\nb"});
  CHECK(result.status == 0);  // none is read: there is nothing to check
  CHECK(result.code() == "OK");
  CHECK(result.json()["checker_format"] == "");
  CHECK(result.json()["checker_protocol"] == "a\nb");
}

TEST_CASE("sio-batch: the environ is a variable, and the result stands between the markers", "[cli][job]") {
  const std::string begin = "--- BEGIN ENVIRON ---\n", end = "--- END ENVIRON ---\n";
  const auto batch = [&](const std::string& environ, const Words& words = {}) {
    Words all{"sio-batch"};
    all.insert(all.end(), words.begin(), words.end());
    CliResult result = Tally(all, {.environment = {"environ=" + environ}});
    REQUIRE(result.out.starts_with(begin));
    REQUIRE(result.out.ends_with(end));
    result.out = result.out.substr(begin.size(), result.out.size() - begin.size() - end.size());
    return result;
  };
  const Json ping = {{"job_type", "ping"}, {"ping", "e1"}, {"task_id", "urn:uuid:1"}};
  for (const std::string& environ : {ping.dump(), Json(ping.dump()).dump()}) {
    const CliResult result = batch(environ);
    CHECK(result.status == 0);
    CHECK(result.json()["pong"] == "e1");
    CHECK(result.json()["result"] == "SUCCESS");
    CHECK(result.json()["task_id"] == "urn:uuid:1");
  }
  const CliResult failed = batch(R"({"exe_file": "/nowhere"})", {"exec"});
  CHECK(failed.status == 1);
  CHECK(failed.json()["result"] == "FAILURE");
  CHECK(Has(failed.json()["exception"], "/nowhere"));
  CHECK(batch("{").status == 1);
}

}  // namespace
}  // namespace tally

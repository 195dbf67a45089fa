// Custom checkers under the three protocols: what they may say, every way in which they can fail, and what
// they can see. A checker that fails is SE with a sentence, never OK. The protocols themselves are in
// tests/checkers.
#include <filesystem>
#include <vector>

#include "tests/support/catch.h"
#include "tests/support/job_run.h"
#include "tests/support/run_program.h"
#include "tests/support/scratch_folder.h"
#include "tests/support/skip.h"
#include "tests/support/this_machine.h"

namespace tally {
namespace {

namespace fs = std::filesystem;

constexpr const char* kOutput = "hello\nEND\n";  // what the program prints

// The program "hello", checked by `checker` (a path) against a hint with this text.
Json CheckBy(const std::string& checker, const std::string& hint, Json keys = Json::object()) {
  const ScratchFolder folder;
  keys.update({{"check_output", true}, {"chk_file", checker}, {"hint_file", folder.Write("hint", hint)}});
  const Json result = Exec("hello", keys);
  CHECK(ReadText(folder.path() + "/hint") == hint);
  return result;
}

std::string Checker(const std::string& name) { return TestProgram("checkers/" + name); }

struct Row {
  const char* checker;
  std::string hint;
  const char* code;
  double percentage;
  const char* sentence;  // a part of it
};

void CheckAll(const char* protocol, const std::vector<Row>& rows, Json keys = Json::object()) {
  keys["checker_protocol"] = protocol;
  for (const Row& row : rows) {
    CAPTURE(protocol, row.checker, row.hint);
    const Json result = CheckBy(Checker(row.checker), row.hint, keys);
    CAPTURE(SentenceOf(result));
    CHECK(CodeOf(result) == row.code);
    CHECK(result["result_percentage"] == row.percentage);
    CHECK(Mentions(SentenceOf(result), row.sentence));
  }
}

void CheckUnderAllProtocols(const std::vector<Row>& rows, const Json& keys = Json::object()) {
  for (const char* protocol : {"sio", "testlib", "kattis"}) CheckAll(protocol, rows, keys);
}

TEST_CASE("sio checkers: OK, a comment and a percentage, or anything else, which is wrong", "[checking]") {
  CheckAll("sio", {
                      {"chk_ok", "", "OK", 100, "ok"},
                      {"chk_partial", "", "OK", 42.5, "almost"},
                      {"chk_wrong", "", "WA", 0, "line 1: not what I expected"},
                      {"chk_nothing", "", "WA", 0, "wrong answer"},
                      {"chk_says_hint", "OK\r\n", "OK", 100, "ok"},
                      {"chk_says_hint", "OK\nhalf of it\n1/2", "OK", 0.5, "half of it"},
                      {"chk_says_hint", "OK\n\n50", "OK", 50, "ok"},
                      {"chk_says_hint", "OK\na bonus\n120", "OK", 120, "a bonus"},
                      {"chk_says_hint", "ok\nlower case", "WA", 0, "lower case"},
                      {"chk_says_hint", "\nOK\n", "WA", 0, "OK"},
                      {"chk_says_hint", "OKAY\n", "WA", 0, ""},
                  });
}

TEST_CASE("sio checkers: the exit code is ignored", "[checking]") {
  for (const char* code : {"0", "1", "2", "3", "255"}) {
    CheckAll("sio", {{"chk_exit_code", code, "OK", 100, "said in spite of the exit code"}});
  }
}

TEST_CASE("sio checkers: a percentage that is none is the checker's failure", "[checking]") {
  CheckAll("sio", {
                      {"chk_percent_garbage", "", "SE", 0,
                       "checker failed: the checker printed as its third line \"42,5 %\""},
                      {"chk_says_hint", "OK\nx\n1001", "SE", 0, "not a percentage"},
                      {"chk_says_hint", "OK\nx\n-1", "SE", 0, "not a percentage"},
                      {"chk_says_hint", "OK\nx\nnan", "SE", 0, "not a percentage"},
                  });
}

TEST_CASE("sio checkers: garbage becomes one short line of valid UTF-8", "[checking]") {
  const Json result = CheckBy(Checker("chk_garbage"), "");
  CHECK(CodeOf(result) == "WA");
  const std::string comment = SentenceOf(result);
  CHECK(comment.size() < 1024);
  CHECK_FALSE(Mentions(comment, "\n"));
  CHECK_NOTHROW(Json(comment).dump());  // throws where the text is no UTF-8
}

TEST_CASE("testlib checkers: the exit code decides, and the message is the comment", "[checking]") {
  CheckAll("testlib",
           {
               {"chk_testlib_style", kOutput, "OK", 100, "ok 2 tokens"},
               {"chk_testlib_style", "hello\nworld\n", "WA", 0, "wrong answer token 2 differs"},
               {"chk_testlib_style", "exit 1 no", "WA", 0, "no"},
               {"chk_testlib_style", "exit 2 wrong output format", "WA", 0, "wrong output format"},
               {"chk_testlib_style", "exit 4 dirt", "WA", 0, "dirt"},
               {"chk_testlib_style", "exit 8 unexpected eof", "WA", 0, "unexpected eof"},
               {"chk_testlib_style", "exit 7 points 40.5 so so", "OK", 40.5, "so so"},
               {"chk_testlib_style", "exit 66 partially correct (16) so so", "OK", 16, "partially"},
               {"chk_testlib_style", "exit 3 FAIL the answer is damaged", "SE", 0,
                "gave up (exit status 3): FAIL the answer"},
               {"chk_testlib_style", "exit 7 points many", "SE", 0, "not a percentage"},
               {"chk_testlib_style", "exit 9", "SE", 0, "exit status 9, which means nothing"},
           });
}

TEST_CASE("kattis validators: 42 accepts, 43 rejects, and the feedback folder has the comment and the score",
          "[checking]") {
  CheckAll("kattis", {
                         {"chk_kattis_style", kOutput, "OK", 100, "2 tokens"},
                         {"chk_kattis_style", "hello\nworld\n", "WA", 0, "token 2 differs"},
                         {"chk_kattis_style", "score 55.5", "OK", 55.5, "scored 55.5"},
                         {"chk_kattis_style", "score lots", "SE", 0, "left in score.txt \"lots\""},
                         {"chk_kattis_style", "exit 0", "SE", 0,
                          "exit status 0, where the kattis protocol knows only 42 and 43"},
                         {"chk_kattis_style", "exit 1", "SE", 0, "exit status 1"},
                         {"chk_kattis_style", "exit 43", "WA", 0, "wrong answer"},
                     });
}

TEST_CASE("checkers: one that crashes fails, even after it has said OK", "[checking]") {
  CheckUnderAllProtocols(
      {{"chk_crash", "", "SE", 0, "checker failed: the checker was killed by signal 11 (SIGSEGV)"},
       {"chk_crash", "crash late", "SE", 0, "signal 11 (SIGSEGV)"}});
}

TEST_CASE("checkers: one that does not end is stopped by its own limits, which the sentence names",
          "[checking]") {
  CheckUnderAllProtocols({{"chk_hang", "", "SE", 0, "more than 100 ms of user CPU time"}},
                         {{"checker_time_limit", 100}});
  CheckAll("sio", {{"chk_hang", "sleep", "SE", 0, "more than 150 ms of real time"}},
           {{"checker_real_time_limit", 150}});
}

TEST_CASE("checkers: one that writes too much is stopped, and its output never kept", "[checking]") {
  CheckUnderAllProtocols({{"chk_flood", "", "SE", 0, "output limit exceeded: more than 64.0 KiB"}});
  CheckAll("sio", {{"chk_flood", "", "SE", 0, "more than 1,000 B"}}, {{"checker_output_limit", 1000}});
}

TEST_CASE("checkers: one that takes too much memory is stopped by its own limit, not the program's",
          "[checking]") {
  const Json program_has_more = {{"checker_mem_limit", 32'768}, {"exec_mem_limit", 4'000'000}};
  CheckUnderAllProtocols({{"chk_memory", "", "SE", 0, "memory limit exceeded: more than 32.0 MiB"}},
                         program_has_more);
  CheckAll("sio", {{"chk_memory", "", "SE", 0, "more than 256 MiB"}});  // the default
}

TEST_CASE("checkers: a statically linked 32-bit one runs and reads its files", "[checking]") {
  if (Checker("chk_ok_32bit").empty()) TALLY_SKIP("32-bit programs could not be built here (gcc-multilib)");
  if (!RunsI386()) TALLY_SKIP("this kernel does not execute 32-bit programs");
  CheckAll("sio", {{"chk_ok_32bit", "", "OK", 100, "i386, 4-byte pointers"}},
           {{"in_file", TestProgram("hello")}});
}

TEST_CASE("checkers: the arguments are the input, the output and the hint, private ones too", "[checking]") {
  const ScratchFolder folder;
  const std::string input = folder.Write("in", "12345");
  fs::permissions(input, fs::perms::owner_read);
  const Json same = CheckBy(Checker("chk_reads_files"), kOutput, {{"in_file", input}});
  CHECK(CodeOf(same) == "OK");
  CHECK(SentenceOf(same) == "in 5 out 10 hint 10");
  const Json other = CheckBy(Checker("chk_reads_files"), "other", {{"in_file", input}});
  CHECK(CodeOf(other) == "WA");
  CHECK(SentenceOf(other) == "in 5 out 10 hint 5");
}

TEST_CASE("checkers: without in_file the input is an empty file", "[checking]") {
  CHECK(SentenceOf(CheckBy(Checker("chk_reads_files"), kOutput)) == "in 0 out 10 hint 10");
}

TEST_CASE("checkers: a hostile one reaches no host file, no network and no other process", "[checking]") {
  const Json result = CheckBy(Checker("chk_hostile"), kOutput);
  CAPTURE(SentenceOf(result));
  CHECK((CodeOf(result) == "SE" || SentenceOf(result) == "allowed: nothing"));
  if (CodeOf(result) == "SE") CHECK(Mentions(SentenceOf(result), "forbidden syscall socket"));
}

TEST_CASE("checkers: one sees its three files and itself, and nothing else of this machine's", "[checking]") {
  const ScratchFolder folder;
  const std::string secret = folder.Write("secret", "s");
  const std::string checker = folder.Write("checker.sh",
                                           "#!/bin/sh\n"
                                           "echo OK\n"
                                           "echo /box/* /home/* /root/* /tmp/* /proc/* /etc/*\n");
  fs::permissions(checker, fs::perms::owner_all);
  const Json result = CheckBy(checker, "");
  CHECK(CodeOf(result) == "OK");
  CHECK(SentenceOf(result) ==
        "/box/hint /box/in /box/out /box/program /home/* /root/* /tmp/* /proc/* /etc/*");
  const std::string thief =
      folder.Write("thief.sh", "#!/bin/sh\necho OK\nread x < " + secret + " || echo refused\n");
  fs::permissions(thief, fs::perms::owner_all);
  CHECK(SentenceOf(CheckBy(thief, "")) == "refused");
}

TEST_CASE("checkers: a chk_file that is no program is a mistake, as exe_file is", "[checking]") {
  const ScratchFolder folder;
  const auto mistake = [&](const std::string& checker) {
    return MistakeOf("exec", WithProgram("hello", {{"check_output", true},
                                                   {"hint_file", folder.Write("h", "")},
                                                   {"chk_file", checker}}));
  };
  const std::string text = folder.Write("text", "OK\n");
  CHECK(mistake(text) ==
        "chk_file: " + text +
            " cannot be executed: it is neither an ELF program nor a script that starts with #!");
  CHECK(mistake(folder.path()) == "chk_file: " + folder.path() + " is a directory, not a file");
}

TEST_CASE("checkers: a checker without permission to execute runs all the same, as stores do not keep it",
          "[checking]") {
  const ScratchFolder folder;
  const std::string checker = folder.Write("checker", ReadText(Checker("chk_partial")));
  CHECK(CheckBy(checker, "")["result_percentage"] == 42.5);
}

}  // namespace
}  // namespace tally

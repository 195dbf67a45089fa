// Reading requests: whatever comes in, the answer is a request or one sentence that names the field.
#include "evaluation/eval_request.h"

#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <string>

#include "base/error.h"
#include "tests/support/catch.h"
#include "tests/support/skip.h"

namespace tally {
namespace {

std::string FaultOf(const std::string& body) {
  try {
    ReadEvalRequest(body);
    return "";
  } catch (const UserError& error) {
    return error.what();
  }
}

std::string WithPath(const std::string& path) {
  return R"({"stack_ref": "c", "solution_files": [{"path": ")" + path + R"(", "content": ""}]})";
}

TEST_CASE("a request has its files, what is asked for, and its parameters") {
  const EvalRequest request = ReadEvalRequest(R"({
    "stack_ref": "java:1",
    "solution_files": [{"path": "de/example/Date.java", "content": "class Date {}"}],
    "test_files": [{"path": "de/example/DateTest.java", "content": "t"}],
    "capability": {"test": true},
    "params": {"case_timeout": "2"}})");
  CHECK(request.stack_ref == "java:1");
  REQUIRE(request.solution_files.size() == 1);
  CHECK(request.solution_files[0].path == "de/example/Date.java");
  CHECK(request.solution_files[0].content == "class Date {}");
  CHECK(request.include_files.empty());
  CHECK(request.test_files.size() == 1);
  CHECK((request.test && !request.compile && !request.style));
  CHECK(request.Param("case_timeout") == "2");
  CHECK(request.Param("other") == "");
}

TEST_CASE("a request of the wrong shape: the sentence names the field, what was found and what was expected") {
  CHECK(FaultOf("{") == "the request is no JSON: syntax error (byte 2)");
  CHECK(FaultOf("") == "the request is no JSON: syntax error (byte 1)");
  CHECK(FaultOf("1e999").find("the request is no JSON: ") == 0);
  CHECK(FaultOf("[1]") == "found [1]; expected an object with stack_ref, solution_files and more");
  CHECK(FaultOf(R"({"stack_ref": "c"})") == "solution_files: missing; expected a list of files {path, content}");
  CHECK(FaultOf(R"({"stack_ref": 5, "solution_files": []})") ==
        "stack_ref: found 5; expected the name of a stack, like \"cpp-catch2\" or \"python:1\"");
  CHECK(FaultOf(R"({"stack_ref": "c", "solution_files": {}})") == "solution_files: found {}; expected a list of files {path, content}");
  CHECK(FaultOf(R"({"stack_ref": "c", "solution_files": [{"path": "a.c"}]})") ==
        "solution_files[0].content: missing; expected the file's content as text");
  CHECK(FaultOf(R"({"stack_ref": "c", "solution_files": [], "capability": {"test": "yes"}})") ==
        "capability.test: found \"yes\"; expected true or false");
  CHECK(FaultOf(R"({"stack_ref": "c", "solution_files": [], "params": {"seed": 1}})") == "params.seed: found 1; expected a text");
  CHECK(FaultOf(R"({"stack_ref": "c", "solution_files": [], "test_file": []})") ==
        "test_file: unknown; expected one of: capability, include_files, params, solution_files, stack_ref, test_files");
}

TEST_CASE("text that is not UTF-8 is no request") {
  CHECK(FaultOf("{\"stack_ref\": \"\xff\xfe\", \"solution_files\": []}") == "the request is no JSON: text that is not UTF-8 (byte 16)");
}

TEST_CASE("a nest of a hundred thousand brackets is refused, and no stack overflows") {
  CHECK(FaultOf(std::string(100'000, '[')) == "the request is nested deeper than 32 levels");
}

std::string Repeated(const std::string& text, int times) {
  std::string all;
  for (int i = 0; i < times; ++i) all += (i == 0 ? "" : ",") + text;
  return all;
}

// In a process of its own, so that it is nobody else's.
long PeakKiBOfReading(const std::string& body) {
  const pid_t pid = ::fork();
  if (pid == 0) {
    FaultOf(body);
    ::_exit(0);
  }
  rusage usage{};
  ::wait4(pid, nullptr, 0, &usage);
  return usage.ru_maxrss;
}

TEST_CASE("a million values of a wrong type are refused, and take no multiple of what they are") {
  const std::string zeros = R"({"stack_ref": "c", "solution_files": [)" + Repeated("0", 1'000'000) + "]}";
  CHECK(FaultOf(zeros) == "the request has more than 100000 values");
  CHECK(FaultOf("[" + Repeated("{}", 100'000) + "]") == "the request has more than 100000 values");
  const std::string most = R"({"stack_ref": "c", "solution_files": [)" + Repeated("0", 99'000) + "]}";
  CHECK(FaultOf(most) == "solution_files[0]: found 0; expected a file {path, content}");
  if (kSanitized) TALLY_SKIP("with a sanitizer memory is another");
  const long before = PeakKiBOfReading("{}");
  CHECK(PeakKiBOfReading(zeros) - before < 64 << 10);
  CHECK(PeakKiBOfReading(most) - before < 128 << 10);
}

TEST_CASE("a file of 30 MB, and 10,000 files, are a request") {
  CHECK(FaultOf(R"({"stack_ref": "c", "solution_files": [{"path": "a.c", "content": ")" + std::string(30'000'000, 'x') + "\"}]}") == "");
  std::string files;
  for (int i = 0; i < 10'000; ++i) files += (i == 0 ? "" : ",") + std::string(R"({"path": ")") + std::to_string(i) + R"(", "content": ""})";
  CHECK(FaultOf(R"({"stack_ref": "c", "solution_files": [)" + files + "]}") == "");
}

TEST_CASE("a path stays in its folder") {
  CHECK(FaultOf(WithPath("a.c")) == "");
  CHECK(FaultOf(WithPath("de/example/Date.java")) == "");
  CHECK(FaultOf(WithPath("..hidden/x..y")) == "");
  for (const char* path : {"", "/etc/passwd", "../a.c", "a/../../b", "a//b", "a/", "./a", "a\\u0000b", "a\\nb"}) {
    INFO(path);
    CHECK(FaultOf(WithPath(path)).find("solution_files[0].path: found ") == 0);
  }
  CHECK(FaultOf(WithPath(std::string(300, 'x'))).find("expected a relative path") != std::string::npos);
}

TEST_CASE("two files at one place, or a file where another needs a folder, are refused") {
  CHECK(FaultOf(R"({"stack_ref": "c", "solution_files": [{"path": "a", "content": ""}, {"path": "a", "content": ""}]})") ==
        "solution_files[1].path: \"a\" is there twice");
  CHECK(FaultOf(R"({"stack_ref": "c", "solution_files": [{"path": "a", "content": ""}, {"path": "a/b", "content": ""}]})") ==
        "solution_files: \"a\" is a file and a folder");
}

}  // namespace
}  // namespace tally

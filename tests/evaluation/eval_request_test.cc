// Reading requests: whatever comes in, the answer is a request or one sentence that names the field.
#include "evaluation/eval_request.h"

#include <string>

#include "base/error.h"
#include "tests/support/catch.h"

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

#include "jobs/environ.h"

#include "base/error.h"
#include "tests/support/catch.h"

namespace tally {
namespace {

TEST_CASE("environ: numbers come as JSON numbers or as their text", "[environ]") {
  const Environ environ = Environ::Parse(R"({"a": 5, "b": "6", "c": 7.0, "d": null})", "t");
  CHECK(environ.Count("a", "ms") == 5u);
  CHECK(environ.Count("b", "ms") == 6u);
  CHECK(environ.Count("c", "ms") == 7u);
  CHECK_FALSE(environ.Count("d", "ms").has_value());
  CHECK(environ.FirstCount({"x", "b", "a"}, "ms") == 6u);
}

TEST_CASE("environ: a wrong value is one sentence with the key, the value and what was expected", "[environ]") {
  const Environ environ = Environ::Parse(R"({"t": -5, "f": 1.5, "s": "ten", "e": "", "l": [1], "b": "maybe"})", "t");
  CHECK_THROWS_WITH(environ.Count("t", "ms"), "t: -5 is not a whole number of ms, 0 or more");
  CHECK_THROWS_WITH(environ.Count("f", "ms"), "f: 1.5 is not a whole number of ms, 0 or more");
  CHECK_THROWS_WITH(environ.Count("s", "kB"), "s: \"ten\" is not a whole number of kB, 0 or more");
  CHECK_THROWS_WITH(environ.Text("e"), "e: the text is empty");
  CHECK_THROWS_WITH(environ.Text("none"), "none: this key is missing");
  CHECK_THROWS_WITH(environ.Text("t"), "t: -5 is not a text");
  CHECK_THROWS_WITH(environ.TextList("l"), "l: 1 is not a text");
  CHECK_THROWS_WITH(environ.BoolOr("b", false), "b: \"maybe\" is not true or false");
}

TEST_CASE("environ: a syntax error names file, line and column", "[environ]") {
  CHECK_THROWS_WITH(Environ::Parse("{\n  \"a\": 1,\n  oops\n}", "job.json"),
                    "job.json:3:3: this is not JSON; expected an object like {\"exe_file\": \"a.out\"}");
  CHECK_THROWS_WITH(Environ::Parse("[1]", "job.json"),
                    "job.json: expected a JSON object like {\"exe_file\": \"a.out\"}, got [1]");
}

TEST_CASE("environ: a number beyond all figures is a mistake, and nesting without end too", "[environ]") {
  CHECK_THROWS_WITH(Environ::Parse(R"({"exec_time_limit": 1e999})", "job.json"),
                    "job.json: a number is larger than this machine can count");
  const std::string bomb = std::string(1'000'000, '[') + std::string(1'000'000, ']');
  const std::string sentence = "this JSON is nested deeper than the 64 levels Tally accepts";
  CHECK_THROWS_WITH(Environ::Parse(bomb, "job.json"), "job.json: " + sentence);
  CHECK_THROWS_WITH(Environ::Parse("{\"a\": " + bomb + "}", "job.json"), "job.json: " + sentence);
  CHECK_THROWS_WITH(Environ().SetFromCommandLine("a=" + bomb), "a: " + sentence);
  Environ environ;
  environ.SetFromCommandLine("a=1e999");
  CHECK(environ.Text("a") == "1e999");
}

TEST_CASE("environ: a key with a line end in it cannot make a mistake of two lines", "[environ]") {
  const Environ environ = Environ::Parse("{\"extra_files\": {\"a\\nb\": 1}}", "t");
  CHECK_THROWS_WITH(environ.TextMap("extra_files"), "extra_files.a?b: 1 is not a text");
}

TEST_CASE("environ: an object written as JSON within a JSON text is read too", "[environ]") {
  CHECK(Environ::Parse(R"("{\"a\": 5}")", "t").Count("a", "ms") == 5u);
}

TEST_CASE("environ: command line values are JSON where they can be, else text", "[environ]") {
  Environ environ;
  environ.SetFromCommandLine("n=5");
  environ.SetFromCommandLine("f=a.out");
  environ.SetFromCommandLine("b=true");
  environ.SetFromCommandLine("empty=");
  CHECK(environ.Count("n", "ms") == 5u);
  CHECK(environ.Text("f") == "a.out");
  CHECK(environ.BoolOr("b", false));
  CHECK_THROWS_AS(environ.SetFromCommandLine("oops"), UserError);
  CHECK_THROWS_AS(environ.SetFromCommandLine("=5"), UserError);
  CHECK_THROWS_WITH(environ.SetFromCommandLine("a\xff=5"), "\"a\xEF\xBF\xBD\": a key is a text in UTF-8");
  environ.SetFromCommandLine("name=a\xff.out");  // a file may be called so
  CHECK(environ.Text("name") == "a\xff.out");
}

TEST_CASE("environ: keys that nobody knows are kept", "[environ]") {
  Environ environ = Environ::Parse(R"({"group": "7", "max_score": 10})", "t");
  environ.Set("result_code", "OK");
  CHECK(environ.Dump() == "{\n  \"group\": \"7\",\n  \"max_score\": 10,\n  \"result_code\": \"OK\"\n}\n");
}

TEST_CASE("environ: a whole percentage is written as a whole number", "[environ]") {
  Environ environ;
  environ.Set("p", 100.0);
  environ.Set("q", 42.5);
  CHECK(environ.Dump() == "{\n  \"p\": 100,\n  \"q\": 42.5\n}\n");
}

}  // namespace
}  // namespace tally

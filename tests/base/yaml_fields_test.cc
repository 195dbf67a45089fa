#include "base/yaml_fields.h"

#include <sys/stat.h>

#include <string>

#include "base/did_you_mean.h"
#include "base/error.h"
#include "tests/support/catch.h"
#include "tests/support/scratch_folder.h"

namespace tally {
namespace {

YamlMap Yaml(std::string_view text) { return YamlMap::FromText(text, "t.yaml"); }

// A reader of three keys, one of them a map.
void ReadExample(std::string_view text) {
  YamlMap yaml = Yaml(text);
  yaml.Text("title");
  yaml.TextList("extensions");
  if (auto limits = yaml.OptionalMap("limits")) {
    limits->OptionalDuration("time");
    limits->OptionalSize("memory");
    limits->OptionalCount("processes", 1, 64);
    limits->Finish();
  }
  yaml.Finish();
}

TEST_CASE("yaml: values arrive with their types", "[yaml]") {
  YamlMap yaml = Yaml(
      "text: a b\nyes: on\ntime: 1.5s\nsize: 64M\ncount: 7\nlist: [a, \"\", 'c d']\n"
      "env: {B: 2, A: ''}\none: [x, y]\nmany:\n  - [x]\n  - [y, z]\nmaps:\n  - a: 1\n  - a: 2\n");
  CHECK(yaml.Text("text") == "a b");
  CHECK(yaml.Bool("yes", false));
  CHECK(yaml.Bool("absent", true));
  CHECK(yaml.OptionalDuration("time") == Milliseconds(1500));
  CHECK(yaml.OptionalSize("size") == Bytes::MiB(64));
  CHECK(yaml.OptionalCount("count", 1, 9) == 7u);
  CHECK(yaml.TextList("list") == std::vector<std::string>{"a", "", "c d"});
  CHECK(yaml.Environment("env") == std::vector<std::string>{"B=2", "A="});
  CHECK(yaml.Commands("one") == std::vector<std::vector<std::string>>{{"x", "y"}});
  CHECK(yaml.Commands("many") == std::vector<std::vector<std::string>>{{"x"}, {"y", "z"}});
  CHECK(yaml.MapList("maps").at(1).Text("a") == "2");
  CHECK_FALSE(yaml.OptionalText("absent").has_value());
  CHECK(yaml.TextList("absent").empty());
  CHECK_NOTHROW(yaml.Finish());
}

TEST_CASE("yaml: an unknown key is named with its place and the known ones", "[yaml]") {
  CHECK_THROWS_WITH(
      ReadExample("title: x\nextension: [c]\n"),
      "t.yaml:2:1: extension: unknown key (did you mean \"extensions\"?); expected one of: title, "
      "extensions, limits");
  CHECK_THROWS_WITH(ReadExample("title: x\nlimits:\n  time: 1s\n  colour: red\n"),
                    "t.yaml:4:3: limits.colour: unknown key; expected one of: time, memory, processes");
}

TEST_CASE("yaml: a mistake stays one line, whatever is quoted in it", "[yaml]") {
  CHECK_THROWS_WITH(ReadExample("title: x\n\"a\\nb\\e[31m\": 1\n"),
                    "t.yaml:2:1: a?b?[31m: unknown key; expected one of: title, extensions, limits");
}

TEST_CASE("yaml: a missing key is reported where its map starts", "[yaml]") {
  CHECK_THROWS_WITH(ReadExample("\nextensions: [c]\n"), "t.yaml:2:1: title: missing; expected text");
}

TEST_CASE("yaml: a wrong type says what was found and what was expected", "[yaml]") {
  CHECK_THROWS_WITH(ReadExample("title: [a]\n"), "t.yaml:1:8: title: found a list; expected text");
  CHECK_THROWS_WITH(ReadExample("title: {a: b}\n"),
                    "t.yaml:1:8: title: found keys with values; expected text");
  CHECK_THROWS_WITH(ReadExample("title:\n"), "t.yaml:1:1: title: found nothing; expected text");
  CHECK_THROWS_WITH(ReadExample("title: \"\"\n"), "t.yaml:1:8: title: found \"\"; expected text");
  CHECK_THROWS_WITH(ReadExample("title: x\nextensions: c\n"),
                    "t.yaml:2:13: extensions: found \"c\"; expected a list, like [a, b]");
  CHECK_THROWS_WITH(ReadExample("title: x\nextensions: [c, [d]]\n"),
                    "t.yaml:2:17: extensions: found a list; expected text in this list");
  CHECK_THROWS_WITH(ReadExample("title: x\nlimits: 5\n"),
                    "t.yaml:2:9: limits: found \"5\"; expected keys with values");
}

TEST_CASE("yaml: a wrong figure says which forms are understood", "[yaml]") {
  CHECK_THROWS_WITH(
      ReadExample("title: x\nlimits:\n  time: ten\n"),
      Catch::Matchers::StartsWith("t.yaml:3:9: limits.time: \"ten\" is not a duration: write a number "
                                  "with ms, s, m or h, like 1.5s"));
  CHECK_THROWS_WITH(
      ReadExample("title: x\nlimits: {memory: -1M}\n"),
      "t.yaml:2:18: limits.memory: \"-1M\" is not a size: write a number with b, k, M or G, like 64M");
  for (const char* text : {"0", "65", "-1", "1.5", "1k", "99999999999999999999", "[1]"}) {
    CAPTURE(text);
    CHECK_THROWS_WITH(ReadExample(std::string("title: x\nlimits: {processes: ") + text + "}\n"),
                      Catch::Matchers::StartsWith("t.yaml:2:21: limits.processes: found ") &&
                          Catch::Matchers::EndsWith("; expected a whole number from 1 to 64"));
  }
}

TEST_CASE("yaml: yes and no, and nothing that only looks like them", "[yaml]") {
  YamlMap yaml = Yaml("a: Yes\nb: 1\n");
  CHECK_THROWS_WITH(yaml.Bool("a", false), "t.yaml:1:4: a: found \"Yes\"; expected yes or no");
  CHECK_THROWS_WITH(yaml.Bool("b", false), "t.yaml:2:4: b: found \"1\"; expected yes or no");
}

TEST_CASE("yaml: a word outside its list gets the list and the closest one", "[yaml]") {
  YamlMap yaml = Yaml("result: scirpt\n");
  CHECK_THROWS_WITH(
      yaml.OptionalWord("result", {"executable", "script"}),
      "t.yaml:1:9: result: found \"scirpt\" (did you mean \"script\"?); expected one of: executable, "
      "script");
}

TEST_CASE("yaml: what a description never needs is refused with its place", "[yaml]") {
  CHECK_THROWS_WITH(Yaml("a: 1\nb: 2\na: 3\n"), "t.yaml:3:1: a: given twice; expected once");
  CHECK_THROWS_WITH(Yaml("a: 1\n---\nb: 2\n"),
                    "t.yaml:2:1: a second document starts here; expected one document in a file");
  CHECK_THROWS_WITH(Yaml("a: &x 1\nb: *x\n"),
                    "t.yaml:2:4: an alias (*name) is not allowed; expected the value itself");
  CHECK_THROWS_WITH(Yaml("[a]: 1\n"), "t.yaml:1:1: the key is a list; expected a word");
  CHECK_THROWS_WITH(Yaml("a: \"x\\0y\"\n"), "t.yaml:1:4: a text with a zero byte is not allowed");
  CHECK_THROWS_WITH(Yaml(""), "t.yaml:1:1: the file is empty; expected keys with values");
  CHECK_THROWS_WITH(Yaml("# only a comment\n"), "t.yaml:1:1: the file is empty; expected keys with values");
  CHECK_THROWS_WITH(Yaml("- a\n"), "t.yaml:1:1: found a list; expected keys with values, like title: text");
}

TEST_CASE("yaml: a syntax error keeps its line and column", "[yaml]") {
  CHECK_THROWS_WITH(Yaml("a: 1\nb: [1, 2\nc: 3\n"),
                    Catch::Matchers::StartsWith("t.yaml:3:") && HasPart("not YAML: "));
  CHECK_THROWS_WITH(Yaml("a: b: c\n"), Catch::Matchers::StartsWith("t.yaml:1:5: not YAML: "));
}

TEST_CASE("yaml: hostile nesting and size end at once", "[yaml]") {
  CHECK_THROWS_AS(Yaml("a: " + std::string(100'000, '[')), UserError);
  CHECK_THROWS_WITH(Yaml("a: " + std::string(17, '[') + std::string(17, ']')),
                    "t.yaml:1:19: nested too deep; expected at most 16 levels");
  CHECK_THROWS_AS(Yaml(std::string(100'000, '{')), UserError);
  CHECK_THROWS_WITH(Yaml(std::string((1 << 20) + 1, ' ')),
                    "t.yaml: larger than 1 MiB; expected a small YAML file");
  // The "billion laughs".
  std::string bomb = "a: &a [x, x]\n";
  for (char c = 'b'; c < 'z'; ++c) {
    bomb += std::string(1, c) + ": &" + c + " [*" + static_cast<char>(c - 1) + ", *" +
            static_cast<char>(c - 1) + "]\n";
  }
  CHECK_THROWS_WITH(Yaml(bomb), "t.yaml:2:8: an alias (*name) is not allowed; expected the value itself");
}

TEST_CASE("yaml: a file that cannot be read is named with the reason", "[yaml]") {
  const ScratchFolder folder;
  CHECK_THROWS_WITH(YamlMap::FromFile(folder.path() + "/none.yaml"),
                    folder.path() + "/none.yaml: cannot be read: No such file or directory");
  CHECK_THROWS_WITH(YamlMap::FromFile(folder.path()),
                    folder.path() + ": is a directory; expected a YAML file");
  const std::string pipe = folder.path() + "/pipe";
  REQUIRE(::mkfifo(pipe.c_str(), 0600) == 0);
  CHECK_THROWS_WITH(YamlMap::FromFile(pipe), pipe + ": is not a regular file; expected a YAML file");
  CHECK(YamlMap::FromFile(folder.Write("a.yaml", "a: 1\n")).Text("a") == "1");
}

TEST_CASE("yaml: a file that was parsed before is known by its text, and told of at its own path", "[yaml]") {
  // What the text does not say: so it is seen which tree is used.
  constexpr ParsedNode kNodes[] = {{YamlKind::kMap, 1, 1, 4, ""},     {YamlKind::kText, 1, 1, 0, "a"}, {YamlKind::kList, 1, 4, 2, ""},
                                   {YamlKind::kText, 1, 5, 0, "x"},   {YamlKind::kText, 1, 8, 0, "y"}, {YamlKind::kText, 2, 1, 0, "b"},
                                   {YamlKind::kText, 2, 4, 0, "seen"}};
  const ParsedYaml parsed[] = {{"a: other\n", kNodes}, {"a: [x, z]\nb: text\n", kNodes}};
  const ScratchFolder folder;
  YamlMap known = YamlMap::FromFile(folder.Write("known.yaml", "a: [x, z]\nb: text\n"), parsed);
  CHECK(known.TextList("a") == std::vector<std::string>{"x", "y"});
  CHECK(known.Text("b") == "seen");
  CHECK(known.Place("b") == folder.path() + "/known.yaml:2:4");
  YamlMap changed = YamlMap::FromFile(folder.Write("changed.yaml", "a: [x, z]\nb: text \n"), parsed);
  CHECK(changed.Text("b") == "text");
  CHECK(changed.TextList("a") == std::vector<std::string>{"x", "z"});
}

TEST_CASE("yaml: a map taken out of a file outlives the file's own", "[yaml]") {
  std::optional<YamlMap> inner;
  {
    YamlMap outer = Yaml("a: {b: c}\n");
    inner = outer.OptionalMap("a");
  }
  CHECK(inner->Text("b") == "c");
  CHECK(inner->Place("b") == "t.yaml:1:8");
}

TEST_CASE("did you mean: one slip is forgiven, another word is not guessed", "[yaml]") {
  CHECK(DidYouMean("tiem", {"time", "wall"}) == " (did you mean \"time\"?)");
  CHECK(DidYouMean("memroy", {"time", "memory"}) == " (did you mean \"memory\"?)");
  CHECK(DidYouMean("colour", {"time", "memory"}).empty());
  CHECK(DidYouMean("cs", {"c", "cc", "ss"}).empty());
  CHECK(DidYouMean("ccp", {"cpp"}) == " (did you mean \"cpp\"?)");
  CHECK(DidYouMean("", {"a"}).empty());
}

}  // namespace
}  // namespace tally

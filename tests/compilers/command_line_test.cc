#include "compilers/command_line.h"

#include "base/error.h"
#include "compilers/java_entry.h"
#include "compilers/placeholders.h"
#include "tests/support/catch.h"

namespace tally {
namespace {

using Words = std::vector<std::string>;

CompilerSpec Example(const std::string& compile) {
  return ReadCompilerSpec(
      YamlMap::FromText("title: T\nlanguage: c\nextensions: [c]\ntools: [gcc]\ncompile: " + compile +
                            "\nrun: {command: [\"{program}\", \"-Xmx{memory_mb}m\", \"{main_class}\"]}\n"
                            "version: [\"{gcc}\", --version]\n",
                        "c.yaml"),
      "c");
}

const Toolchain kTools{.present = true, .tools = {{"gcc", "/usr/bin/gcc"}}, .sentence = ""};

TEST_CASE("placeholders: only names in braces are filled in, unknown ones stay", "[compilers]") {
  CHECK(FillIn("-o{output}", {{"output", "a.out"}}) == "-oa.out");
  CHECK(FillIn("{a}{b}{a}", {{"a", "1"}, {"b", "{a}"}}) == "1{a}1");
  CHECK(FillIn("{} { a } {a", {{"a", "1"}}) == "{} { a } {a");
  CHECK(FillIn("{other}", {{"a", "1"}}) == "{other}");
  CHECK(PlaceholdersIn("{g++} {} {x{y}") == Words{"g++", "y"});
}

TEST_CASE("commands: tools become full paths, lists become arguments", "[compilers]") {
  const CompilerSpec spec =
      Example("[\"{gcc}\", -o, \"{output}\", \"{source}\", \"{sources}\", \"{extra_args}\", -lm]");
  CHECK(CompileCommands(spec, kTools,
                        {.source = {"a.c", ""}, .sources = {"b.c", "c.c"}, .extra_args = {"-DX=1 2"}}) ==
        std::vector<Words>{{"/usr/bin/gcc", "-o", "a.out", "a.c", "b.c", "c.c", "-DX=1 2", "-lm"}});
  CHECK(CompileCommands(spec, kTools, {.source = {"a.c", ""}, .sources = {}, .extra_args = {}}) ==
        std::vector<Words>{{"/usr/bin/gcc", "-o", "a.out", "a.c", "-lm"}});
  CHECK(VersionCommand(spec, kTools) == Words{"/usr/bin/gcc", "--version"});
}

TEST_CASE("commands: a source that is called like an option is still a file", "[compilers]") {
  const CompilerSpec spec = Example("[\"{gcc}\", \"{source}\", \"{sources}\", \"{output}\"]");
  CHECK(CompileCommands(spec, kTools,
                        {.source = {"-v.c", ""}, .sources = {"-fplugin=x.so"}, .extra_args = {}}) ==
        std::vector<Words>{{"/usr/bin/gcc", "./-v.c", "./-fplugin=x.so", "a.out"}});
}

TEST_CASE("commands: extra arguments are refused where the language takes none", "[compilers]") {
  const CompilerSpec spec = Example("[\"{gcc}\", \"{source}\", \"{output}\"]");
  CHECK_THROWS_WITH(
      CompileCommands(spec, kTools, {.source = {"a.c", ""}, .sources = {}, .extra_args = {"-O3"}}),
      "extra_compilation_args: compiler c takes none (c.yaml has no {extra_args})");
}

TEST_CASE("run command: the memory limit in MiB, left out when there is none", "[compilers]") {
  const CompilerSpec spec = Example("[\"{gcc}\", \"{source}\", \"{output}\"]");
  CHECK(RunCommand(spec, kTools, "/box/p", Bytes::KiB(65536 + 1023), "M") == Words{"/box/p", "-Xmx64m", "M"});
  CHECK(RunCommand(spec, kTools, "/box/p", Bytes::KiB(10), "M") == Words{"/box/p", "-Xmx1m", "M"});
  CHECK(RunCommand(spec, kTools, "/box/p", std::nullopt, "M") == Words{"/box/p", "M"});
}

TEST_CASE("java: the file follows the public class, the main class the one with main", "[compilers]") {
  struct Example {
    const char* source;
    const char* file;
    const char* main;
  };
  const Example examples[] = {
      {"public class Sum { public static void main(String[] a) {} }", "Sum", "Sum"},
      {"class A {} public final class B { static void main(String... a) {} }", "B", "B"},
      {"class A { public static void main(String[] a) {} }", "A", "A"},
      {"class A {} class B { public static void main(String[] a) {} }", "B", "B"},
      {"public class Data {}\nclass Run { public static void main(String[] a) {} }", "Data", "Run"},
      {"package pl.edu.x;\npublic class S { public static void main(String[] a) {} }", "S", "pl.edu.x.S"},
      {"// public class No {\n/* public class No2 { */ public class Yes { String s = \"public class No3 {\"; "
       "char c = "
       "'{'; char d = '\\''; static void main(String[] a) {} }",
       "Yes", "Yes"},
      {"public record P(int x) { public static void main(String[] a) {} }", "P", "P"},
      {"public enum E { A; public static void main(String[] a) {} }", "E", "E"},
      {"class Outer { public static class Inner { public static void main(String[] a) {} } }", "Main",
       "Main"},
      {"import java.util.*;\npublic class Zażółć { public static void main(String[] a) {} }", "Zażółć",
       "Zażółć"},
      {"", "Main", "Main"},
      {"}}}} class", "Main", "Main"},
      {"\"\"\" unterminated", "Main", "Main"},
  };
  for (const Example& example : examples) {
    CAPTURE(example.source);
    const JavaEntry entry = FindJavaEntry(example.source);
    CHECK(entry.file_stem == example.file);
    CHECK(entry.main_class == example.main);
  }
}

}  // namespace
}  // namespace tally

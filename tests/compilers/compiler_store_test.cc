#include "compilers/compiler_store.h"

#include "base/error.h"
#include "compilers/toolchain.h"
#include "tests/support/catch.h"
#include "tests/support/scratch_folder.h"

namespace tally {
namespace {

std::string Description(const std::string& extensions, const std::string& more = "",
                        const std::string& tool = "sh") {
  return "title: T\nlanguage: x\nextensions: [" + extensions + "]\ntools: [" + tool + "]\ncompile: [\"{" +
         ToolName(tool) + "}\", \"{source}\", \"{output}\"]\n" + more;
}

CompilerStore Shipped() {
  return CompilerStore(DescriptionFolders({std::string(TALLY_SOURCE_DIR) + "/compilers"}));
}

TEST_CASE("compilers: all shipped descriptions load, the template too", "[compilers]") {
  const CompilerStore store = Shipped();
  std::vector<std::string> names;
  for (const CompilerSpec& spec : store.All()) names.push_back(spec.name);
  CHECK(names ==
        std::vector<std::string>{"ada", "bash", "c11", "c17", "cpp11", "cpp14", "cpp17", "cpp20", "cpp23", "csharp", "d", "gas", "go", "haskell", "java",
                                 "javascript", "lua", "nasm", "ocaml", "pascal", "perl", "php", "pypy3", "python3", "ruby", "rust", "scheme"});
  const std::string path = std::string(TALLY_SOURCE_DIR) + "/compilers/template.yaml";
  CHECK_NOTHROW(ReadCompilerSpec(YamlMap::FromFile(path), "template"));
}

TEST_CASE("compilers: the names contest systems use lead to the shipped ones", "[compilers]") {
  const CompilerStore store = Shipped();
  const std::pair<const char*, const char*> expected[] = {{"cpp", "cpp20"},
                                                          {"cc", "cpp20"},
                                                          {"cxx", "cpp20"},
                                                          {"c", "c17"},
                                                          {"pas", "pascal"},
                                                          {"java", "java"},
                                                          {"py", "python3"},
                                                          {"rs", "rust"},
                                                          {"go", "go"},
                                                          {"default-c", "c17"},
                                                          {"default-cpp", "cpp20"},
                                                          {"default-cc", "cpp20"},
                                                          {"default-pas", "pascal"},
                                                          {"default-java", "java"},
                                                          {"default-py", "python3"},
                                                          {"default-CPP", "cpp20"},
                                                          {"system-gcc", "c17"},
                                                          {"system-g++", "cpp20"},
                                                          {"system-fpc", "pascal"},
                                                          {"system-java", "java"},
                                                          {"system-c", "c17"},
                                                          {"system-cpp", "cpp20"},
                                                          {"system-pas", "pascal"},
                                                          {"cpp17", "cpp17"},
                                                          {"gcc.c11_opts", "c17"},
                                                          {"cpp17.anything.else", "cpp17"}};
  for (const auto& [name, spec] : expected) {
    CAPTURE(name);
    CHECK(store.Find(name).name == spec);
  }
  CHECK(store.ForExtension("CPP").name == "cpp20");
  CHECK(store.ForExtension(".py").name == "python3");
}

TEST_CASE("compilers: an unknown one gets the known ones, the closest and how to add one", "[compilers]") {
  const ScratchFolder scratch;
  scratch.Write("cpp17.yaml", Description("cpp"));
  scratch.Write("py.yaml", Description("py"));
  const CompilerStore store(DescriptionFolders({scratch.path()}));
  CHECK_THROWS_WITH(
      store.Find("cpp71"),
      "compiler \"cpp71\": unknown (did you mean \"cpp17\"?); known: cpp17, py; searched: " + scratch.path() +
          ". To add one, copy template.yaml to ~/.config/tally/compilers/NAME.yaml and edit it "
          "(docs/compilers.md)");
  CHECK_THROWS_WITH(store.Find(""), Catch::Matchers::StartsWith("compiler \"\": unknown; known: cpp17, py;"));
  CHECK_THROWS_WITH(store.ForExtension("hs"),
                    "no compiler for sources that end in \".hs\"; known endings: cpp, py");
}

TEST_CASE("compilers: the user's folder hides and outranks the shipped one", "[compilers]") {
  const ScratchFolder scratch;
  scratch.Write("mine/cpp20.yaml", Description("cpp", "sandbox: compiler-mine\n"));
  scratch.Write("mine/cpp23.yaml", Description("cpp", "default: yes\naliases: [g++]\n"));
  scratch.Write("shipped/cpp20.yaml", Description("cpp", "default: yes\n"));
  scratch.Write("shipped/cpp26.yaml", Description("cpp", "default: yes\naliases: [g++]\n"));
  const CompilerStore store(DescriptionFolders({scratch.path() + "/mine", scratch.path() + "/shipped"}));
  CHECK(store.Find("cpp20").sandbox == "compiler-mine");
  CHECK(store.ForExtension("cpp").name == "cpp23");
  CHECK(store.Find("g++").name == "cpp23");
}

TEST_CASE("compilers: two claims to one name in one folder are a mistake that names both files",
          "[compilers]") {
  const ScratchFolder scratch;
  const std::string a = scratch.Write("a.yaml", Description("cpp", "default: yes\n"));
  const std::string b = scratch.Write("b.yaml", Description("cpp", "default: yes\n"));
  CHECK_THROWS_WITH(
      CompilerStore(DescriptionFolders({scratch.path()})),
      b + ": default: default for .cpp is claimed by " + a + " too; expected one compiler for it");
  scratch.Write("b.yaml", Description("d", "aliases: [a]\n"));
  CHECK_THROWS_WITH(CompilerStore(DescriptionFolders({scratch.path()})),
                    b + ": aliases: a is claimed by " + a + " too; expected one compiler for it");
}

TEST_CASE("compilers: a mistake in any description is reported before its language is used", "[compilers]") {
  const ScratchFolder scratch;
  scratch.Write("a.yaml", Description("c"));
  const std::string bad = scratch.Write("b.yaml", "title: T\n");
  CHECK_THROWS_WITH(CompilerStore(DescriptionFolders({scratch.path()})),
                    bad + ":1:1: language: missing; expected text");
}

TEST_CASE("toolchain: an absent tool is named with what to install, and is nobody's compilation error",
          "[compilers]") {
  const auto read = [](const std::string& text) {
    return ReadCompilerSpec(YamlMap::FromText(text, "c.yaml"), "c");
  };
  const Toolchain here = Probe(read(Description("x")));
  REQUIRE(here.present);
  CHECK(here.tools.at(0).first == "sh");
  CHECK(here.tools.at(0).second.front() == '/');
  CHECK(here.sentence == "c (T): " + here.tools.at(0).second);

  const CompilerSpec absent = read(Description("x", "package: nice-lang\n", "no-such-tool"));
  CHECK_FALSE(Probe(absent).present);
  CHECK_THROWS_WITH(
      RequireToolchain(absent),
      "compiler c (T) is absent: no-such-tool is not on this machine (searched /usr/local/bin, /usr/bin, "
      "/bin); install nice-lang");
  CHECK_FALSE(Probe(read(Description("x", "", "/opt/nowhere/bin/tool"))).present);
  // A folder is not a program.
  CHECK_FALSE(Probe(read(Description("x", "", "/usr/bin"))).present);
}

}  // namespace
}  // namespace tally

// The compile job: each language from its source to a checked answer, the keys of the job, and the mistakes
// that are the user's. Sources that attack the compiler are in compile_bombs_test.cc.
#include <fmt/format.h>

#include <cstdlib>
#include <filesystem>
#include <vector>

#include "supervisor/sandbox/landlock.h"
#include "tests/support/catch.h"
#include "tests/support/job_run.h"
#include "tests/support/job_sources.h"
#include "tests/support/scoped_variable.h"
#include "tests/support/scratch_folder.h"
#include "tests/support/skip.h"

namespace tally {
namespace {

namespace fs = std::filesystem;

// One source in a folder of its own, and where its program goes.
struct Source {
  Source(const std::string& name, const std::string& text) { path = folder.Write(name, text); }

  [[nodiscard]] Json Compile(Json keys = Json::object()) const {
    keys.update({{"source_file", path}, {"out_file", out}});
    return RunJobWith("compile", keys);
  }
  [[nodiscard]] std::string Mistake(Json keys) const {
    keys.update({{"source_file", path}, {"out_file", out}});
    return MistakeOf("compile", keys);
  }

  ScratchFolder folder;
  std::string path;
  std::string out = folder.path() + "/program";
};

// What exec is told to run what compile made, as contest systems do it.
Json RunCompiled(const Source& source, const Json& compiled, Json keys = Json::object()) {
  keys.update({{"exe_file", compiled["out_file"]}, {"exec_info", compiled["exec_info"]}});
  keys.update(
      {{"in_file", source.folder.Write("in", "20 22\n")}, {"out_file", source.folder.path() + "/got"}});
  keys.update({{"check_output", true}, {"hint_file", source.folder.Write("hint", "42\n")}});
  return RunJobWith("exec", keys);
}

void CheckSum(const char* name, const char* text, const char* compiler,
              const Json& exec_keys = Json::object()) {
  const Source source(name, text);
  const Json compiled = source.Compile({{"compiler", compiler}});
  CAPTURE(compiled.dump(2));
  REQUIRE(CodeOf(compiled) == "OK");
  CHECK(SentenceOf(compiled) == "ok");
  CHECK(compiled["compiler_used"] == compiler);
  CHECK(compiled["out_file"] == source.out);
  const Json run = RunCompiled(source, compiled, exec_keys);
  CAPTURE(run.dump(2));
  CHECK(CodeOf(run) == "OK");
  CHECK(run["result_percentage"] == 100);
}

// Compilers are several processes, and Landlock keeps those from others of the same user since Linux 6.12.
bool ReducedIsolationCompiles() { return LandlockAbi() >= 6; }

TEST_CASE("compile: without namespaces each language becomes a program that gives the right answer there", "[compile]") {
  const Source source("a.c", kSumC);
  if (!ReducedIsolationCompiles()) {
    CHECK(source.Mistake({{"isolation", "reduced"}}).find("kernel 6.12") != std::string::npos);
    TALLY_SKIP("this kernel's Landlock does not keep signals in");
  }
  struct Language {
    const char *name, *text, *compiler;
  };
  for (const Language& language : {Language{"a.c", kSumC, "c17"}, {"a.cpp", kSumCpp, "cpp20"}, {"a.go", kSumGo, "go"}, {"a.rs", kSumRust, "rust"},
                                   {"a.pas", kSumPascal, "pascal"}, {"a.py", kSumPython, "python3"}}) {
    const Source written(language.name, language.text);
    const Json compiled = written.Compile({{"compiler", language.compiler}, {"isolation", "reduced"}});
    CAPTURE(compiled.dump(2));
    CHECK(CodeOf(compiled) == "OK");
    CHECK(compiled["isolation_used"] == "reduced (seccomp, Landlock, rlimits)");
  }
  const Json compiled = source.Compile({{"isolation", "reduced"}});
  fs::permissions(source.folder.path(), fs::perms{0755});  // as root programs run as another user
  const Json run = RunCompiled(source, compiled, {{"isolation", "reduced"}});
  CAPTURE(run.dump(2));
  CHECK(CodeOf(run) == "OK");
}

TEST_CASE("compile: without namespaces a source still cannot have the machine's files compiled into it", "[compile]") {
  if (!ReducedIsolationCompiles()) TALLY_SKIP("this kernel's Landlock does not keep signals in");
  const Source source("a.c", "#include \"/etc/passwd\"\nint main(void) { return 0; }\n");
  const Json compiled = source.Compile({{"isolation", "reduced"}});
  CHECK(CodeOf(compiled) == "CE");
  CHECK(compiled["compiler_output"].get<std::string>().find("root:") == std::string::npos);
}

TEST_CASE("compile: C becomes an executable that gives the right answer", "[compile]") {
  if (const auto why = WhyAbsent("c17")) TALLY_SKIP(*why);
  CheckSum("sum.c", kSumC, "c17");
}

TEST_CASE("compile: C++17 and C++20 are what they say", "[compile]") {
  if (const auto why = WhyAbsent("cpp20")) TALLY_SKIP(*why);
  CheckSum("sum.cpp", kSumCpp, "cpp20");
  const Source source("standard.cpp", "static_assert(__cplusplus == 201703L); int main() {}");
  CHECK(CodeOf(source.Compile({{"compiler", "cpp17"}})) == "OK");
  CHECK(CodeOf(source.Compile()) == "CE");
}

TEST_CASE("compile: Pascal becomes an executable that gives the right answer", "[compile]") {
  if (const auto why = WhyAbsent("pascal")) TALLY_SKIP(*why);
  CheckSum("sum.pas", kSumPascal, "pascal");
}

TEST_CASE("compile: Python stays a script, whose syntax errors are CE", "[compile]") {
  if (const auto why = WhyAbsent("python3")) TALLY_SKIP(*why);
  CheckSum("sum.py", kSumPython, "python3");
  const Json result = Source("bad.py", "print((1)\n").Compile();
  CHECK(CodeOf(result) == "CE");
  CHECK(Mentions(result["compiler_output"], "SyntaxError"));
}

TEST_CASE("compile: Java becomes an archive that knows its main class, whatever it is called", "[compile]") {
  if (const auto why = WhyAbsent("java")) TALLY_SKIP(*why);
  CheckSum("whatever.java", kSumJava, "java", {{"exec_mem_limit", 262144}});
}

TEST_CASE("compile: Go becomes an executable that gives the right answer", "[compile]") {
  if (const auto why = WhyAbsent("go")) TALLY_SKIP(*why);
  CheckSum("sum.go", kSumGo, "go", {{"exec_mem_limit", 262144}});
}

TEST_CASE("compile: Rust becomes an executable that gives the right answer", "[compile]") {
  if (const auto why = WhyAbsent("rust")) TALLY_SKIP(*why);
  CheckSum("sum.rs", kSumRust, "rust");
}

TEST_CASE("compile: a source with errors is CE with the compiler's words, and out_file is as it was",
          "[compile]") {
  if (const auto why = WhyAbsent("c17")) TALLY_SKIP(*why);
  const Source source("bad.c", "int main(void) {\n  return undeclared;\n}\n");
  source.folder.Write("program", "old");
  const Json result = source.Compile();
  CHECK(CodeOf(result) == "CE");
  CHECK(SentenceOf(result) == "compilation failed");
  CHECK(Mentions(result["compiler_output"], "a.c:2:10: error: "));
  CHECK(Mentions(result["compiler_output"], "undeclared"));
  CHECK(result["compiler_used"] == "c17");
  CHECK_FALSE(result.contains("exec_info"));
  CHECK(ReadText(source.out) == "old");
  CHECK(CodeOf(Source("no_main.c", "int Answer(void) { return 42; }").Compile()) == "CE");
}

TEST_CASE("compile: warnings are told and are no errors", "[compile]") {
  if (const auto why = WhyAbsent("c17")) TALLY_SKIP(*why);
  const Json result = Source("warns.c", "#warning \"just so\"\nint main(void) { return 0; }\n").Compile();
  CHECK(CodeOf(result) == "OK");
  CHECK(Mentions(result["compiler_output"], "just so"));
}

TEST_CASE("compile: compiler_output is cut to compilation_output_limit, 5 KiB by default", "[compile]") {
  if (const auto why = WhyAbsent("c17")) TALLY_SKIP(*why);
  std::string text;
  for (int i = 0; i < 300; ++i) text += "#warning \"one of many lines that the compiler repeats\"\n";
  const Source source("many.c", text + "int main(void) { return 0; }\n");
  const auto length = [](const Json& result) { return result["compiler_output"].get<std::string>().size(); };
  CHECK(length(source.Compile()) == 5120);
  CHECK(length(source.Compile({{"compilation_output_limit", 100}})) == 100);
  CHECK(length(source.Compile({{"compilation_output_limit", 0}})) == 0);
}

TEST_CASE("compile: a program over compilation_result_size_limit is CE, one at it is not", "[compile]") {
  if (const auto why = WhyAbsent("c17")) TALLY_SKIP(*why);
  const Source source("sum.c", kSumC);
  REQUIRE(CodeOf(source.Compile()) == "OK");
  const std::uint64_t size = fs::file_size(source.out);
  CHECK(CodeOf(source.Compile({{"compilation_result_size_limit", size}})) == "OK");
  const Json over = source.Compile({{"compilation_result_size_limit", size - 1}});
  CHECK(CodeOf(over) == "CE");
  CHECK(SentenceOf(over) == "Compiled file size limit exceeded.");
}

TEST_CASE(
    "compile: additional sources, headers and files lie beside the source, extra arguments reach the "
    "compiler",
    "[compile]") {
  if (const auto why = WhyAbsent("c17")) TALLY_SKIP(*why);
  const Source source(
      "main.c",
      "#include \"lib.h\"\n#include \"table.inc\"\nint main(void) { return Lib() - TABLE - VALUE; }\n");
  const auto& folder = source.folder;
  const Json keys = {{"additional_sources", folder.Write("lib.c", "int Lib(void) { return 3; }\n")},
                     {"additional_includes", Json::array({folder.Write("lib.h", "int Lib(void);\n")})},
                     {"extra_files", {{"table.inc", folder.Write("anything.txt", "#define TABLE 1\n")}}},
                     {"extra_compilation_args", {"-DVALUE=2", "-Wall"}}};
  const Json compiled = source.Compile(keys);
  CAPTURE(compiled["compiler_output"]);
  REQUIRE(CodeOf(compiled) == "OK");
  CHECK(CodeOf(RunJobWith("exec", {{"exe_file", source.out}})) == "OK");
  CHECK(CodeOf(source.Compile()) == "CE");
}

// `members` as Python has it: a list of pairs. A name may begin with "link:", for a symbolic link.
std::string Zip(const ScratchFolder& folder, const std::string& members) {
  const std::string path = folder.path() + "/more.zip", script = folder.Write("zip.py", R"(
import sys, zipfile
with zipfile.ZipFile(sys.argv[1], 'w') as archive:
    for name, text in eval(sys.argv[2]):
        info = zipfile.ZipInfo(name.removeprefix('link:'))
        info.external_attr = (0o120777 if name.startswith('link:') else 0o100644) << 16
        archive.writestr(info, text, zipfile.ZIP_DEFLATED)
)");
  REQUIRE(std::system(fmt::format("python3 -W ignore {} {} \"{}\"", script, path, members).c_str()) == 0);
  return path;
}

TEST_CASE("compile: an archive's files lie beside the source, in their folders, and replace nothing", "[compile]") {
  if (const auto why = WhyAbsent("c17")) TALLY_SKIP(*why);
  const Source source("main.c", "#include \"lib/table.h\"\n#include \"own.h\"\nint main(void) { return TABLE - OWN; }\n");
  const Json keys = {{"additional_archive", Zip(source.folder, "[('lib/table.h', '#define TABLE 7'), ('own.h', '#error replaced'), ('a.c', '#error replaced'), ('./lib/more/x.h', '')]")},
                     {"extra_files", {{"own.h", source.folder.Write("own", "#define OWN 7\n")}}}};
  const Json compiled = source.Compile(keys);
  CAPTURE(compiled["compiler_output"]);
  REQUIRE(CodeOf(compiled) == "OK");
  CHECK(CodeOf(RunJobWith("exec", {{"exe_file", source.out}})) == "OK");
}

TEST_CASE("compile: an archive that is none, leads elsewhere or has no end is a mistake with its name, and writes nothing", "[compile]") {
  if (const auto why = WhyAbsent("c17")) TALLY_SKIP(*why);
  const Source source("main.c", kSumC);
  const std::string archive = source.folder.path() + "/more.zip";
  const auto mistake = [&](const std::string& members) {
    Zip(source.folder, members);
    return source.Mistake({{"additional_archive", archive}});
  };
  CHECK(mistake("[('../out.h', '')]") == "additional_archive: " + archive + ": \"../out.h\" leads out of the folder");
  CHECK(mistake("[('/tmp/tally-out.h', '')]") == "additional_archive: " + archive + ": \"/tmp/tally-out.h\" leads out of the folder");
  CHECK(mistake("[('link:etc', '/etc')]") == "additional_archive: " + archive + ": \"etc\" is neither a file nor a folder");
  CHECK(mistake("[('a.c/x.h', '')]") == "additional_archive: " + archive + ": \"a.c/x.h\" goes through \"a.c\", which is no folder");
  CHECK(mistake("[('large', bytes(300 << 20))]") == "additional_archive: " + archive + ": unpacked it is larger than 256 MiB");
  CHECK(mistake("[(str(i), '') for i in range(10001)]") == "additional_archive: " + archive + ": there are more than 10000 files in it");
  CHECK(source.Mistake({{"additional_archive", source.path}}).starts_with("additional_archive: " + source.path + ": not a zip archive that can be read ("));
  CHECK(source.Mistake({{"additional_archive", "/no/more.zip"}}) == "additional_archive: /no/more.zip: No such file or directory");
  CHECK_FALSE(fs::exists("/tmp/tally-out.h"));
}

TEST_CASE("compile: additional sources and arguments may be given by language, as SIO's packages do",
          "[compile]") {
  if (const auto why = WhyAbsent("c17")) TALLY_SKIP(*why);
  const Source source("main.c", "int Lib(void);\nint main(void) { return Lib() - VALUE; }\n");
  CHECK(source.Mistake({{"additional_sources", {{"c", 5}}}}) ==
        "additional_sources.c: 5 is not a list of texts");
  CHECK(source.Mistake({{"additional_includes", {{"c", "/no/file"}}}}) ==
        "additional_includes: /no/file: No such file or directory");
  const std::string lib = source.folder.Write("lib.c", "int Lib(void) { return 2; }\n");
  const Json keys = {{"additional_sources", {{"c", lib}, {"pas", "/no/lib.pas"}}},
                     {"extra_compilation_args", {{"c", {"-DVALUE=2"}}, {"cpp", {"-DVALUE=oops"}}}}};
  CHECK(source.Mistake(keys) == "no mistake: OK ok");
}

TEST_CASE("compile: an additional file may have any plain name, others are a mistake with the key",
          "[compile]") {
  if (const auto why = WhyAbsent("c17")) TALLY_SKIP(*why);
  const Source source("main.c", kSumC);
  // The source itself is called a.c in there.
  const std::string same = source.folder.Write("a.c", "int Helper(void) { return 0; }\n");
  CHECK_FALSE(Mentions(source.Mistake({{"additional_sources", same}}), "failure"));
  for (const char* name : {"../x.h", ".hidden", "-x", "a/b.h", ""}) {
    CAPTURE(name);
    CHECK(source.Mistake({{"extra_files", {{name, source.path}}}}).starts_with("extra_files"));
  }
  CHECK(source.Mistake({{"additional_sources", same}, {"additional_includes", same}}) == "no mistake: OK ok");
  CHECK(source.Mistake({{"additional_sources", same}, {"extra_files", {{"a.c", source.path}}}}) ==
        "extra_files: \"a.c\": another file of this job has this name");
  CHECK(source.Mistake({{"additional_includes", "/no/lib.h"}}) ==
        "additional_includes: /no/lib.h: No such file or directory");
  CHECK(source.Mistake({{"extra_files", {{"lib.h", "/no/lib.h"}}}}) ==
        "extra_files.lib.h: /no/lib.h: No such file or directory");
}

TEST_CASE(
    "compile: the compiler goes by name, alias, default-EXTENSION or extension, and what follows a dot is "
    "ignored",
    "[compile]") {
  if (const auto why = WhyAbsent("c17")) TALLY_SKIP(*why);
  const Source source("sum.c", kSumC);
  for (const char* name : {"c17", "gcc", "system-gcc", "default-c", "c", "gcc.c11_opts"}) {
    CAPTURE(name);
    CHECK(source.Compile({{"compiler", name}})["compiler_used"] == "c17");
  }
  CHECK(Source("SUM.C", kSumC).Compile()["compiler_used"] == "c17");
}

TEST_CASE("compile: an unknown compiler or ending is a mistake that lists the known ones", "[compile]") {
  const Source source("sum.c", kSumC);
  const std::string unknown = source.Mistake({{"compiler", "cobol"}});
  CHECK(unknown.starts_with("compiler \"cobol\": unknown; known: "));
  CHECK(Mentions(unknown, "cpp20"));
  CHECK(Mentions(Source("sum.xyz", "").Mistake({}),
                 "no compiler for sources that end in \".xyz\"; known endings: "));
  CHECK(Mentions(Source("sum", "").Mistake({}), "sum: cannot tell the language without an extension"));
}

TEST_CASE("compile: a compiler that is not installed is a mistake that says what to install, and no CE",
          "[compile]") {
  const Source source("a.zz", "x");
  const ScratchFolder descriptions;
  descriptions.Write("zz.yaml",
                     "title: Zz\nlanguage: zz\nextensions: [zz]\ntools: [no-such-tool]\npackage: zz-tools\n"
                     "compile: [\"{no-such-tool}\", \"{source}\", \"{output}\"]\n");
  const char* shipped = std::getenv("TALLY_COMPILERS");
  const ScopedVariable folders("TALLY_COMPILERS",
                               descriptions.path() + (shipped != nullptr ? ":" + std::string(shipped) : ""));
  CHECK(source.Mistake({}) ==
        "compiler zz (Zz) is absent: no-such-tool is not on this machine (searched /usr/local/bin, /usr/bin, "
        "/bin); "
        "install zz-tools");
}

TEST_CASE("compile: keys that are missing or wrong are one sentence with the key", "[compile]") {
  const Source source("sum.c", kSumC);
  const auto mistake = [](Json keys) { return MistakeOf("compile", keys); };
  CHECK(mistake({}) == "source_file: this key is missing");
  CHECK(mistake({{"source_file", source.path}}) == "out_file: this key is missing");
  CHECK(mistake({{"source_file", "/no/sum.c"}, {"out_file", source.out}}) ==
        "source_file: /no/sum.c: No such file or directory");
  CHECK(mistake({{"source_file", source.folder.path()}, {"out_file", source.out}}) ==
        "source_file: " + source.folder.path() + " is a directory, not a file");
  CHECK(source.Mistake({{"compilation_time_limit", -1}}) ==
        "compilation_time_limit: -1 is not a whole number of ms, 0 or more");
  CHECK(source.Mistake({{"extra_compilation_args", 5}}) ==
        "extra_compilation_args: 5 is not a list of texts");
  CHECK(source.Mistake({{"extra_files", "x"}}) == "extra_files: \"x\" is not an object of texts");
}

TEST_CASE("compile: an absurdly large limit is a mistake and no compilation error", "[compile]") {
  const Source source("sum.c", kSumC);
  for (const char* key : {"compilation_time_limit", "compilation_real_time_limit", "compilation_mem_limit"}) {
    CAPTURE(key);
    CHECK(source.Mistake({{key, 9'000'000'000'000'000'000}}).starts_with(std::string(key) + ": "));
  }
}

TEST_CASE("compile: a program that cannot be kept is a mistake with the path, and nothing is left",
          "[compile]") {
  if (const auto why = WhyAbsent("python3")) TALLY_SKIP(*why);
  Source source("sum.py", kSumPython);
  source.out = source.folder.path() + "/no/program";
  CHECK(source.Mistake({}) ==
        "out_file: cannot write " + source.out + ": folder " + source.folder.path() + "/no does not exist");
  CHECK(std::distance(fs::directory_iterator(source.folder.path()), fs::directory_iterator()) == 1);
}

}  // namespace
}  // namespace tally

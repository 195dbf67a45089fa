// Sources that attack whoever compiles them. Each ends as CE with a sentence, soon, and learns nothing of
// this machine.
#include <filesystem>

#include "tests/support/catch.h"
#include "tests/support/job_run.h"
#include "tests/support/job_sources.h"
#include "tests/support/scoped_variable.h"
#include "tests/support/scratch_folder.h"
#include "tests/support/skip.h"

namespace tally {
namespace {

namespace fs = std::filesystem;

Json CompileHostile(const std::string& name, Json keys = Json::object()) {
  const ScratchFolder folder;
  keys.update({{"source_file", HostileSource(name)}, {"out_file", folder.path() + "/program"}});
  keys.update({{"compilation_real_time_limit", 5000}});
  const Json result = RunJobWith("compile", keys);
  if (CodeOf(result) != "OK") CHECK_FALSE(fs::exists(folder.path() + "/program"));
  return result;
}

// CE, with `sentence` a part of the sentence.
void CheckFails(const std::string& name, const char* sentence, const Json& keys = Json::object()) {
  CAPTURE(name);
  const Json result = CompileHostile(name, keys);
  CAPTURE(SentenceOf(result), result["compiler_output"]);
  CHECK(CodeOf(result) == "CE");
  CHECK(Mentions(SentenceOf(result), sentence));
}

std::optional<std::string> WhyNot() {
  if (HostileSource("empty.c").empty()) return "the sources of tests/programs/sources are not here";
  if (const auto why = WhyAbsent("c17")) return why;
  return WhyAbsent("cpp20");
}

TEST_CASE("compile bombs: an endless #include ends at the memory limit", "[compile][bombs]") {
  if (const auto why = WhyNot()) TALLY_SKIP(*why);
  CheckFails("include_dev_zero.c", "compilation memory limit exceeded: more than 64.0 MiB",
             {{"compilation_mem_limit", 65536}});
}

TEST_CASE("compile bombs: templates, macros and constant expressions end at the time limit",
          "[compile][bombs]") {
  if (const auto why = WhyNot()) TALLY_SKIP(*why);
  const Json soon = {{"compilation_time_limit", 300}};
  const char* sentence = "compilation time limit exceeded: more than 300 ms of ";
  CheckFails("template_bomb.cc", sentence, soon);
  CheckFails("constexpr_bomb.cc", sentence, soon);
  CheckFails("preprocessor_bomb.c", sentence, soon);
}

TEST_CASE("compile bombs: a macro bomb ends at the memory limit too", "[compile][bombs]") {
  if (const auto why = WhyNot()) TALLY_SKIP(*why);
  CheckFails("preprocessor_bomb.c", "compilation memory limit exceeded",
             {{"compilation_mem_limit", 100'000}});
}

TEST_CASE("compile bombs: a source that includes itself is the compiler's to refuse", "[compile][bombs]") {
  if (const auto why = WhyNot()) TALLY_SKIP(*why);
  CheckFails("include_itself.c", "compilation failed");
}

TEST_CASE("compile bombs: a binary of a gigabyte ends at the file size limit, before the disk is full",
          "[compile][bombs]") {
  if (const auto why = WhyNot()) TALLY_SKIP(*why);
  CheckFails("huge_binary.c", "compilation output limit exceeded: a file grew too large");
}

TEST_CASE("compile bombs: error messages by the megabyte are cut", "[compile][bombs]") {
  if (const auto why = WhyNot()) TALLY_SKIP(*why);
  const Json result = CompileHostile("error_flood.cc");
  CHECK(CodeOf(result) == "CE");
  CHECK(result["compiler_output"].get<std::string>().size() == 5120);
}

TEST_CASE("compile bombs: reading the compiler's stdin never hangs", "[compile][bombs]") {
  if (const auto why = WhyNot()) TALLY_SKIP(*why);
  const std::string code = CodeOf(CompileHostile("include_dev_stdin.c"));
  CHECK((code == "OK" || code == "CE"));
}

TEST_CASE("compile bombs: no line of this machine's files comes back in the messages or in the program",
          "[compile][bombs]") {
  if (const auto why = WhyNot()) TALLY_SKIP(*why);
  for (const char* name : {"include_etc_passwd.c", "incbin_host_file.c"}) {
    CAPTURE(name);
    const Json result = CompileHostile(name);
    CHECK(CodeOf(result) == "CE");
    CHECK_FALSE(Mentions(result["compiler_output"], "root:"));
  }
}

TEST_CASE("compile bombs: what is merely wrong is CE in the compiler's words", "[compile][bombs]") {
  if (const auto why = WhyNot()) TALLY_SKIP(*why);
  const auto words = [](const char* name) {
    return CompileHostile(name)["compiler_output"].get<std::string>();
  };
  CHECK(Mentions(words("syntax_error.c"), "a.c:5:"));
  CHECK(Mentions(words("undefined_symbol.c"), "DefinedNowhere"));
  CHECK(Mentions(words("wrong_type.cc"), "cannot convert"));
  CHECK(Mentions(words("no_main.c"), "main"));
  CheckFails("empty.c", "compilation failed");
  CHECK(CodeOf(CompileHostile("only_warnings.c")) == "OK");
}

TEST_CASE("compile bombs: a compiler that would take ages is stopped by real time as well",
          "[compile][bombs]") {
  if (const auto why = WhyNot()) TALLY_SKIP(*why);
  const ScratchFolder folder;
  const Json keys = {{"source_file", HostileSource("constexpr_bomb.cc")},
                     {"out_file", folder.path() + "/program"},
                     {"compilation_real_time_limit", 300}};
  const Json result = RunJobWith("compile", keys);
  CHECK(CodeOf(result) == "CE");
  CHECK(SentenceOf(result) == "compilation time limit exceeded: more than 300 ms of real time");
}

TEST_CASE("compile bombs: nothing of a compilation is left in the temporary folder", "[compile][bombs]") {
  if (const auto why = WhyNot()) TALLY_SKIP(*why);
  const ScratchFolder temporary;
  const ScopedVariable variable("TMPDIR", temporary.path());
  CheckFails("huge_binary.c", "too large");
  CHECK(fs::is_empty(temporary.path()));
}

}  // namespace
}  // namespace tally

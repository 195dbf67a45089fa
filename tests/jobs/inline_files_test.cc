// Files that travel inside the environ: found by their job and by nobody else, and the result comes back the same way.
#include "jobs/inline_files.h"

#include "base/base64.h"
#include "base/error.h"
#include "base/sys.h"
#include "jobs/job.h"
#include "tests/support/catch.h"
#include "tests/support/job_run.h"
#include "tests/support/run_program.h"
#include "tests/support/scoped_variable.h"
#include "tests/support/scratch_folder.h"

namespace tally {
namespace {

Environ EnvironOf(const Json& keys) { return Environ::Parse(keys.dump(), "test"); }

Json Echo() {
  return {{"job_type", "exec"},
          {"exe_file", "/program"},
          {"in_file", "/in@5"},
          {"out_file", "/out"},
          {"inline_files",
           {{"/program", EncodeBase64(sys::ReadFile(TestProgram("echo_stdin")))}, {"/in@5", EncodeBase64("a b\n")}}},
          {"inline_out", true}};
}

TEST_CASE("inline files: a job runs on files that travel with it, and its output travels back", "[jobs][inline]") {
  const ScratchFolder store;
  const ScopedVariable variable("FILETRACKER_DIR", store.path());
  Environ environ = EnvironOf(Echo());
  environ.set_rules({.plain_paths = false});
  RunJob(&environ);
  CHECK(environ.Text("result_code") == "OK");
  const std::string out = environ.Text("out_file");
  CHECK(out.starts_with("/out@"));
  CHECK(environ.TextMap("inline_files") ==
        std::vector<std::pair<std::string, std::string>>{{out, EncodeBase64("a b\nEND\n")}});
  CHECK_FALSE(LocalStore().Has(FiletrackerName::Parse("/out")));
  CHECK_FALSE(LocalStore().Has(FiletrackerName::Parse("/program")));
}

TEST_CASE("inline files: without inline_out the result is in the store, and inputs never come back", "[jobs][inline]") {
  const ScratchFolder store;
  const ScopedVariable variable("FILETRACKER_DIR", store.path());
  Json keys = Echo();
  keys["inline_out"] = false;
  Environ environ = EnvironOf(keys);
  RunJob(&environ);
  CHECK_FALSE(environ.Has("inline_files"));
  CHECK(ReadText(LocalStore().Find(FiletrackerName::Parse(environ.Text("out_file")))) == "a b\nEND\n");
}

TEST_CASE("inline files: mistakes name the key and the path", "[jobs][inline]") {
  const auto mistake = [](const Json& files) {
    return MistakeIn([&] {
      Json keys = Echo();
      keys["inline_files"] = files;
      Environ environ = EnvironOf(keys);
      RunJob(&environ);
      return environ.Dump();
    });
  };
  CHECK(mistake({{"/program", "?"}}) == "inline_files: /program: its value is not base64");
  CHECK(Mentions(mistake({{"/../x", ""}}), "inline_files: /../x: "));
  CHECK(Mentions(mistake({{"x", ""}}), "must start with /"));
  CHECK(Mentions(mistake(5), "inline_files"));
}

TEST_CASE("file rules: where paths of this machine are not for the sender, a job that names one is refused",
          "[jobs][inline]") {
  const auto mistake = [](const Json& keys) {
    return MistakeIn([&] {
      Environ environ = EnvironOf(keys);
      environ.set_rules({.plain_paths = false});
      RunJob(&environ);
      return environ.Dump();
    });
  };
  CHECK(Mentions(mistake({{"job_type", "exec"}, {"exe_file", "/etc/passwd"}, {"use_filetracker", false}}),
                 "exe_file: \"/etc/passwd\" would be a path of the machine that runs the job"));
  CHECK(Mentions(mistake({{"job_type", "exec"}, {"exe_file", "etc/passwd"}, {"use_filetracker", "auto"}}),
                 "exe_file: \"etc/passwd\" would be a path"));
  Json keys = Echo();
  keys["use_filetracker"] = "auto";
  keys["out_file"] = "tmp/x";
  CHECK(Mentions(mistake(keys), "out_file: \"tmp/x\" would be a path"));
}

}  // namespace
}  // namespace tally

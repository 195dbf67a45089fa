// `tally check-host`, and the script sio-compile beside the executable.
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <sstream>

#include "supervisor/sandbox/landlock.h"
#include "tests/support/catch.h"
#include "tests/support/cli_run.h"
#include "tests/support/open_to_others.h"
#include "tests/support/run_program.h"
#include "tests/support/scratch_folder.h"
#include "tests/support/skip.h"

namespace tally {
namespace {

namespace fs = std::filesystem;

TEST_CASE("check-host: every topic has a mark, and BAD ones make the status 2", "[cli][tools]") {
  const CliResult result = Tally({"check-host"});
  CHECK(result.error.empty());
  std::istringstream lines(result.out);
  Words titles;
  bool bad = false;
  for (std::string line; std::getline(lines, line);) {
    if (!line.starts_with("  ")) {
      titles.push_back(line);
      continue;
    }
    CAPTURE(line);
    const std::string mark = line.substr(2, 5);
    CHECK((mark == "ok   " || mark == "note " || mark == "BAD  "));
    CHECK(line.size() > 25);
    bad = bad || mark == "BAD  ";
  }
  CHECK(titles == Words{"This machine", "Sandboxes", "Compilers"});
  CHECK(result.status == (bad ? 2 : 0));
}

TEST_CASE("check-host: what the contract asks about is there", "[cli][tools]") {
  const std::string out = Tally({"check-host"}).out;
  for (const char* topic :
       {"kernel", "isolation", "memory", "PMU", "processor", "system calls", "swap", "SMT", "governor", "exec-sandbox",
        "vcpu_exec-sandbox", "c17", "cpp20", "pascal", "python3", "java", "rust", "go"}) {
    CAPTURE(topic);
    CHECK(Has(out, std::string(" ") + topic + " "));
  }
}

TEST_CASE("in a container as Docker confines it programs run under reduced isolation, which auto chooses", "[cli][tools]") {
  if (::geteuid() != 0) TALLY_SKIP("only root can take capabilities and mounts away as a container's start does");
  const auto run = [](const std::string& options) {
    return Shell(std::string("$PROGRAMS/") + "like_container $TALLY run --memory 64M " + options + " -- $PROGRAMS/hello");
  };
  const CliResult full = run("");
  CHECK(full.status == 2);
  CHECK(Has(full.error, "ask for --isolation=reduced"));
  for (const char* asked : {"reduced", "auto", "auto --counter translator --virtual-off addresses", "auto --processes 4"}) {
    CAPTURE(asked);
    const CliResult result = run(std::string("--isolation ") + asked);
    CHECK(result.status == 0);
    CHECK(Has(result.error, "OK  ok"));
    CHECK(Has(result.error, "isolation     reduced (seccomp, Landlock, rlimits)"));
  }
  const CliResult forbidden = run("--isolation auto --counter translator");
  CHECK(forbidden.status == 2);
  CHECK(Has(forbidden.error, "--virtual-off addresses"));
}

TEST_CASE("in a container as Docker confines it solutions are compiled and judged, too", "[cli][tools]") {
  if (::geteuid() != 0) TALLY_SKIP("only root can take capabilities and mounts away as a container's start does");
  if (LandlockAbi() < 6) TALLY_SKIP("this kernel's Landlock does not keep signals in, and compilers are several processes");
  const std::string sum = SourceFolder() + "/examples/sum";
  const CliResult result = Shell("$PROGRAMS/like_container $TALLY judge --isolation auto --report '' " + sum + " " + sum + "/solutions/right.cpp " + sum + "/solutions/right.py");
  CAPTURE(result.out, result.error);
  CHECK(Has(result.out, "right.cpp  OK      7/7"));
  CHECK(Has(result.out, "right.py   OK      7/7"));
}

// docs/hosts.md has this as a table.
TEST_CASE("in a container with options there is full isolation, and /proc where none of the host's is masked", "[cli][tools]") {
  if (::geteuid() != 0) TALLY_SKIP("only root can take capabilities and mounts away as a container's start does");
  const std::string tally = TallyPath();
  const OpenToOthers open({"hello", "like_container"});
  const std::string folder = BuildFolder();  // that of `open`
  std::filesystem::copy_file(tally, folder + "/tally");
  const auto run = [&](const std::string& options, const char* sandbox) {
    return Shell("$PROGRAMS/like_container " + options + " " + folder + "/tally run --isolation auto --memory 64M --sandbox " + sandbox + " -- " +
                 TestProgram("hello"), {.environment = {"TALLY_SANDBOXES=" + folder + "/sandboxes"}});
  };
  struct Row {
    const char* options;
    const char* isolation;
    bool has_proc;
  };
  constexpr Row kRows[] = {
      {"--seccomp=unconfined", "full (user namespace)", false},
      {"--seccomp=unconfined --unmask", "full (user namespace)", true},
      {"--seccomp=unconfined --cap-add=SYS_ADMIN --unmask", "full (user namespace)", true},
      {"--privileged", "full (root, other uid)", true},
      {"--rootless", "reduced (seccomp, Landlock, rlimits)", true},
      {"--rootless --seccomp=unconfined", "full (user namespace)", false},
      {"--rootless --seccomp=unconfined --unmask", "full (user namespace)", true},
      {"--rootless --privileged", "full (root, other uid)", true},
      {"--lxc", "full (root, other uid)", true},
      {"--lxc setpriv --reuid=1000 --regid=1000 --clear-groups env HOME=/tmp", "full (user namespace)", false},
      {"--lxc --nesting setpriv --reuid=1000 --regid=1000 --clear-groups env HOME=/tmp", "full (user namespace)", true},
  };
  for (const Row& row : kRows) {
    CAPTURE(row.options);
    const CliResult result = run(row.options, "exec-sandbox");
    CHECK(Has(result.error, "OK  ok"));
    CHECK(Has(result.error, std::string("isolation     ") + row.isolation));
    const CliResult with_proc = run(row.options, "interpreter-sandbox");
    CHECK(with_proc.status == (row.has_proc ? 0 : 2));
    CHECK(Has(with_proc.error, row.has_proc ? "OK  ok" : "parts of /proc are masked here"));
  }
}

TEST_CASE("isolation auto is full where it can be had", "[cli][tools]") {
  CHECK(Has(Shell("$TALLY run --isolation auto -- $PROGRAMS/hello").error, "isolation     full"));
}

TEST_CASE("an older kernel is told in one sentence, by a run and by check-host", "[cli][tools]") {
  const CliResult run = Shell("setarch x86_64 --uname-2.6 $TALLY run -- /bin/true");
  CHECK(run.status == 2);
  CHECK(run.error == "tally: failure: full isolation needs Linux 5.12 or newer (mount_setattr), and this is 2.6\n");
  const CliResult check = Shell("setarch x86_64 --uname-2.6 $TALLY check-host");
  CHECK(check.status == 2);
  CHECK(Has(check.out, "BAD  kernel             Linux 2.6: full isolation needs Linux 5.12 or newer"));
}

TEST_CASE("check-host: a sandbox description with a mistake is BAD, with its place", "[cli][tools]") {
  const ScratchFolder folder;
  folder.Write("exec-sandbox.yaml", "title: x\nmonts: []\n");
  const char* shipped = std::getenv("TALLY_SANDBOXES");
  const std::string folders = folder.path() + (shipped != nullptr ? ":" + std::string(shipped) : "");
  const CliResult result = Tally({"check-host"}, {.environment = {"TALLY_SANDBOXES=" + folders}});
  CHECK(result.status == 2);
  CHECK(Has(result.out, "BAD  exec-sandbox"));
  CHECK(Has(result.out, folder.path() + "/exec-sandbox.yaml:2:1: monts: unknown key"));
}

// The script beside a link to the executable under test, and a source.
struct SioCompile : ScratchFolder {
  SioCompile() {
    const std::string script = SourceFolder() + "/sio-compile";
    if (!fs::exists(script)) return;
    fs::copy(script, path() + "/bin-sio-compile");
    fs::create_symlink(TallyPath(), path() + "/tally");
    Write("answer.c", "#include <stdio.h>\nint main(void) { printf(\"%d\\n\", ANSWER + 0); return 0; }\n");
    present = true;
  }
  [[nodiscard]] CliResult Run(const std::string& arguments) const {
    return Shell("./bin-sio-compile " + arguments, {.directory = path()});
  }
  bool present = false;
};

TEST_CASE("sio-compile: it lies beside tally, also where that was built", "[cli][tools]") {
  const CliResult result = Shell("$(dirname $TALLY)/sio-compile --help");
  CHECK(result.status == 0);
  CHECK(result.out.starts_with("usage: sio-compile INPUT OUTPUT"));
}

TEST_CASE("sio-compile: INPUT OUTPUT [EXT [EXTRA_ARGS...]] is the compile job on plain paths",
          "[cli][tools]") {
  const SioCompile sio;
  if (!sio.present) TALLY_SKIP("the script sio-compile is not here");
  CliResult result = sio.Run("answer.c answer c -DANSWER=42");
  if (Has(result.error, "is absent")) TALLY_SKIP(result.error);
  CHECK(result.status == 0);
  CHECK(result.code() == "OK");
  CHECK(result.json()["compiler_used"] == "c17");
  CHECK(Shell("./answer", {.directory = sio.path()}).out == "42\n");
  // the description's own name, the ending alone, and an ending that the file does not have
  CHECK(sio.Run("answer.c answer default-c -DANSWER=1").code() == "OK");
  fs::copy(sio.path() + "/answer.c", sio.path() + "/source");
  CHECK(sio.Run("source answer c -DANSWER=7").code() == "OK");
  CHECK(Shell("./answer", {.directory = sio.path()}).out == "7\n");
}

TEST_CASE("sio-compile: a source with errors is CE with status 0, and keeps the old program",
          "[cli][tools]") {
  const SioCompile sio;
  if (!sio.present) TALLY_SKIP("the script sio-compile is not here");
  sio.Write("program", "old");
  const CliResult result = sio.Run("answer.c program");
  if (Has(result.error, "is absent")) TALLY_SKIP(result.error);
  CHECK(result.status == 0);
  CHECK(result.code() == "CE");
  CHECK(Has(result.json()["compiler_output"], "ANSWER"));
  CHECK(Shell("cat program", {.directory = sio.path()}).out == "old");
}

TEST_CASE("sio-compile: arguments with spaces, quotes and backslashes reach the compiler whole",
          "[cli][tools]") {
  const SioCompile sio;
  if (!sio.present) TALLY_SKIP("the script sio-compile is not here");
  sio.Write("text.c", "#include <stdio.h>\nint main(void) { puts(TEXT); return 0; }\n");
  const CliResult result = sio.Run(R"(text.c text c '-DTEXT="a b\\c"' -DOTHER)");
  if (Has(result.error, "is absent")) TALLY_SKIP(result.error);
  CHECK(result.code() == "OK");
  CHECK(Shell("./text", {.directory = sio.path()}).out == "a b\\c\n");
}

TEST_CASE("sio-compile: paths with spaces, equals signs and digits are paths", "[cli][tools]") {
  const SioCompile sio;
  if (!sio.present) TALLY_SKIP("the script sio-compile is not here");
  fs::copy(sio.path() + "/answer.c", sio.path() + "/a b=c.c");
  CHECK(sio.Run("'a b=c.c' 'out put' c -DANSWER=1").code() == "OK");
  CHECK(Shell("'./out put'", {.directory = sio.path()}).out == "1\n");
  CHECK(sio.Run("answer.c 17 c -DANSWER=1").code() == "OK");
  CHECK(fs::exists(sio.path() + "/17"));
}

TEST_CASE("sio-compile: mistakes have status 1 and a sentence", "[cli][tools]") {
  const SioCompile sio;
  if (!sio.present) TALLY_SKIP("the script sio-compile is not here");
  const CliResult usage = sio.Run("answer.c");
  CHECK(usage.status == 1);
  CHECK(usage.error == "usage: sio-compile INPUT OUTPUT [EXT [EXTRA_ARGS...]]\n");
  CHECK(sio.Run("absent.c out").status == 1);
  CHECK(Has(sio.Run("absent.c out").error, "source_file: absent.c: No such file or directory"));
  CHECK(Has(sio.Run("answer.c out cobol").error, "\"default-cobol\": unknown"));
}

TEST_CASE("sio-compile: is found through a link, and finds the executable beside itself", "[cli][tools]") {
  const SioCompile sio;
  if (!sio.present) TALLY_SKIP("the script sio-compile is not here");
  const ScratchFolder elsewhere;
  fs::create_symlink(sio.path() + "/bin-sio-compile", elsewhere.path() + "/sio-compile");
  elsewhere.Write("a.py", "print(1)\n");
  const CliResult result = Shell("./sio-compile a.py out", {.directory = elsewhere.path()});
  CHECK((result.code() == "OK" || Has(result.error, "is absent")));
}

}  // namespace
}  // namespace tally

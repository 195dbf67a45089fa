// "Bad input" of the contract, item by item, through the command line: one sentence that names the key and
// the path, status 1, and nothing half-written.
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>

#include "tests/support/catch.h"
#include "tests/support/cli_run.h"
#include "tests/support/run_program.h"
#include "tests/support/scratch_folder.h"
#include "tests/support/skip.h"

namespace tally {
namespace {

namespace fs = std::filesystem;

std::string Exe(const std::string& program) { return "exe_file=" + TestProgram(program); }

// A mistake of the user's: `sentence` is all of it, or its beginning when it ends in "...".
void CheckMistake(const Words& words, std::string sentence, const CliOptions& options = {}) {
  CAPTURE(words);
  const CliResult result = Tally(words, options);
  CHECK(result.status == 1);
  CHECK(IsOneSentence(result.error));
  CHECK(result.code() == "SE");
  const std::string said = "tally: " + result.json().value("result_string", "") + "\n";
  CHECK(said == result.error);
  sentence = "tally: " + sentence;
  if (sentence.ends_with("...")) {
    sentence.resize(sentence.size() - 3);
    CHECK(result.error.substr(0, sentence.size()) == sentence);
  } else {
    CHECK(result.error == sentence + "\n");
  }
}

Words FilesIn(const ScratchFolder& folder) {
  Words names;
  for (const auto& entry : fs::directory_iterator(folder.path())) names.push_back(entry.path().filename());
  return names;
}

TEST_CASE("bad input: a missing file, for each key that names one", "[cli][bad]") {
  CheckMistake({"exec", "exe_file=/no/file"}, "exe_file: /no/file: No such file or directory");
  CheckMistake({"exec", Exe("hello"), "in_file=/no/file"}, "in_file: /no/file: No such file or directory");
  CheckMistake({"exec", Exe("hello"), "check_output=1", "hint_file=/no/file"},
               "hint_file: /no/file: No such file or directory");
  CheckMistake({"compile", "source_file=/no/a.c", "out_file=x"},
               "source_file: /no/a.c: No such file or directory");
}

TEST_CASE("bad input: a file without permission", "[cli][bad]") {
  if (::geteuid() == 0) TALLY_SKIP("root may read every file");
  const ScratchFolder folder;
  const std::string file = folder.Write("secret", "");
  fs::permissions(file, fs::perms::none);
  CheckMistake({"exec", Exe("hello"), "in_file=" + file}, "in_file: " + file + ": Permission denied");
  CheckMistake({"exec", "exe_file=" + file}, "exe_file: " + file + ": Permission denied");
  CheckMistake({"exec", Exe("hello"), "out_file=/usr/tally-test"},
               "out_file: cannot write /usr/tally-test: Permission denied");
}

TEST_CASE("bad input: a directory where a file should be", "[cli][bad]") {
  CheckMistake({"exec", "exe_file=/usr"}, "exe_file: /usr is a directory, not a file");
  CheckMistake({"exec", Exe("hello"), "in_file=/usr"}, "in_file: /usr is a directory, not a file");
  CheckMistake({"compile", "source_file=/usr", "out_file=x"}, "source_file: /usr is a directory, not a file");
}

TEST_CASE("bad input: no ELF, a corrupt one, a script without its interpreter", "[cli][bad]") {
  const ScratchFolder folder;
  const auto check = [&](const std::string& text, const std::string& why) {
    const std::string file = folder.Write("program", text);
    CheckMistake({"exec", "exe_file=" + file}, "exe_file: " + file + " cannot be executed: " + why);
  };
  check("just text", "it is neither an ELF program nor a script that starts with #!");
  check("", "the file is empty");
  check(
      "\x7f"
      "ELF",
      "the ELF file is cut off in its header");
  check(
      "\x7f"
      "ELF" +
          std::string(100, '\1'),
      "it is an ELF file for another kind of processor");
  check("#!/usr/bin/no-such-interpreter\n", "its interpreter /usr/bin/no-such-interpreter is missing");
}

TEST_CASE("bad input: values of a wrong type, negative and absurd limits", "[cli][bad]") {
  const auto check = [](const char* word, const std::string& sentence) {
    CheckMistake({"exec", Exe("hello"), word}, sentence);
  };
  check("exec_time_limit=soon", "exec_time_limit: \"soon\" is not a whole number of ms, 0 or more");
  check("exec_time_limit=-5", "exec_time_limit: -5 is not a whole number of ms, 0 or more");
  check("exec_time_limit=99999999999999",
        "exec_time_limit: 99999999999999 ms is more than Tally accepts (at most 31536000000)");
  check("exec_time_limit=1e400", "exec_time_limit: ...");
  check("exec_mem_limit=[1]", "exec_mem_limit: [1] is not a whole number of kB, 0 or more");
  check("exec_mem_limit=0", "exec_mem_limit: 0 kB leaves no memory to run; leave the key out for 66000 kB");
  check("exec_output_limit=9999999999999999999", "exec_output_limit: ...");
  check("in_file=5", "in_file: 5 is not a text");
  check("check_output=perhaps", "check_output: \"perhaps\" is not true or false");
  check("exec_info=java", "exec_info: \"java\" is not an object of texts");
  check("exec_processes=1000000",
        "exec_processes: 1000000 processes is more than Tally accepts (at most 100000)");
  check("sandbox=nowhere", "sandbox \"nowhere\": no nowhere.yaml...");
}

TEST_CASE("bad input: a typed key that the job does not read", "[cli][bad]") {
  const std::string own = "; keys of your own can stand in an environ's file";
  CheckMistake({"exec", Exe("hello"), "exec_tme_limit=5"},
               "exec_tme_limit: exec has no such key (did you mean \"exec_time_limit\"?)" + own);
  CheckMistake({"unsafe-exec", Exe("hello"), "timeout=5"}, "timeout: unsafe-exec has no such key" + own);
  CheckMistake({"compile", "source_file=a.c", "out_file=a", "exec_time_limit=5"},
               "exec_time_limit: compile has no such key" + own);
  CheckMistake({"exec", "-", "group=3"}, "group: exec has no such key" + own, {.input = "{}"});
}

TEST_CASE("bad input: an environ's key that is almost one of ours is kept, with a warning", "[cli][bad]") {
  const Json environ = {{"exe_file", TestProgram("hello")},
                        {"use_filetracker", false},
                        {"exec_tme_limit", 5},
                        {"hint_f\x1b[7mile", "x"},
                        {"group", 3},
                        {"source_file", "of another job"},
                        {"syscall_counter", "of a result"}};
  const CliResult result = Tally({"exec", "-"}, {.input = environ.dump()});
  CHECK(result.status == 0);
  CHECK(result.code() == "OK");
  CHECK(result.json()["exec_tme_limit"] == 5);
  CHECK(result.json()["group"] == 3);
  CHECK(result.error ==
        "tally: warning: stdin: \"exec_tme_limit\" is kept, but exec has no such key (did you mean "
        "\"exec_time_limit\"?)\n"
        "tally: warning: stdin: \"hint_f\\u001b[7mile\" is kept, but exec has no such key (did you mean "
        "\"hint_file\"?)\n");
}

TEST_CASE("bad input: an unknown compiler, and check_output without a hint", "[cli][bad]") {
  const ScratchFolder folder;
  const std::string source = folder.Write("a.c", "int main(void) { return 0; }");
  CheckMistake({"compile", "source_file=" + source, "out_file=" + folder.path() + "/a", "compiler=cobol"},
               "compiler \"cobol\": unknown; known: ...");
  CheckMistake({"exec", Exe("hello"), "check_output=true"},
               "hint_file: this key is missing; check_output needs it");
  CHECK(FilesIn(folder) == Words{"a.c"});
}

TEST_CASE("bad input: an output path in a missing folder", "[cli][bad]") {
  const ScratchFolder folder;
  CheckMistake({"exec", Exe("hello"), "out_file=no/out"},
               "out_file: cannot write no/out: folder no does not exist", {.directory = folder.path()});
  CheckMistake({"exec", Exe("hello"), "out_file=."}, "out_file: cannot write .: Is a directory",
               {.directory = folder.path()});
  CHECK(FilesIn(folder).empty());
}

TEST_CASE("bad input: an output path in a folder that its owner has closed to himself", "[cli][bad]") {
  if (::geteuid() == 0) TALLY_SKIP("root may write to every folder");
  const ScratchFolder folder;
  folder.Write("closed/out", "old");
  ::chmod((folder.path() + "/closed").c_str(), 0500);
  CheckMistake({"exec", Exe("hello"), "out_file=closed/new"},
               "out_file: cannot write closed/new: Permission denied", {.directory = folder.path()});
  ::chmod((folder.path() + "/closed").c_str(), 0700);
}

// Runs a line beside a file system of 64 KiB at ./small, where this machine lets us mount one: as root, or as
// root of a user namespace in which the line is then run as somebody else.
CliResult OnSmallDisk(const ScratchFolder& folder, const std::string& line) {
  fs::create_directory(folder.path() + "/small");
  folder.Write("line.sh", line);
  const bool root = ::geteuid() == 0;
  folder.Write("mount.sh", std::string("mount -t tmpfs -o size=64k,mode=777 small small && exec ") +
                               (root ? "" : "unshare --user --map-user=1000 --map-group=1000 ") +
                               "sh line.sh");
  return Shell(std::string("unshare --mount ") + (root ? "" : "--map-root-user ") + "sh mount.sh",
               {.directory = folder.path()});
}

bool SmallDiskWorks() {
  const ScratchFolder folder;
  return OnSmallDisk(folder, "true").status == 0;
}

TEST_CASE("bad input: a disk that is full while the output is written", "[cli][bad]") {
  if (!SmallDiskWorks()) TALLY_SKIP("a small file system cannot be mounted here");
  const ScratchFolder folder;
  const CliResult result =
      OnSmallDisk(folder,
                  "echo old > small/out; $TALLY exec exe_file=$PROGRAMS/stdout_flood exec_out_limit=200000 "
                  "out_file=small/out; echo status $? >&2; cat small/out >&2; ls -A small >&2");
  CHECK(result.code() == "SE");
  CHECK(result.json()["result_string"] == "out_file: cannot write small/out: No space left on device");
  CHECK(result.error ==
        "tally: out_file: cannot write small/out: No space left on device\nstatus 1\nold\nout\n");
}

TEST_CASE("bad input: a full temporary folder is our failure and not the program's", "[cli][bad]") {
  if (!SmallDiskWorks()) TALLY_SKIP("a small file system cannot be mounted here");
  const ScratchFolder folder;
  const CliResult result = OnSmallDisk(
      folder, "TMPDIR=$PWD/small $TALLY exec exe_file=$PROGRAMS/stdout_flood exec_out_limit=200000");
  CHECK(result.code() == "SE");
  CHECK(result.status == 2);
  CHECK(Has(result.error, "No space left on device"));
}

TEST_CASE(
    "bad input: a compiler that finds the temporary folder full is our failure and no compilation error",
    "[cli][bad]") {
  if (!SmallDiskWorks()) TALLY_SKIP("a small file system cannot be mounted here");
  const std::string too_large = "int main(void) { return 0; }\n" + std::string(100'000, '\n');
  // This one fits, its program does not, and what the linker could not write whole it removes again.
  const std::string small = "char zeros[200000] = {1};\nint main(void) { return 0; }\n";
  for (const std::string& source : {too_large, small}) {
    const ScratchFolder folder;
    folder.Write("program.c", source);
    const CliResult compiled =
        OnSmallDisk(folder, "TMPDIR=$PWD/small $TALLY compile source_file=program.c out_file=program");
    CHECK(compiled.status == 2);
    CHECK(compiled.code() == "SE");
    CHECK(Has(compiled.error, "No space left on device"));
  }
}

TEST_CASE("bad input: a result that cannot be written to stdout is told, with a status", "[cli][bad]") {
  const ScratchFolder folder;
  folder.Write("1.in", "");
  folder.Write("1.out", "hello END");
  for (const char* line :
       {"$TALLY exec exe_file=$PROGRAMS/hello", "$TALLY exec exe_file=/no/program",
        "$TALLY run --json -- $PROGRAMS/hello", "$TALLY judge --report '' . $PROGRAMS/hello",
        "$TALLY check-host", "$TALLY --help"}) {
    CAPTURE(line);
    const CliResult result = Shell(std::string(line) + " > /dev/full", {.directory = folder.path()});
    CHECK(result.status != 0);
    CHECK(Has(result.error, "No space left on device"));
  }
}

TEST_CASE("bad input: a name in a message does nothing to a terminal", "[cli]") {
  CHECK(Tally({"exec", "absent\x1b[2J\xc2\x9b.json"}).error == "tally: absent?[2J\\xc2\\x9b.json: No such file or directory\n");
}

}  // namespace
}  // namespace tally

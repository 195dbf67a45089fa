// The files of an exec job: stdin, the kept output, the hint, extra files, what is handed in without being
// run, and every way in which one of them is missing or no file.
#include <fcntl.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <filesystem>
#include <fstream>

#include "base/error.h"
#include "base/fd.h"
#include "base/sys.h"
#include "jobs/files.h"
#include "jobs/job.h"
#include "tests/support/catch.h"
#include "tests/support/job_run.h"
#include "tests/support/run_program.h"
#include "tests/support/scoped_variable.h"
#include "tests/support/scratch_folder.h"
#include "tests/support/skip.h"

namespace tally {
namespace {

namespace fs = std::filesystem;

std::size_t CountFiles(const ScratchFolder& folder) {
  return static_cast<std::size_t>(
      std::distance(fs::directory_iterator(folder.path()), fs::directory_iterator()));
}

// A shell script as the program: it runs inside /box and may use what the shell has built in.
std::string Script(const ScratchFolder& folder, const std::string& text) {
  const std::string path = folder.Write("script.sh", "#!/bin/sh\n" + text);
  fs::permissions(path, fs::perms::owner_all);
  return path;
}

TEST_CASE("temporary folders: what a killed process left the next one removes, and not those of one that lives", "[job]") {
  const ScratchFolder scratch;
  const ScopedVariable place("TMPDIR", scratch.path());
  const auto folders = [&] {
    return std::distance(std::filesystem::directory_iterator(scratch.path()), std::filesystem::directory_iterator());
  };
  const auto in_a_process = [](bool is_killed, int ready) {
    const pid_t process = ::fork();
    if (process == 0) {
      const TemporaryDirectory folder;
      sys::TryWriteFile(folder.File("something"), "left");
      if (is_killed) ::kill(::getpid(), SIGKILL);
      [[maybe_unused]] const ssize_t told = ::write(ready, "r", 1);
      ::pause();
    }
    return process;
  };
  sys::Pipe pipe = sys::MakePipe();
  const pid_t lives = in_a_process(false, pipe.write_end.get());
  char unused;
  REQUIRE(::read(pipe.read_end.get(), &unused, 1) == 1);
  ::waitpid(in_a_process(true, -1), nullptr, 0);
  CHECK(folders() == 2);
  const pid_t next = in_a_process(false, pipe.write_end.get());
  REQUIRE(::read(pipe.read_end.get(), &unused, 1) == 1);
  CHECK(folders() == 2);  // of the two that live
  for (const pid_t process : {lives, next}) {
    ::kill(process, SIGKILL);
    ::waitpid(process, nullptr, 0);
  }
}

TEST_CASE("exec files: without in_file stdin is empty, with it the program reads the file", "[exec][files]") {
  const ScratchFolder folder;
  const std::string out = folder.path() + "/out";
  Exec("echo_stdin", {{"out_file", out}});
  CHECK(ReadText(out) == "END\n");
  Exec("echo_stdin", {{"out_file", out}, {"in_file", folder.Write("in", "a b\n")}});
  CHECK(ReadText(out) == "a b\nEND\n");
}

TEST_CASE("exec files: the output is kept in out_file, also when the program fails later", "[exec][files]") {
  const ScratchFolder folder;
  const std::string out = folder.path() + "/out";
  const Json result = Exec("exit_code", {{"out_file", out}});
  CHECK(CodeOf(result) == "RE");
  CHECK(result["out_file"] == out);
  CHECK(ReadText(out) == "END\n");
  CHECK(CodeOf(Exec("stdout_flood", {{"out_file", out}, {"exec_out_limit", 1000}})) == "OLE");
  CHECK(fs::file_size(out) <= 1001);
}

TEST_CASE("exec files: out_file appears by rename, so a reader sees the old file or the new one",
          "[exec][files]") {
  const ScratchFolder folder;
  const std::string out = folder.Write("out", "old");
  const Fd reader = sys::Open(out, O_RDONLY);
  Exec("hello", {{"out_file", out}, {"upload_out", true}});
  CHECK(sys::ReadAll(reader.get(), out) == "old");
  CHECK(ReadText(out) == "hello\nEND\n");
  CHECK(CountFiles(folder) == 1);
}

TEST_CASE("exec files: an out_file that is no regular file is refused, never replaced", "[exec][files]") {
  // What is done to a pipe here would be done to /dev/null by root.
  const ScratchFolder folder;
  const std::string pipe = folder.path() + "/pipe";
  REQUIRE(::mkfifo(pipe.c_str(), 0600) == 0);
  const std::string mistake = MistakeOf("exec", WithProgram("hello", {{"out_file", pipe}}));
  CHECK(fs::is_fifo(pipe));
  CHECK(mistake.starts_with("out_file: "));
  CHECK(Mentions(mistake, pipe));
}

TEST_CASE("exec files: an output that cannot be written is a mistake, and nothing is left half-written",
          "[exec][files]") {
  const ScratchFolder folder;
  const auto mistake = [](const std::string& out) {
    return MistakeOf("exec", WithProgram("hello", {{"out_file", out}}));
  };
  const std::string missing = folder.path() + "/no/out";
  CHECK(mistake(missing) ==
        "out_file: cannot write " + missing + ": folder " + folder.path() + "/no does not exist");
  CHECK(mistake(folder.path()) == "out_file: cannot write " + folder.path() + ": Is a directory");
  CHECK(CountFiles(folder) == 0);
}

TEST_CASE("exec files: a mistake leaves the environ without a verdict", "[exec][files]") {
  Environ environ = Environ::Parse(
      WithProgram("hello",
                  {{"job_type", "exec"}, {"use_filetracker", false}, {"out_file", "/no/such/folder/out"}})
          .dump(),
      "t");
  CHECK_THROWS_AS(RunJob(&environ), UserError);
  CHECK_FALSE(environ.Has("result_code"));
}

TEST_CASE("exec files: check_output needs a hint_file, and it must be there before anything runs",
          "[exec][files]") {
  const ScratchFolder folder;
  // would need 2 s to end
  const auto mistake = [&](Json keys) {
    keys["check_output"] = true;
    return MistakeOf("exec", WithProgram("sleep_forever", std::move(keys)));
  };
  const auto start = std::chrono::steady_clock::now();
  CHECK(mistake({}) == "hint_file: this key is missing; check_output needs it");
  CHECK(mistake({{"hint_file", "/no/such/hint"}}) == "hint_file: /no/such/hint: No such file or directory");
  CHECK(mistake({{"hint_file", folder.path()}}) ==
        "hint_file: " + folder.path() + " is a directory, not a file");
  CHECK(mistake({{"hint_file", "/dev/null"}}) == "hint_file: /dev/null is not a regular file");
  CHECK(mistake({{"hint_file", folder.Write("h", "")}, {"chk_file", "/no/checker"}}) ==
        "chk_file: /no/checker: No such file or directory");
  CHECK(mistake({{"hint_file", folder.Write("h", "")}, {"checker_protocol", "telepathy"}}) ==
        "checker_protocol: \"telepathy\" is unknown; expected one of: sio, testlib, kattis, cms, peg");
  CHECK(mistake({{"hint_file", folder.Write("h", "")}, {"checker_format", "latin"}})
            .starts_with("checker_format: \"latin\" is unknown; expected one of: english_terse, "));
  CHECK(std::chrono::steady_clock::now() - start < std::chrono::seconds(2));
}

TEST_CASE("exec files: a program or an input that is missing, or no file, is one sentence with key and path",
          "[exec][files]") {
  const ScratchFolder folder;
  CHECK(MistakeOf("exec", {}) == "exe_file: this key is missing");
  CHECK(MistakeOf("exec", {{"exe_file", ""}}) == "exe_file: the text is empty");
  CHECK(MistakeOf("exec", {{"exe_file", 5}}) == "exe_file: 5 is not a text");
  CHECK(MistakeOf("exec", {{"exe_file", "/no/program"}}) ==
        "exe_file: /no/program: No such file or directory");
  CHECK(MistakeOf("exec", {{"exe_file", folder.path()}}) ==
        "exe_file: " + folder.path() + " is a directory, not a file");
  CHECK(MistakeOf("exec", WithProgram("hello", {{"in_file", "/no/input"}})) ==
        "in_file: /no/input: No such file or directory");
}

TEST_CASE("exec files: a file without permission to read it is a mistake", "[exec][files]") {
  if (::geteuid() == 0) TALLY_SKIP("root may read every file");
  const ScratchFolder folder;
  const std::string secret = folder.Write("secret", "x");
  fs::permissions(secret, fs::perms::none);
  CHECK(MistakeOf("exec", WithProgram("hello", {{"in_file", secret}})) ==
        "in_file: " + secret + ": Permission denied");
}

TEST_CASE("exec files: what is no sound program is told apart: text, damaged, foreign, without interpreter",
          "[exec][files]") {
  const ScratchFolder folder;
  const auto mistake = [&](const std::string& name, const std::string& content) {
    const std::string path = folder.Write(name, content);
    const std::string sentence = MistakeOf("exec", {{"exe_file", path}});
    const std::string begin = "exe_file: " + path + " cannot be executed: ";
    CHECK(sentence.starts_with(begin));
    return sentence.substr(std::min(begin.size(), sentence.size()));
  };
  const std::string elf = ReadText(TestProgram("hello"));
  CHECK(mistake("empty", "") == "the file is empty");
  CHECK(mistake("text", "hello\n") == "it is neither an ELF program nor a script that starts with #!");
  CHECK(mistake("script", "#!/no/such/interpreter -x\n") ==
        "its interpreter /no/such/interpreter is missing");
  CHECK(mistake("bare", "#!\necho\n") == "its first line is #! without an interpreter");
  CHECK(mistake("short", elf.substr(0, 40)) == "the ELF file is cut off in its header");
  CHECK(mistake("half", elf.substr(0, elf.size() / 2)).starts_with("the ELF file is damaged or cut off"));
  std::string foreign = elf;
  foreign[18] = static_cast<char>(183);  // AArch64
  CHECK(mistake("foreign", foreign) == "it is an ELF file for another kind of processor");
  std::string object = elf;
  object[16] = 1;  // ET_REL
  CHECK(mistake("object", object) == "it is an ELF file but no program (an object file or a core dump)");
}

// The program with eight of its bytes replaced by a number.
std::string Patched(std::string elf, std::size_t at, std::uint64_t number) {
  return elf.replace(at, sizeof number, reinterpret_cast<const char*>(&number), sizeof number);
}

TEST_CASE("exec files: ELF offsets near the end of all numbers are damaged, not read", "[exec][files]") {
  const ScratchFolder folder;
  constexpr std::size_t kProgramHeaders = 32, kFirstSegmentOffset = 64 + 8;
  const std::string elf = ReadText(TestProgram("known_loop"));
  for (const std::uint64_t offset : {~0ULL, ~0ULL - 55, ~0ULL - 4095}) {
    CAPTURE(offset);
    for (const std::size_t field : {kProgramHeaders, kFirstSegmentOffset}) {
      const std::string path = folder.Write("program", Patched(elf, field, offset));
      const std::string begin = "exe_file: " + path + " cannot be executed: the ELF file is damaged or cut off";
      CHECK(MistakeOf("exec", {{"exe_file", path}}).starts_with(begin));
    }
  }
}

TEST_CASE(
    "exec files: an ELF whose segment lies where no program can be is damaged, not over its memory limit",
    "[exec][files]") {
  const ScratchFolder folder;
  constexpr std::size_t kFirstSegmentAddress = 64 + 16;
  const std::string path = folder.Write(
      "program", Patched(ReadText(TestProgram("known_loop")), kFirstSegmentAddress, 0x1111'1111'1111'1000));
  const std::string mistake = MistakeOf("exec", {{"exe_file", path}});
  CHECK(mistake.starts_with("exe_file: " + path + " cannot be executed: "));
}

TEST_CASE("exec files: an ELF that starts where it has no code is a runtime error", "[exec][files]") {
  const ScratchFolder folder;
  constexpr std::size_t kEntry = 24;
  const std::string path =
      folder.Write("program", Patched(ReadText(TestProgram("known_loop")), kEntry, 0x1111'1111));
  const Json result = RunJobWith("exec", {{"exe_file", path}});
  CHECK(CodeOf(result) == "RE");
  CHECK(Mentions(SentenceOf(result), "signal 11"));
}

TEST_CASE("exec files: a program whose dynamic linker is missing is a mistake that names key and path",
          "[exec][files]") {
  if (TestProgram("hello_dynamic").empty()) TALLY_SKIP("hello_dynamic was not built here");
  const ScratchFolder folder;
  std::string elf = ReadText(TestProgram("hello_dynamic"));
  const std::size_t linker = elf.find("ld-linux");
  REQUIRE(linker != std::string::npos);
  const std::string path = folder.Write("program", elf.replace(linker, 8, "ld-nowhe"));
  CHECK(MistakeOf("exec", {{"exe_file", path}}) ==
        "exe_file: " + path +
            " cannot be executed: its dynamic linker /lib64/ld-nowhe-x86-64.so.2 is missing where it runs");
}

TEST_CASE("exec files: a script runs with the interpreter of the sandbox", "[exec][files]") {
  const ScratchFolder folder;
  const std::string out = folder.path() + "/out";
  const Json result = RunJobWith("exec", {{"exe_file", Script(folder, "echo from $0\n")}, {"out_file", out}});
  CHECK(CodeOf(result) == "OK");
  CHECK(ReadText(out) == "from /box/program\n");
}

TEST_CASE("exec files: extra files lie beside the program under the names that the job gives them",
          "[exec][files]") {
  const ScratchFolder folder;
  const std::string out = folder.path() + "/out";
  const std::string data = folder.Write("some data", "forty-two\n");
  const std::string program =
      Script(folder, "read line < data.txt; echo $line; echo x > data.txt || echo read-only\n");
  const Json result = RunJobWith(
      "exec", {{"exe_file", program}, {"out_file", out}, {"extra_execution_files", {{"data.txt", data}}}});
  CHECK(CodeOf(result) == "OK");
  CHECK(ReadText(out) == "forty-two\nread-only\n");
  CHECK(ReadText(data) == "forty-two\n");
}

TEST_CASE("exec files: an extra file with a name that is none, or without a file, is a mistake",
          "[exec][files]") {
  const ScratchFolder folder;
  const std::string data = folder.Write("data", "x");
  for (const char* name : {"../x", ".hidden", "a/b", "", "program"}) {
    CAPTURE(name);
    CHECK(MistakeOf("exec", WithProgram("hello", {{"extra_execution_files", {{name, data}}}}))
              .starts_with("extra_execution_files"));
  }
  CHECK(MistakeOf("exec", WithProgram("hello", {{"extra_execution_files", {{"x", "/no/file"}}}})) ==
        "extra_execution_files.x: /no/file: No such file or directory");
}

TEST_CASE("exec files: an answer that is handed in is checked and kept without being run", "[exec][files]") {
  const ScratchFolder folder;
  const std::string answer = folder.Write("answer.txt", "6\n"), out = folder.path() + "/out";
  Json keys = {{"exe_file", answer},
               {"exec_info", {{"mode", "output-only"}}},
               {"check_output", true},
               {"hint_file", folder.Write("hint", "6")},
               {"out_file", out}};
  Json result = RunJobWith("exec", keys);
  CHECK(CodeOf(result) == "OK");
  CHECK(result["result_percentage"] == 100);
  CHECK_FALSE(result.contains("time_used"));
  CHECK(ReadText(out) == "6\n");
  keys["engine"] = "native";  // of an earlier job
  CHECK_FALSE(RunJobWith("exec", keys).contains("engine"));
  folder.Write("hint", "7");
  CHECK(CodeOf(RunJobWith("exec", keys)) == "WA");
}

TEST_CASE("exec files: an unknown mode of exec_info is a mistake that names it", "[exec][files]") {
  const auto mistake = [](Json info) {
    return MistakeOf("exec", WithProgram("hello", {{"exec_info", std::move(info)}}));
  };
  CHECK(mistake({{"mode", "klingon"}}).starts_with("exec_info.mode: "));
  CHECK(mistake({{"mode", 5}}) == "exec_info.mode: 5 is not a text");
  for (const char* name : {"a/b", "..", ""}) {
    CAPTURE(name);
    CHECK(mistake({{"mode", "python3"}, {"preferred_filename", name}})
              .starts_with(*name == '\0' ? "no mistake"
                                         : "exec_info.preferred_filename: expected a plain file name"));
  }
}

TEST_CASE("temporary folder: it goes away with all that is in it, even folders that a program has closed",
          "[files]") {
  std::string path;
  {
    const TemporaryDirectory directory;
    path = directory.path();
    fs::create_directories(path + "/open/closed/deep");
    std::ofstream(path + "/open/closed/deep/file") << "x";
    fs::create_symlink("/", path + "/open/link");
    for (const char* folder : {"/open/closed/deep", "/open/closed", "/open"}) {
      fs::permissions(path + folder, fs::perms::none);
    }
  }
  CHECK_FALSE(fs::exists(path));
}

}  // namespace
}  // namespace tally

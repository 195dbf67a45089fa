// Filetracker paths on the embedded store: their names, their versions, and jobs that use them. The store of
// each test is a folder of its own.
#include "jobs/filetracker.h"

#include <unistd.h>

#include <filesystem>

#include "tests/support/catch.h"
#include "tests/support/job_run.h"
#include "tests/support/run_program.h"
#include "tests/support/scoped_variable.h"
#include "tests/support/scratch_folder.h"
#include "tests/support/skip.h"

namespace tally {
namespace {

namespace fs = std::filesystem;

// A store in a folder of its own, which jobs of this test use.
struct TestStore {
  ScratchFolder folder;
  ScopedVariable directory{"FILETRACKER_DIR", folder.path() + "/store"};
  LocalStore store;

  // Keeps a file under a name; returns the name with its version.
  std::string Put(const std::string& name, const std::string& local_path) const {
    return store.Put(FiletrackerName::Parse(name), local_path).Versioned();
  }
  std::string PutText(const std::string& name, const std::string& text) const {
    return Put(name, folder.Write("to-put", text));
  }
  [[nodiscard]] std::string TextOf(const std::string& name) const {
    return ReadText(store.Find(FiletrackerName::Parse(name)));
  }
};

TEST_CASE("filetracker: a name starts with /, has no .., and may end in a version", "[filetracker]") {
  const FiletrackerName plain = FiletrackerName::Parse("/problems/1/in");
  CHECK(plain.path == "/problems/1/in");
  CHECK_FALSE(plain.version.has_value());
  CHECK(plain.Versioned() == "/problems/1/in");
  const FiletrackerName versioned = FiletrackerName::Parse("/a..b/c@1234");
  CHECK(versioned.path == "/a..b/c");
  CHECK(versioned.version == 1234);
  CHECK(versioned.Versioned() == "/a..b/c@1234");
}

TEST_CASE("filetracker: a name that breaks a rule is a mistake that says which rule", "[filetracker]") {
  const auto mistake = [](const std::string& name) {
    return MistakeIn([&] { return FiletrackerName::Parse(name).Versioned(); });
  };
  CHECK(mistake("a") == "\"a\" is not a filetracker path: it must start with /");
  CHECK(mistake("") == "\"\" is not a filetracker path: it must start with /");
  CHECK(mistake("@5") == "\"@5\" is not a filetracker path: it must start with /");
  CHECK(mistake("/../etc/passwd") == "\"/../etc/passwd\" is not a filetracker path: it has ..");
  CHECK(mistake("/a/..") == "\"/a/..\" is not a filetracker path: it has ..");
  CHECK(mistake("/a/") == "\"/a/\" is not a filetracker path: it ends in /");
  CHECK(mistake("/") == "\"/\" is not a filetracker path: it ends in /");
  CHECK(mistake("/a@") == "\"/a@\" is not a filetracker path: the version after @ must be a number");
  CHECK(mistake("/a@x") == "\"/a@x\" is not a filetracker path: the version after @ must be a number");
  CHECK(mistake("/a@5@6") == "\"/a@5@6\" is not a filetracker path: the version after @ must be a number");
  CHECK(mistake("/a@99999999999999999999") ==
        "\"/a@99999999999999999999\" is not a filetracker path: the version after @ must be a number");
}

TEST_CASE("filetracker: the store is FILETRACKER_DIR, else a folder in the home", "[filetracker]") {
  const TestStore in_variable;
  CHECK(in_variable.store.directory() == in_variable.folder.path() + "/store");
  ::unsetenv("FILETRACKER_DIR");
  const ScopedVariable home("HOME", "/home/somebody");
  CHECK(LocalStore().directory() == "/home/somebody/.filetracker-store");
}

TEST_CASE("filetracker: what was put is found, under its version and without one", "[filetracker]") {
  const TestStore t;
  const std::string name = t.PutText("/p/1/in", "one");
  CHECK(name.starts_with("/p/1/in@1"));
  CHECK(t.TextOf(name) == "one");
  CHECK(t.TextOf("/p/1/in") == "one");
  // plain and uncompressed, where filetracker's own cache would have it
  CHECK(ReadText(t.store.directory() + "/files/p/1/in") == "one");
  t.PutText("/p/1/in", "two");
  CHECK(t.TextOf("/p/1/in") == "two");
  CHECK(std::distance(fs::directory_iterator(t.store.directory() + "/files/p/1"), fs::directory_iterator()) ==
        1);
}

TEST_CASE("filetracker: another version, or a file that was never put, is a mistake that names the store",
          "[filetracker]") {
  const TestStore t;
  t.PutText("/in", "x");
  const auto mistake = [](const char* name) {
    return MistakeOf("exec", WithProgram("hello", {{"use_filetracker", "auto"}, {"in_file", name}}));
  };
  // an absolute plain path is no plain path in "auto", so the program is a tracked one here
  t.Put("/hello", TestProgram("hello"));
  const auto tracked = [](const char* name) {
    return MistakeOf("exec", {{"use_filetracker", true}, {"exe_file", "/hello"}, {"in_file", name}});
  };
  CHECK(Mentions(mistake("/in"),
                 "exe_file: filetracker file " + TestProgram("hello") + " is not in the store"));
  CHECK(tracked("/nothing") == "in_file: filetracker file /nothing is not in the store " +
                                   t.store.directory() + " (No such file or directory)");
  const std::string other = tracked("/in@12345");
  CHECK(other.starts_with("in_file: filetracker file /in is wanted in version 12345, but the store " +
                          t.store.directory() + " has version "));
  CHECK(tracked("in") == "in_file: \"in\" is not a filetracker path: it must start with /");
  CHECK(tracked("/../in") == "in_file: \"/../in\" is not a filetracker path: it has ..");
}

TEST_CASE("filetracker: a job reads its files from the store and keeps its output there", "[filetracker]") {
  const TestStore t;
  const Json keys = {{"use_filetracker", true},
                     {"exe_file", t.Put("/bin/sum", TestProgram("sum_numbers"))},
                     {"in_file", t.PutText("/p/1.in", "1 2 3")},
                     {"hint_file", t.PutText("/p/1.out", "6\nEND")},
                     {"out_file", "/results/1.got"},
                     {"upload_out", true},
                     {"check_output", true}};
  const Json result = RunJobWith("exec", keys);
  CHECK(CodeOf(result) == "OK");
  CHECK(result["result_percentage"] == 100);
  const std::string out = result["out_file"];
  CHECK(out.starts_with("/results/1.got@1"));
  CHECK(t.TextOf(out) == "6\nEND\n");
  // the versioned name of one job is a file of the next
  const Json again = RunJobWith("exec", {{"use_filetracker", true},
                                         {"exe_file", "/bin/sum"},
                                         {"in_file", "/p/1.in"},
                                         {"hint_file", out},
                                         {"check_output", true}});
  CHECK(CodeOf(again) == "OK");
}

TEST_CASE("filetracker: true is the default, and each spelling of use_filetracker means what it says",
          "[filetracker]") {
  const TestStore t;
  t.Put("/hello", TestProgram("hello"));
  const auto mode = [](Json value, const std::string& exe) {
    const Json keys = {{"use_filetracker", std::move(value)}, {"exe_file", exe}};
    return MistakeOf("exec", keys).substr(0, 14);
  };
  for (const Json& value : {Json(true), Json(nullptr), Json("True"), Json(1), Json("auto")}) {
    CAPTURE(value.dump());
    CHECK(mode(value, "/hello") == "no mistake: OK");
  }
  for (const Json& value : {Json(false), Json("false"), Json(0)}) {
    CAPTURE(value.dump());
    CHECK(mode(value, TestProgram("hello")) == "no mistake: OK");
  }
  CHECK(MistakeOf("exec", {{"use_filetracker", "maybe"}, {"exe_file", "/hello"}}) ==
        "use_filetracker: \"maybe\" is not true or false");
}

TEST_CASE("filetracker: in auto, names without a / in front are plain paths", "[filetracker]") {
  const TestStore t;
  t.Put("/hello", TestProgram("hello"));
  const fs::path before = fs::current_path();
  fs::current_path(t.folder.path());
  const Json result =
      RunJobWith("exec", {{"use_filetracker", "auto"}, {"exe_file", "/hello"}, {"out_file", "plain"}});
  fs::current_path(before);
  CHECK(result["out_file"] == "plain");
  CHECK(ReadText(t.folder.path() + "/plain") == "hello\nEND\n");
}

TEST_CASE("filetracker: an output's name is checked too, and the mistake names the key", "[filetracker]") {
  const TestStore t;
  t.Put("/hello", TestProgram("hello"));
  const auto mistake = [](const char* out) {
    return MistakeOf("exec", {{"use_filetracker", true}, {"exe_file", "/hello"}, {"out_file", out}});
  };
  CHECK(mistake("out") == "out_file: \"out\" is not a filetracker path: it must start with /");
  CHECK(mistake("/a/../../out") == "out_file: \"/a/../../out\" is not a filetracker path: it has ..");
  CHECK(mistake("/hello/out").starts_with("out_file: "));  // below a file
  CHECK_FALSE(fs::exists(t.store.directory() + "/files/hello/out"));
}

TEST_CASE("filetracker: a version asked for in an output's name is replaced by the one it gets",
          "[filetracker]") {
  const TestStore t;
  t.Put("/hello", TestProgram("hello"));
  const Json result =
      RunJobWith("exec", {{"use_filetracker", true}, {"exe_file", "/hello"}, {"out_file", "/out@5"}});
  CHECK(result["out_file"] != "/out@5");
  CHECK(t.TextOf(result["out_file"]) == "hello\nEND\n");
}

TEST_CASE("filetracker: a store that cannot be made is a mistake that names it", "[filetracker]") {
  const ScratchFolder folder;
  const ScopedVariable directory("FILETRACKER_DIR", folder.Write("file", "") + "/store");
  const std::string mistake = MistakeIn(
      [] { return LocalStore().Put(FiletrackerName::Parse("/a"), TestProgram("hello")).Versioned(); });
  CHECK(mistake.starts_with("filetracker store " + folder.path() + "/file/store: "));
}

}  // namespace
}  // namespace tally

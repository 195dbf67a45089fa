// tally-filetracker against a server that speaks protocol 2 and misbehaves on request (server.py).
#include <fmt/format.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

#include "base/fd.h"
#include "base/sys.h"
#include "tests/support/catch.h"
#include "tests/support/cli_run.h"
#include "tests/support/run_program.h"
#include "tests/support/scratch_folder.h"
#include "tests/support/skip.h"

namespace tally {
namespace {

std::string TextOf(const std::string& path) {
  std::ifstream file(path);
  return {std::istreambuf_iterator<char>(file), {}};
}

class Server {
 public:
  Server() {
    sys::Pipe in = sys::MakePipe(), out = sys::MakePipe();
    pid_ = ::fork();
    if (pid_ == 0) {
      ::dup2(in.read_end.get(), STDIN_FILENO);
      ::dup2(out.write_end.get(), STDOUT_FILENO);
      const std::string script = SourceFolder() + "/tests/filetracker/server.py";
      ::execl("/usr/bin/python3", "python3", script.c_str(), nullptr);
      ::_exit(127);
    }
    life_ = std::move(in.write_end);
    char text[32] = {};
    REQUIRE(::read(out.read_end.get(), text, sizeof text - 1) > 0);
    url_ = fmt::format("http://127.0.0.1:{}", std::stoi(text));
  }
  ~Server() {
    life_.Reset();
    int status = 0;
    ::waitpid(pid_, &status, 0);
  }
  Server(const Server&) = delete;
  Server& operator=(const Server&) = delete;

  [[nodiscard]] const std::string& url() const { return url_; }

  // "get /a", in a cache of this test's own.
  CliResult Do(const std::string& words) const {
    return Shell("\"$(dirname \"$TALLY\")\"/tally-filetracker " + words, {.environment = {"FILETRACKER_URL=" + url_, "FILETRACKER_DIR=" + folder_.path() + "/cache"}});
  }
  // Puts `text` there under a name, and forgets it here.
  void Has(const std::string& name, const std::string& text) const {
    const std::string file = folder_.path() + "/put";
    std::ofstream(file) << text;
    const CliResult result = Do(fmt::format("put '{}@1700000000' {}", name, file));
    CAPTURE(result.error);
    REQUIRE(result.out == name + "@1700000000\n");
    std::filesystem::remove(Cached(name));
  }
  [[nodiscard]] std::string Cached(const std::string& name) const { return folder_.path() + "/cache/files" + name; }
  [[nodiscard]] std::string folder() const { return folder_.path(); }
  // What it was asked for, one request a line.
  [[nodiscard]] std::string Log() const { return Shell(fmt::format("/usr/bin/python3 -c \"import urllib.request as u; print(u.urlopen('{}/log').read().decode())\"", url_)).out; }

 private:
  ScratchFolder folder_;
  pid_t pid_ = -1;
  Fd life_;
  std::string url_;
};

// Long enough to be sent in pieces, and not the same when it is compressed.
std::string LongText() {
  std::string text;
  for (unsigned i = 0, state = 1; i < 200'000; ++i) {
    state = state * 1103515245u + 12345u;
    text += static_cast<char>('a' + (state >> 16) % 26);
  }
  return text;
}

std::size_t Parts(const std::string& folder) {
  std::size_t count = 0;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder)) count += entry.path().filename().string().starts_with(".tally-part") ? 1 : 0;
  return count;
}

bool HasServer() { return std::filesystem::exists(SourceFolder() + "/tests/filetracker/server.py") && ::access("/usr/bin/python3", X_OK) == 0; }

TEST_CASE("filetracker: what is put can be got, looked up, listed and removed", "[filetracker]") {
  if (!HasServer()) TALLY_SKIP("the source tree is not here");
  const Server server;
  server.Has("/problems/żółw 1/in", "1 2 3\n");
  CHECK(server.Do("version '/problems/żółw 1/in'").out == "1700000000\n");
  CHECK(server.Do("list /problems").out == "żółw 1/in\n");
  const std::string to = server.folder() + "/in";
  CHECK(server.Do("get '/problems/żółw 1/in' " + to).out == "/problems/żółw 1/in@1700000000\n");
  CHECK(TextOf(to) == "1 2 3\n");
  CHECK(TextOf(server.Cached("/problems/żółw 1/in")) == "1 2 3\n");
  CHECK(std::filesystem::hard_link_count(to) == 2);
  CHECK(server.Do("rm '/problems/żółw 1/in'").status == 0);
  const CliResult gone = server.Do("get '/problems/żółw 1/in'");
  CHECK(gone.status == 1);
  CHECK(Has(gone.error, "is not on the server"));
  CHECK(server.Do("protocols").out == "2\n");
}

TEST_CASE("filetracker: a version that is here is not fetched again, and another one is refused", "[filetracker]") {
  if (!HasServer()) TALLY_SKIP("the source tree is not here");
  const Server server;
  server.Has("/a", "one\n");
  const std::string path = server.Cached("/a") + "\n";
  CHECK(server.Do("get /a@1700000000").out == path);
  const std::string before = server.Log();
  CHECK(server.Do("get /a@1700000000").out == path);
  CHECK(server.Log().size() == before.size() + std::string("\nGET /log").size());
  CHECK(server.Do("get /a").out == path);  // the newest: asked for, and not sent
  const CliResult other = server.Do("get /a@1600000000");
  CHECK(other.status == 1);
  CHECK(Has(other.error, "is wanted in version 1600000000"));
  struct stat status {};
  REQUIRE(::stat(server.Cached("/a").c_str(), &status) == 0);
  CHECK(status.st_mtim.tv_sec == 1'700'000'000);
}

TEST_CASE("filetracker: an older version is not put over a newer one", "[filetracker]") {
  if (!HasServer()) TALLY_SKIP("the source tree is not here");
  const Server server;
  server.Has("/a", "new\n");
  std::ofstream(server.folder() + "/old") << "old\n";
  CHECK(server.Do("put /a@1600000000 " + server.folder() + "/old").out == "/a@1700000000\n");
  CHECK(TextOf(server.Do("get /a").out.substr(0, server.Cached("/a").size())) == "new\n");
}

TEST_CASE("filetracker: what passes is tried again, and what broke off goes on", "[filetracker]") {
  if (!HasServer()) TALLY_SKIP("the source tree is not here");
  const Server server;
  const std::string text = LongText();
  for (const char* how : {"once500", "busy", "broken", "norange", "reset", "redirect", "slow", "otherpart", "members"}) {
    CAPTURE(how);
    const std::string name = fmt::format("/{}/file", how);
    server.Has(name, text);
    const CliResult result = server.Do("get " + name);
    CAPTURE(result.error);
    CHECK(result.status == 0);
    CHECK(TextOf(server.Cached(name)) == text);
  }
  CHECK(Has(server.Log(), "GET /files/broken/file bytes="));
  server.Has("/changed/file", text);
  CHECK(server.Do("get /changed/file").status == 0);
  CHECK(TextOf(server.Cached("/changed/file")).starts_with("another one\n"));
  std::ofstream(server.folder() + "/small") << "x";
  CHECK(server.Do("put /putonce500/file@1700000000 " + server.folder() + "/small").out == "/putonce500/file@1700000000\n");
  CHECK(Parts(server.folder()) == 0);
}

TEST_CASE("filetracker: what arrives damaged is never seen, and is one sentence", "[filetracker]") {
  if (!HasServer()) TALLY_SKIP("the source tree is not here");
  const Server server;
  const std::pair<const char*, const char*> cases[] = {{"short", "cut off"}, {"wrongsize", "logical-size"}, {"wrongsum", "sha256-checksum"}, {"nodate", "no version"}, {"always500", "500"}, {"unasked", "another part"}, {"bomb", "Logical-Size"}};
  for (const auto& [how, sentence] : cases) {
    CAPTURE(how);
    const std::string name = fmt::format("/{}/file", how);
    server.Has(name, LongText());
    const CliResult result = server.Do("get --tries 2 " + name);
    CHECK(result.status == 2);
    CHECK(Has(result.error, sentence));
    CHECK(result.out.empty());
    CHECK(std::count(result.error.begin(), result.error.end(), '\n') == 1);
    CHECK_FALSE(std::filesystem::exists(server.Cached(name)));
  }
  CHECK(Parts(server.folder()) == 0);
  const CliResult nobody = server.Do("get --tries 1 --url http://127.0.0.1:9 /a");
  CHECK(nobody.status == 2);
  for (const char* wrong : {"a", "/a/", "/../a", "/a//b", "/a@", "/a@x", "/a@-1"}) {
    CAPTURE(wrong);
    CHECK(server.Do(std::string("get ") + wrong).status == 1);
  }
  CHECK(server.Do("get --url ftp://host /a").status == 1);
}

TEST_CASE("filetracker: several that want the same file at one time fetch it once", "[filetracker]") {
  if (!HasServer()) TALLY_SKIP("the source tree is not here");
  const Server server;
  server.Has("/slow/file", LongText());
  const std::string one = "\"$(dirname \"$TALLY\")\"/tally-filetracker get /slow/file@1700000000 & ";
  const CliResult all = Shell(one + one + one + one + "wait", {.environment = {"FILETRACKER_URL=" + server.url(), "FILETRACKER_DIR=" + server.folder() + "/cache"}});
  CHECK(all.error.empty());
  const std::string log = server.Log();
  CHECK(log.find("GET /files/slow/file") == log.rfind("GET /files/slow/file"));
}

TEST_CASE("filetracker: the cache keeps to a size, and what was used just now", "[filetracker]") {
  if (!HasServer()) TALLY_SKIP("the source tree is not here");
  const Server server;
  for (const char* name : {"/a", "/b", "/c"}) {
    server.Has(name, std::string(1000, 'x'));
    server.Do(std::string("get ") + name);
  }
  CHECK(server.Do("clean 1k").status == 0);
  CHECK(std::filesystem::exists(server.Cached("/a")));
  CHECK(server.Do("clean 100G").status == 0);
  CHECK(server.Do("clean 1").status == 1);
}

// As a worker of a contest system does it: the job's files come from the server, and what it makes goes there.
TEST_CASE("filetracker: a job's files come from the server, and upload_out sends what it makes", "[filetracker]") {
  if (!HasServer()) TALLY_SKIP("the source tree is not here");
  const Server server;
  server.Has("/sum", TextOf(TestProgram("sum_numbers")));
  server.Has("/in", "1 2 3\n");
  const CliOptions how{.environment = {"FILETRACKER_URL=" + server.url(), "FILETRACKER_DIR=" + server.folder() + "/cache"}};
  const auto exec = [&](const std::string& more) { return Tally({"exec", "use_filetracker=true", "exe_file=/sum", "in_file=/in@1700000000", "out_file=/out", more}, how); };
  const CliResult kept = exec("upload_out=false");
  CAPTURE(kept.error);
  CHECK(kept.code() == "OK");
  CHECK(Has(TextOf(server.Cached("/out")), "6"));
  CHECK(server.Do("version /out").status == 1);
  const CliResult uploaded = exec("upload_out=true");
  CHECK(uploaded.code() == "OK");
  const std::string name = uploaded.json()["out_file"];
  CHECK(name.starts_with("/out@"));
  CHECK(server.Do("version /out").out == name.substr(5) + "\n");
  const CliResult missing = Tally({"exec", "use_filetracker=true", "exe_file=/nowhere"}, how);
  CHECK(missing.status == 1);
  CHECK(Has(missing.error, "exe_file: filetracker file /nowhere is not on the server"));
  const CliResult failing = Tally({"exec", "use_filetracker=true", "exe_file=/sum", "in_file=/always500/x"}, how);
  CHECK(failing.status == 1);
}

}  // namespace
}  // namespace tally

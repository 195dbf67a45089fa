// `tally sio-worker` against a sioworkersd that follows a script (sioworkersd.py).
#include <fcntl.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "base/fd.h"
#include "base/sys.h"
#include "dispatcher/netstrings.h"
#include "tests/support/catch.h"
#include "tests/support/cli_run.h"
#include "tests/support/run_program.h"
#include "tests/support/scratch_folder.h"
#include "tests/support/skip.h"

namespace tally {
namespace {

// Reads the daemon's lines; ends the worker when one is "end".
class Play {
 public:
  Play(const std::string& scenario, const Words& options) {
    sys::Pipe out = sys::MakePipe();
    daemon_ = ::fork();
    if (daemon_ == 0) {
      ::dup2(out.write_end.get(), STDOUT_FILENO);
      const std::string script = SourceFolder() + "/tests/dispatcher/sioworkersd.py", programs = BuildFolder() + "/tests/programs";
      ::execl("/usr/bin/python3", "python3", script.c_str(), scenario.c_str(), programs.c_str(), nullptr);
      ::_exit(127);
    }
    lines_ = std::move(out.read_end);
    const std::string port = Line();
    worker_ = ::fork();
    if (worker_ == 0) {
      Words words{TallyPath(), "sio-worker", "--port", port, "--work-folder", folder_.path()};
      words.insert(words.end(), options.begin(), options.end());
      std::vector<char*> argv;
      for (std::string& word : words) argv.push_back(word.data());
      argv.push_back(nullptr);
      const Fd log = sys::Open(folder_.path() + "/log", O_WRONLY | O_CREAT, 0644);
      ::dup2(log.get(), STDERR_FILENO);
      ::alarm(60);
      ::execv(argv[0], argv.data());
      ::_exit(127);
    }
  }
  ~Play() {
    if (worker_ > 0) {
      ::kill(worker_, SIGKILL);
      ::waitpid(worker_, nullptr, 0);
    }
    ::kill(daemon_, SIGKILL);
    ::waitpid(daemon_, nullptr, 0);
  }
  Play(const Play&) = delete;
  Play& operator=(const Play&) = delete;

  // Without its end; "" where there are no more.
  std::string Line() {
    std::string line;
    for (char c = 0; ::read(lines_.get(), &c, 1) == 1 && c != '\n';) line += c;
    return line;
  }
  int EndWorker() {
    ::kill(worker_, SIGTERM);
    return Status();
  }
  void AskWorkerToEnd() const { ::kill(worker_, SIGTERM); }
  int Status() {
    int status = 0;
    ::waitpid(std::exchange(worker_, -1), &status, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  }

 private:
  ScratchFolder folder_;
  pid_t daemon_ = -1, worker_ = -1;
  Fd lines_;
};

bool HasDaemon() { return std::filesystem::exists(SourceFolder() + "/tests/dispatcher/sioworkersd.py") && ::access("/usr/bin/python3", X_OK) == 0; }

TEST_CASE("sio-worker: it says hello, does what it is called for, and an error is a sentence", "[sio_worker]") {
  if (!HasDaemon()) TALLY_SKIP("the source tree is not here");
  Play play("jobs", {"--name", "first", "--concurrency", "2", "--plain-paths"});
  CHECK(play.Line() == R"(hello {"available_ram_mb": N, "can_run_cpu_exec": true, "concurrency": 2, "name": "first"})");
  CHECK(play.Line() == "running []");
  CHECK(play.Line() == "ping result e1 urn:uuid:1 ['a', 7] SUCCESS first");
  CHECK(play.Line() == "exec OK 2");
  CHECK(play.Line() == "failed error exception exe_file: /nowhere: No such file or directory");
  CHECK(play.Line() == "unknown error method_not_found");
  CHECK(play.Line() == "wrong error run: expected one argument, an environ");
  CHECK(play.Line() == "odd error the call has a value of a wrong type");
  CHECK(play.Line() == "deep the call is nested deeper than this worker reads");
  CHECK(play.Line() == "deeper the call is nested deeper than this worker reads");
  CHECK(play.Line() == "unsafe job_type: unsafe-interactive-exec runs a program without a sandbox; this worker does not (weak_isolation)");
  CHECK(play.Line() == "two running ['5', '6']");
  CHECK(play.Line() == "two done True");
  CHECK(play.Line() == "end");
  CHECK(play.EndWorker() == 0);
  CHECK(play.Line() == "over");
}

TEST_CASE("sio-worker: a lost connection ends its jobs, and it connects again, also after nonsense", "[sio_worker]") {
  if (!HasDaemon()) TALLY_SKIP("the source tree is not here");
  Play play("lost", {"--name", "second", "--plain-paths"});
  CHECK(play.Line() == "again []");
  CHECK(play.Line() == "once more e2");
  CHECK(play.Line() == "end");
  CHECK(play.EndWorker() == 0);
  CHECK(play.Line() == "over");
}

TEST_CASE("sio-worker: asked to end, it finishes what it has and takes nothing new", "[sio_worker]") {
  if (!HasDaemon()) TALLY_SKIP("the source tree is not here");
  Play play("drain", {"--name", "third", "--plain-paths"});
  CHECK(play.Line() == "end");
  play.AskWorkerToEnd();
  CHECK(play.Line() == "done OK");
  CHECK(play.Line() == "closed True");
  CHECK(play.Status() == 0);
}

TEST_CASE("sio-worker: bad options are one sentence", "[sio_worker]") {
  CHECK(Has(Tally({"sio-worker", "--concurrency", "0"}).error, "--concurrency: expected 1 to 256"));
  CHECK(Tally({"sio-worker", "--log", "xml"}).status == 1);
}

TEST_CASE("netstrings: whole ones come out, whatever pieces they come in, and nonsense is told", "[sio_worker]") {
  const std::string text = Netstring("{}") + Netstring("") + Netstring("a:1,");
  for (std::size_t piece = 1; piece <= text.size(); ++piece) {
    Netstrings in(100);
    std::string all;
    for (std::size_t at = 0; at < text.size(); at += piece) {
      in.Add(text.substr(at, piece));
      while (const auto one = in.Take()) all += *one + "|";
    }
    CHECK(all == "{}||a:1,|");
  }
  for (const char* nonsense : {"x", ":", "1:ab", "-1:a,", "101:", "99999999999:", "1 :a,", "12345678901"}) {
    CAPTURE(nonsense);
    Netstrings in(100);
    in.Add(nonsense);
    CHECK_THROWS(in.Take());
  }
  Netstrings half(100);
  half.Add("5:ab");
  CHECK_FALSE(half.Take());
}

}  // namespace
}  // namespace tally

// tally-serve as clients of go-judge's interface call it (client.py).
#include <fcntl.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "base/fd.h"
#include "base/sys.h"
#include "tests/support/catch.h"
#include "tests/support/cli_run.h"
#include "tests/support/run_program.h"
#include "tests/support/scratch_folder.h"
#include "tests/support/skip.h"

namespace tally {
namespace {

class Server {
 public:
  explicit Server(Words options = {}) {
    Words words{BuildFolder() + "/bin/tally-serve"};
    if (std::find(options.begin(), options.end(), "--workers") == options.end()) options.insert(options.end(), {"--workers", "2"});
    if (std::find(options.begin(), options.end(), "--listen") == options.end()) options.insert(options.end(), {"--listen", "127.0.0.1:0"});
    words.insert(words.end(), options.begin(), options.end());
    pid_ = ::fork();
    if (pid_ == 0) {
      const Fd log = sys::Open(log_path(), O_WRONLY | O_CREAT, 0644);
      ::dup2(log.get(), STDERR_FILENO);
      ::alarm(100);
      std::vector<char*> argv;
      for (std::string& word : words) argv.push_back(word.data());
      argv.push_back(nullptr);
      ::execv(argv[0], argv.data());
      ::_exit(127);
    }
    const std::string mark = "listening on ";
    for (int i = 0; i < 500 && address_.empty(); ++i) {
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
      const std::string log = Log();
      const std::size_t at = log.find(mark), end = log.find(',', at == std::string::npos ? 0 : at);
      if (at != std::string::npos && end != std::string::npos) address_ = log.substr(at + mark.size(), end - at - mark.size());
    }
  }
  ~Server() {
    if (pid_ <= 0) return;
    ::kill(pid_, SIGKILL);
    ::waitpid(pid_, nullptr, 0);
  }
  Server(const Server&) = delete;
  Server& operator=(const Server&) = delete;

  // What the client says: "ok".
  std::string Client(const std::string& name, const std::string& script = "client.py") const {
    return Shell("/usr/bin/python3 " + SourceFolder() + "/tests/serve/" + script + " " + name + " " + address_ + " " + std::to_string(pid_)).out;
  }
  int Status() {
    int status = 0;
    ::waitpid(std::exchange(pid_, -1), &status, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  }
  [[nodiscard]] std::string Log() const {
    std::ifstream file(log_path());
    return {std::istreambuf_iterator<char>(file), {}};
  }

 private:
  [[nodiscard]] std::string log_path() const { return folder_.path() + "/log"; }

  ScratchFolder folder_;
  pid_t pid_ = -1;
  std::string address_;
};

bool HasClient() { return std::filesystem::exists(SourceFolder() + "/tests/serve/client.py") && ::access("/usr/bin/python3", X_OK) == 0; }

void PlayedWith(Server* server, const char* name) {
  CAPTURE(name, server->Log());
  CHECK(server->Client(name) == "ok\n");
}

TEST_CASE("serve: each end of a command has go-judge's word, and its figures", "[serve]") {
  if (!HasClient()) TALLY_SKIP("the source tree is not here");
  Server server;
  PlayedWith(&server, "statuses");
}

TEST_CASE("serve: files are copied in and out, and kept", "[serve]") {
  if (!HasClient()) TALLY_SKIP("the source tree is not here");
  Server server;
  PlayedWith(&server, "files");
  PlayedWith(&server, "store");
}

TEST_CASE("serve: a program that many commands have is for each as it was stored, whatever one of them does to it", "[serve]") {
  if (!HasClient()) TALLY_SKIP("the source tree is not here");
  Server server({"--workers", "1"});
  PlayedWith(&server, "programs");
}

TEST_CASE("serve: an answer of many megabytes comes whole, and others are answered meanwhile", "[serve]") {
  if (!HasClient()) TALLY_SKIP("the source tree is not here");
  Server server;
  PlayedWith(&server, "large");
}

TEST_CASE("serve: it answers as Hydro asks", "[serve]") {
  if (!HasClient()) TALLY_SKIP("the source tree is not here");
  Server server;
  PlayedWith(&server, "hydro");
}

TEST_CASE("serve: /w has a size", "[serve]") {
  if (!HasClient()) TALLY_SKIP("the source tree is not here");
  Server server({"--work-size", "1M"});
  PlayedWith(&server, "room");
}

TEST_CASE("serve: no name and no link leads out of a command's folder, and nothing of it stays", "[serve]") {
  if (!HasClient()) TALLY_SKIP("the source tree is not here");
  Server server;
  PlayedWith(&server, "escapes");
}

TEST_CASE("serve: streams are read and written, and what is read stays as it is", "[serve]") {
  if (!HasClient()) TALLY_SKIP("the source tree is not here");
  Server server;
  PlayedWith(&server, "streams");
}

TEST_CASE("serve: commands of one request run at one time, joined by pipes", "[serve]") {
  if (!HasClient()) TALLY_SKIP("the source tree is not here");
  Server server;
  PlayedWith(&server, "pipes");
}

TEST_CASE("serve: a mistake is one sentence and status 400, and a body that is too long 413", "[serve]") {
  if (!HasClient()) TALLY_SKIP("the source tree is not here");
  Server server;
  PlayedWith(&server, "mistakes");
}

TEST_CASE("serve: when a client is gone its program ends, and the server goes on", "[serve]") {
  if (!HasClient()) TALLY_SKIP("the source tree is not here");
  Server server;
  PlayedWith(&server, "gone");
}

TEST_CASE("serve: four clients at one time are all answered, and counted", "[serve]") {
  if (!HasClient()) TALLY_SKIP("the source tree is not here");
  Server server;
  PlayedWith(&server, "many");
}

TEST_CASE("serve: what comes while as much waits as may is refused by 429", "[serve]") {
  if (!HasClient()) TALLY_SKIP("the source tree is not here");
  Server server({"--queue", "2"});
  PlayedWith(&server, "full");
}

TEST_CASE("serve: with a token nobody else is heard", "[serve]") {
  if (!HasClient()) TALLY_SKIP("the source tree is not here");
  const ScratchFolder folder;
  std::ofstream(folder.path() + "/token") << "secret\n";
  Server server({"--token-file", folder.path() + "/token"});
  PlayedWith(&server, "token");
}

TEST_CASE("serve: jobs are answered, and name no files of this machine", "[serve]") {
  if (!HasClient()) TALLY_SKIP("the source tree is not here");
  Server server;
  PlayedWith(&server, "jobs");
}

TEST_CASE("serve: connections that say nothing shut nobody out", "[serve]") {
  if (!HasClient()) TALLY_SKIP("the source tree is not here");
  Server server;
  PlayedWith(&server, "crowd");
}

TEST_CASE("serve: of files that nobody was told of none stays in the store's folder", "[serve]") {
  if (!HasClient()) TALLY_SKIP("the source tree is not here");
  Server server;
  PlayedWith(&server, "kept");
}

TEST_CASE("serve: asked twice, it ends at once, and says so", "[serve]") {
  if (!HasClient()) TALLY_SKIP("the source tree is not here");
  Server server;
  PlayedWith(&server, "twice");
  CHECK(server.Status() == 0);
}

TEST_CASE("serve: asked to end, it answers what it has in hand", "[serve]") {
  if (!HasClient()) TALLY_SKIP("the source tree is not here");
  Server server;
  PlayedWith(&server, "drain");
  CHECK(server.Status() == 0);
}

TEST_CASE("serve: asked to end, it says a long answer to its end", "[serve]") {
  if (!HasClient()) TALLY_SKIP("the source tree is not here");
  Server server;
  PlayedWith(&server, "drain_long");
  CHECK(server.Status() == 0);
}

TEST_CASE("serve: asked to end together with its workers, it answers what it has in hand as well", "[serve]") {
  if (!HasClient()) TALLY_SKIP("the source tree is not here");
  Server server;
  PlayedWith(&server, "told_all");
  CHECK(server.Status() == 0);
}

TEST_CASE("serve: it listens on a socket's path as well, and takes it away", "[serve]") {
  if (!HasClient()) TALLY_SKIP("the source tree is not here");
  const ScratchFolder folder;
  const std::string path = folder.path() + "/socket";
  Server server({"--listen", path});
  PlayedWith(&server, "unix");
  CHECK(Has(Tally({"serve", "--listen", path}).error, "somebody listens there already"));
  PlayedWith(&server, "drain");
  CHECK(server.Status() == 0);
  CHECK_FALSE(std::filesystem::exists(path));
}

// ---- /ws and /stream (sockets.py)

bool HasSockets() { return HasClient() && Shell("/usr/bin/python3 -c 'import websockets'").status == 0; }
constexpr const char* kNoSockets = "the source tree is not here, or python3-websockets is not installed";

void PlayedBySocket(Server* server, const char* name) {
  CAPTURE(name, server->Log());
  CHECK(server->Client(name, "sockets.py") == "ok\n");
}

TEST_CASE("serve: runs over a WebSocket are answered as they end, by their ids, and can be cancelled", "[serve]") {
  if (!HasSockets()) TALLY_SKIP(kNoSockets);
  Server server;
  PlayedBySocket(&server, "runs");
  PlayedBySocket(&server, "cancels");
}

TEST_CASE("serve: a mistake over a WebSocket is a sentence, and the connection stays; pages of other sites are not served", "[serve]") {
  if (!HasSockets()) TALLY_SKIP(kNoSockets);
  Server server;
  PlayedBySocket(&server, "mistakes");
}

TEST_CASE("serve: frames that the protocol does not have end a WebSocket, and nothing else", "[serve]") {
  if (!HasSockets()) TALLY_SKIP(kNoSockets);
  Server server;
  PlayedBySocket(&server, "frames");
}

TEST_CASE("serve: a WebSocket has the token and the bounds of all calls", "[serve]") {
  if (!HasSockets()) TALLY_SKIP(kNoSockets);
  const ScratchFolder folder;
  std::ofstream(folder.path() + "/token") << "secret\n";
  Server guarded({"--token-file", folder.path() + "/token"}), small({"--longest-body", "1M"});
  PlayedBySocket(&guarded, "token");
  PlayedBySocket(&small, "too_long");
}

TEST_CASE("serve: who leaves a WebSocket, politely or not, takes its programs with it", "[serve]") {
  if (!HasSockets()) TALLY_SKIP(kNoSockets);
  Server server;
  PlayedBySocket(&server, "gone");
}

TEST_CASE("serve: who sends much over a WebSocket and reads nothing costs little", "[serve]") {
  if (kSanitized) TALLY_SKIP("with a sanitizer memory is another");
  if (!HasSockets()) TALLY_SKIP(kNoSockets);
  Server server;
  PlayedBySocket(&server, "floods");
}

TEST_CASE("serve: of files that were being stored when their run was cancelled, or its worker died, none stays", "[serve]") {
  if (!HasSockets()) TALLY_SKIP(kNoSockets);
  Server server;
  PlayedBySocket(&server, "forgotten");
}

TEST_CASE("serve: without descriptors a run fails, and the server goes on", "[serve]") {
  if (kSanitized) TALLY_SKIP("a sanitizer needs descriptors of its own");
  if (!HasSockets()) TALLY_SKIP(kNoSockets);
  Server server;
  PlayedBySocket(&server, "poor");
}

TEST_CASE("serve: streams are written and read while programs run", "[serve]") {
  if (!HasSockets()) TALLY_SKIP(kNoSockets);
  Server server;
  PlayedBySocket(&server, "talk");
  PlayedBySocket(&server, "two_talk");
  PlayedBySocket(&server, "stopped");
}

TEST_CASE("serve: streams of many megabytes come whole, and who does not read holds up its own program alone", "[serve]") {
  if (!HasSockets()) TALLY_SKIP(kNoSockets);
  Server server;
  PlayedBySocket(&server, "much");
  PlayedBySocket(&server, "unread");
}

TEST_CASE("serve: asked to end, it answers what runs over WebSockets, and says goodbye to the others", "[serve]") {
  if (!HasSockets()) TALLY_SKIP(kNoSockets);
  const ScratchFolder folder;
  Server server({"--listen", folder.path() + "/socket"});
  PlayedBySocket(&server, "drain");
  CHECK(server.Status() == 0);
  Server at_their_end, talked_to;
  PlayedBySocket(&at_their_end, "drain_streams");
  CHECK(at_their_end.Status() == 0);
  PlayedBySocket(&talked_to, "drain_talker");
  CHECK(talked_to.Status() == 0);
}

TEST_CASE("serve: bad options are one sentence", "[serve]") {
  CHECK(Has(Tally({"serve", "--listen", "nowhere"}).error, "nowhere"));
  CHECK(Tally({"serve", "--longest-body", "much"}).status == 1);
  CHECK(Has(Tally({"serve", "--token-file", "/nowhere"}).error, "/nowhere"));
}

}  // namespace
}  // namespace tally

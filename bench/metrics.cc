// What do metrics cost judging? `tally judge` judges one package without metrics and with an agent whose endpoint is
// good, refuses, hangs, resets or fails; all take turns, each in a process of its own. Prints medians, p10..p90, and
// the ratio to judging without metrics with its own spread.
//
//   metrics [--rounds N] [--tests N] PROGRAM      PROGRAM prints whatever it likes: each test's verdict is WA
#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <exception>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "base/command_line.h"
#include "base/error.h"
#include "base/fd.h"
#include "base/sys.h"
#include "profile/metrics/channel.h"
#include "base/http_request.h"
#include "base/listen_address.h"

namespace tally {
namespace {

class TemporaryFolder {
 public:
  TemporaryFolder() : path_(std::filesystem::temp_directory_path() / "tally-metrics-XXXXXX") {
    if (::mkdtemp(path_.data()) == nullptr) throw SystemError("mkdtemp " + path_, errno);
  }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  ~TemporaryFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  [[nodiscard]] const std::string& path() const { return path_; }
  std::string Write(const std::string& name, const std::string& text) const {
    std::ofstream(path_ + "/" + name) << text;
    return path_ + "/" + name;
  }

 private:
  std::string path_;
};

// What an endpoint does with a request: answers with `status`; 0 never answers, -1 resets the connection.
struct Endpoint {
  Fd listener;
  int status;
};

// In a process of its own, until it is killed.
void Serve(const std::vector<Endpoint>& endpoints) {
  struct Client {
    Fd fd;
    int status;
    std::string in;
  };
  std::vector<Client> clients;
  for (;;) {
    std::vector<pollfd> fds;
    for (const Endpoint& endpoint : endpoints) fds.push_back({endpoint.listener.get(), POLLIN, 0});
    for (const Client& client : clients) fds.push_back({client.fd.get(), POLLIN, 0});
    ::poll(fds.data(), fds.size(), -1);
    for (std::size_t i = fds.size(); i-- > endpoints.size();) {
      if (fds[i].revents == 0) continue;
      const auto client = clients.begin() + static_cast<std::ptrdiff_t>(i - endpoints.size());
      char buffer[65536];
      const ssize_t n = ::recv(client->fd.get(), buffer, sizeof buffer, 0);
      if (n > 0) client->in.append(buffer, static_cast<std::size_t>(n));
      const HttpParse parse = ParseHttpRequest(client->in, {});
      const bool whole = n > 0 && parse.state == HttpParse::State::kComplete;
      if (whole && client->status > 0) {
        client->in.erase(0, parse.size);
        const std::string answer = fmt::format("HTTP/1.1 {} x\r\nContent-Length: 0\r\n\r\n", client->status);
        ::send(client->fd.get(), answer.data(), answer.size(), MSG_NOSIGNAL);
      }
      if (whole && client->status < 0) {
        const linger at_once{1, 0};
        ::setsockopt(client->fd.get(), SOL_SOCKET, SO_LINGER, &at_once, sizeof at_once);
      }
      if (n <= 0 || (whole && client->status < 0)) clients.erase(client);
    }
    for (std::size_t i = 0; i < endpoints.size(); ++i) {
      if (fds[i].revents == 0) continue;
      Fd fd(::accept4(endpoints[i].listener.get(), nullptr, nullptr, SOCK_NONBLOCK | SOCK_CLOEXEC));
      if (fd.valid()) clients.push_back({std::move(fd), endpoints[i].status, {}});
    }
  }
}

class Endpoints {
 public:
  Endpoints() {
    for (const int status : {200, 0, -1, 500}) endpoints_.push_back({ListenOn("127.0.0.1:0"), status});
    refusing_ = AddressOf(ListenOn("127.0.0.1:0"));  // closed again
    process_ = ::fork();
    if (process_ < 0) throw SystemError("fork", errno);
    if (process_ == 0) Serve(endpoints_);
  }
  ~Endpoints() {
    ::kill(process_, SIGKILL);
    ::waitpid(process_, nullptr, 0);
  }
  Endpoints(const Endpoints&) = delete;
  Endpoints& operator=(const Endpoints&) = delete;

  [[nodiscard]] std::string AddressWith(int status) const {
    for (const Endpoint& endpoint : endpoints_) {
      if (endpoint.status == status) return AddressOf(endpoint.listener);
    }
    return refusing_;
  }

 private:
  std::vector<Endpoint> endpoints_;
  std::string refusing_;
  pid_t process_ = -1;
};

double SecondsOf(const std::vector<std::string>& command) {
  std::vector<char*> argv;
  for (const std::string& word : command) argv.push_back(const_cast<char*>(word.c_str()));
  argv.push_back(nullptr);
  posix_spawn_file_actions_t actions;
  ::posix_spawn_file_actions_init(&actions);
  ::posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
  const Nanoseconds begin = sys::MonotonicNow();
  pid_t child = 0;
  const int error = ::posix_spawn(&child, argv[0], &actions, nullptr, argv.data(), environ);
  ::posix_spawn_file_actions_destroy(&actions);
  if (error != 0) throw SystemError("start " + command[0], error);
  int status = 0;
  while (::waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  if (!WIFEXITED(status) || WEXITSTATUS(status) != 0) throw UserError(command[0] + " judge failed");
  return std::chrono::duration<double>(sys::MonotonicNow() - begin).count();
}

double Quantile(std::vector<double> values, double part) {
  std::sort(values.begin(), values.end());
  return values[static_cast<std::size_t>(part * static_cast<double>(values.size() - 1) + 0.5)];
}

struct Contender {
  std::string name;
  std::vector<std::string> command;
  std::vector<double> seconds, ratios;  // ratios to the first contender, round by round
};

void Print(const std::vector<Contender>& contenders) {
  const double base = Quantile(contenders[0].seconds, 0.5);
  fmt::print("{:<12} {:>9} {:>20} {:>8} {:>18}\n", "endpoint", "median", "p10..p90", "ratio", "p10..p90 by round");
  for (const Contender& one : contenders) {
    fmt::print("{:<12} {:>6.0f} ms {:>6.0f} .. {:>6.0f} ms {:>8.3f} {:>8.3f} .. {:>6.3f}\n", one.name,
               Quantile(one.seconds, 0.5) * 1e3, Quantile(one.seconds, 0.1) * 1e3, Quantile(one.seconds, 0.9) * 1e3,
               Quantile(one.seconds, 0.5) / base, Quantile(one.ratios, 0.1), Quantile(one.ratios, 0.9));
  }
}

int Bench(const std::string& program, int rounds, int tests) {
  const TemporaryFolder folder;
  const Endpoints endpoints;
  std::filesystem::create_directory(folder.path() + "/tests");
  for (int i = 0; i < tests; ++i) {
    folder.Write(fmt::format("tests/{}.in", i), fmt::format("{} 1\n", i));
    folder.Write(fmt::format("tests/{}.out", i), "another\n");
  }
  const std::string tally = std::filesystem::path(MetricsExecutable()).parent_path() / "tally";
  const std::vector<std::string> judge{tally, "judge", "--report", "", folder.path() + "/tests", program};
  std::vector<Contender> contenders{{"no metrics", judge, {}, {}}};
  const std::vector<std::pair<std::string, int>> kinds{
      {"good", 200}, {"refuses", 1}, {"hangs", 0}, {"resets", -1}, {"status 500", 500}};
  for (const auto& [name, status] : kinds) {
    Contender one{name, judge, {}, {}};
    const std::string config =
        folder.Write(fmt::format("{}.yaml", status),
                     fmt::format("endpoint: http://{}/\nsend_every: 100ms\nlog: {}/log\nlock: tally-bench\n",
                                 endpoints.AddressWith(status), folder.path()));
    one.command.insert(one.command.end(), {"--metrics", config});
    contenders.push_back(std::move(one));
  }
  for (Contender& one : contenders) SecondsOf(one.command);
  for (int round = 0; round < rounds; ++round) {
    for (Contender& one : contenders) {
      one.seconds.push_back(SecondsOf(one.command));
      one.ratios.push_back(one.seconds.back() / contenders[0].seconds.back());
    }
  }
  fmt::print("{} tests, {} rounds\n", tests, rounds);
  Print(contenders);
  return kExitJobRan;
}

}  // namespace
}  // namespace tally

int main(int argc, char** argv) {
  tally::CommandLine line("What metrics cost judging", "metrics", argc, argv);
  int rounds = 15, tests = 200;
  std::string program;
  line.Option("--rounds", rounds).Within(1, 10'000);
  line.Option("--tests", tests).Within(1, 10'000);
  line.Option("program", program).Required();
  line.Does([&] { return tally::Bench(program, rounds, tests); });
  try {
    return line.Run(argv[0]);
  } catch (const std::exception& error) {
    fmt::print(stderr, "metrics: {}\n", error.what());
    return tally::kExitSystemError;
  }
}

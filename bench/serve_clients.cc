#include "bench/serve_clients.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <signal.h>
#include <spawn.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <functional>
#include <string_view>
#include <thread>
#include <vector>

#include "base/error.h"
#include "base/fd.h"
#include "base/sys.h"
#include "base/temporary_directory.h"
#include "bench/turns.h"

namespace tally {
namespace {

constexpr int kClients = 4, kRunsOfEach = 100, kRounds = 9;
constexpr double kGoal = 1.6;

Fd Connect(const std::string& path) {
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  std::memcpy(address.sun_path, path.c_str(), path.size() + 1);
  Fd socket(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0));
  return ::connect(socket.get(), reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0
             ? std::move(socket)
             : Fd();
}

// The body of the answer, on a connection that stays.
std::string Call(int socket, const std::string& path, std::string_view body) {
  sys::WriteAll(socket,
                fmt::format("POST {} HTTP/1.1\r\nHost: x\r\nContent-Length: {}\r\n\r\n", path, body.size()) +
                    std::string(body),
                "the server");
  std::string answer;
  std::array<char, 1 << 16> block{};
  for (;;) {
    const ssize_t n = ::read(socket, block.data(), block.size());
    if (n <= 0) throw SystemError("read from the server", errno);
    answer.append(block.data(), static_cast<std::size_t>(n));
    const std::size_t head = answer.find("\r\n\r\n"), length = answer.find("Content-Length: ");
    if (head == std::string::npos || length == std::string::npos) continue;
    const std::size_t size = std::strtoul(answer.c_str() + length + 16, nullptr, 10);
    if (answer.size() >= head + 4 + size) return answer.substr(head + 4);
  }
}

double Millisecond(const std::function<void()>& client) {
  const Nanoseconds begin = sys::MonotonicNow();
  std::vector<std::thread> clients;
  for (int i = 0; i < kClients; ++i) clients.emplace_back(client);
  for (std::thread& one : clients) one.join();
  return std::chrono::duration<double, std::milli>(sys::MonotonicNow() - begin).count() /
         (kClients * kRunsOfEach);
}

void Execute(const std::string& program) {
  char* argv[] = {const_cast<char*>(program.c_str()), nullptr};
  for (int i = 0; i < kRunsOfEach; ++i) {
    const pid_t pid = ::fork();
    if (pid == 0) {
      const int null = ::open("/dev/null", O_RDWR);
      for (int fd = 0; fd < 3; ++fd) ::dup2(null, fd);
      ::execv(argv[0], argv);
      ::_exit(127);
    }
    ::waitpid(pid, nullptr, 0);
  }
}

// Runs of one kind, asked for over and over.
struct Served {
  int processes;
  std::string body;
  std::vector<double> took, ratios;  // of each round
};

void Ask(const std::string& path, const std::string& body) {
  const Fd socket = Connect(path);
  for (int i = 0; i < kRunsOfEach; ++i) {
    if (Call(socket.get(), "/run", body).find("Accepted") == std::string::npos) throw SystemError("a run by the server failed", 0);
  }
}

void Report(const Served& kind, double executed) {
  const double ratio = Percentile(kind.took, 0.5) / executed;
  fmt::print("tally serve, procLimit {}: {:.3f} ms: {:.2f} (p10 {:.2f}, p90 {:.2f}); goal <= {:.1f}: {}\n", kind.processes, Percentile(kind.took, 0.5), ratio,
             Percentile(kind.ratios, 0.1), Percentile(kind.ratios, 0.9), kGoal, ratio <= kGoal ? "met" : "MISSED");
}

}  // namespace

void CompareServe(const std::string& serve, const std::string& program) {
  const TemporaryDirectory directory;
  const std::string path = directory.File("socket");
  const std::string workers = std::to_string(kClients);
  std::vector<std::string> words{serve, "--listen", path, "--workers", workers};
  std::vector<char*> argv;
  for (std::string& word : words) argv.push_back(word.data());
  argv.push_back(nullptr);
  pid_t server = -1;
  if (::posix_spawn(&server, argv[0], nullptr, nullptr, argv.data(), ::environ) != 0)
    throw SystemError("start " + serve, errno);
  Fd first;
  for (int i = 0; i < 500 && !first.valid(); ++i) {
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
    first = Connect(path);
  }
  std::string id = Call(first.get(), "/file", sys::ReadFile(program));
  id = id.substr(0, id.find('\n'));
  std::vector<Served> kinds;
  // 32 is what Hydro asks for, whatever it runs.
  for (const int processes : {1, 32}) {
    kinds.push_back({processes, fmt::format(R"({{"cmd": [{{"args": ["a"], "files": [null, {{"name": "stdout", "max": 1000}}], "cpuLimit": 1000000000, )"
                                            R"("memoryLimit": 67108864, "procLimit": {}, "copyIn": {{"a": {{"fileId": {}}}}}}}]}})",
                                            processes, id)});
  }
  std::vector<double> executed;
  for (int round = 0; round < kRounds; ++round) {
    executed.push_back(Millisecond([&] { Execute(program); }));
    for (Served& kind : kinds) {
      kind.took.push_back(Millisecond([&] { Ask(path, kind.body); }));
      kind.ratios.push_back(kind.took.back() / executed.back());
    }
  }
  ::kill(server, SIGTERM);
  ::waitpid(server, nullptr, 0);
  fmt::print("\n{} clients at one time: fork+exec {:.3f} ms a run\n", kClients, Percentile(executed, 0.5));
  for (const Served& kind : kinds) Report(kind, Percentile(executed, 0.5));
}

}  // namespace tally

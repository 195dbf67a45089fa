// The agent as judging has it: what arrives at an endpoint, and that an endpoint which refuses, hangs, resets or fails
// costs judging nothing and leaves nothing behind.
#include <fcntl.h>
#include <fmt/format.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <optional>
#include <set>

#include "base/error.h"
#include "base/sys.h"
#include "profile/metrics/abstract_address.h"
#include "profile/metrics/channel.h"
#include "base/listen_address.h"
#include "profile/metrics/machine_lock.h"
#include "tests/support/catch.h"
#include "tests/support/receiver.h"
#include "tests/support/run_program.h"
#include "tests/support/scratch_folder.h"

namespace tally {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::json;
using std::chrono::seconds;

// A configuration with a log and a lock of the test's own, and times that nobody waits for.
struct Setup : ScratchFolder {
  explicit Setup(const std::string& more, const std::string& name = "m.yaml") {
    static int number = 0;
    lock = "tally-test-" + std::to_string(::getpid()) + "-" + std::to_string(number++);
    const std::string timeout = more.find("send_timeout") == std::string::npos ? "send_timeout: 200ms\n" : "";
    config = Write(name,
                   timeout + "interval: 10ms\nretry_after: 10ms\nlog: " + path() + "/log\nlock: " + lock + "\n" + more);
  }
  [[nodiscard]] std::string Log() const { return sys::TryReadFile(path() + "/log").value_or(""); }
  [[nodiscard]] bool Logs(const std::string& part) const {
    return Eventually([&] { return Log().find(part) != std::string::npos; });
  }
  std::string config, lock;
};

std::set<pid_t> Children() {
  std::set<pid_t> out;
  std::string text = sys::TryReadFile("/proc/self/task/" + std::to_string(::getpid()) + "/children").value_or("");
  for (std::size_t at = 0; at < text.size();) {
    std::size_t used = 0;
    out.insert(std::stoi(text.substr(at), &used));
    at += used + 1;
  }
  return out;
}

std::size_t OpenDescriptors() {
  std::size_t count = 0;
  for ([[maybe_unused]] const auto& entry : fs::directory_iterator("/proc/self/fd")) ++count;
  return count;
}

double SecondsOf(const std::function<void()>& work) {
  const Nanoseconds begin = sys::MonotonicNow();
  work();
  return std::chrono::duration<double>(sys::MonotonicNow() - begin).count();
}

std::size_t Samples(const Json& delivery) { return delivery["samples"]["time_ms"].size(); }

TEST_CASE("agent: what it samples arrives with the batch it belongs to, and timings with theirs", "[agent]") {
  const Receiver receiver(Behaviour::kGood);
  const Setup setup("send_every: 50ms\nlabel: lab\nendpoint: " + receiver.url() + "\n");
  MetricsChannel channel(setup.config);
  channel.SetBatch(0, "sum.cpp 1");
  channel.RecordTiming(kRunTiming, Milliseconds(12));
  REQUIRE(receiver.Waits(1));
  channel.SetBatch(1, "sum.cpp 2");
  REQUIRE(receiver.Waits(4));
  CHECK(channel.End() == std::nullopt);
  const std::vector<Json> all = receiver.deliveries();
  const Json& first = all.front();
  CHECK(first["format"] == "tally-metrics-1");
  CHECK(first["label"] == "lab");
  CHECK(first["sequence"] == 1);
  CHECK(first["agent"] == all.back()["agent"]);
  CHECK(first["batches"]["0"] == "sum.cpp 1");
  CHECK(first["samples"]["batch"][0] == 0);
  REQUIRE(first["timings"].size() == 1);
  CHECK(first["timings"][0]["name"] == "run");
  CHECK(first["timings"][0]["batch"] == 0);
  CHECK(first["timings"][0]["seconds"] == 0.012);
  CHECK(all.back()["batches"]["1"] == "sum.cpp 2");
  CHECK(all.back()["samples"]["batch"][0] == 1);
  std::set<std::string> names;
  for (const Json& series : first["samples"]["series"]) {
    names.insert(series["name"]);
    CHECK(series["values"].size() == Samples(first));
  }
  CHECK(names.contains("cpu_utilization"));
  CHECK(names.contains("memory_available"));
}

// As anybody would who measures steps of a program's own.
void Tell(const std::string& name, const std::string& text) {
  const Fd fd(::socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0));
  const AbstractAddress address(name);
  REQUIRE(::sendto(fd.get(), text.data(), text.size(), 0, address.get(), address.size()) == static_cast<ssize_t>(text.size()));
}

TEST_CASE("agent: timings of any name come from any program that measures them, with the batch that was told", "[agent]") {
  const Receiver receiver(Behaviour::kGood);
  const std::string name = fmt::format("tally-test-records-{}", ::getpid());
  const Setup setup("send_every: 30ms\nrecords: " + name + "\nendpoint: " + receiver.url() + "\n");
  MetricsChannel channel(setup.config);
  channel.SetBatch(0, "one");
  REQUIRE(receiver.Waits(1));
  for (const char* wrong : {"", "{", "[]", R"({"timing": "x"})", R"({"timing": "x", "seconds": -1})", R"({"timing": 1, "seconds": 1})", R"({"batch": -1})",
                            R"({"batch": 1, "name": 2})", R"({"timing": "x", "seconds": 1e300})"}) {
    Tell(name, wrong);
  }
  Tell(name, std::string(5000, ' '));
  Tell(name, R"({"timing": "forward_pass", "seconds": 0.25})");
  Tell(name, R"({"batch": 7, "name": "epoch 1"})");
  Tell(name, R"({"timing": "backward_pass", "seconds": 0.5})");
  Tell(name, R"({"timing": "load", "seconds": 1, "batch": 8})");
  const auto told = [&receiver] {
    std::map<std::string, std::pair<std::uint64_t, double>> out;
    for (const Json& delivery : receiver.deliveries()) {
      for (const Json& timing : delivery["timings"]) out[timing["name"]] = {timing["batch"], timing["seconds"]};
    }
    return out;
  };
  REQUIRE(Eventually([&] { return told().size() == 3; }));
  CHECK(told()["forward_pass"] == std::pair<std::uint64_t, double>(0, 0.25));
  CHECK(told()["backward_pass"] == std::pair<std::uint64_t, double>(7, 0.5));
  CHECK(told()["load"] == std::pair<std::uint64_t, double>(8, 1.0));
  CHECK(setup.Logs("a record: "));
}

TEST_CASE("agent: of several machines one sends timings, by a setting of the others", "[agent]") {
  const Receiver receiver(Behaviour::kGood);
  const Setup setup("send_every: 30ms\ntimings: no\nendpoint: " + receiver.url() + "\n");
  MetricsChannel channel(setup.config);
  channel.SetBatch(0, "one");
  channel.RecordTiming(kRunTiming, Milliseconds(1));
  REQUIRE(receiver.Waits(2));
  for (const Json& delivery : receiver.deliveries()) CHECK(delivery["timings"].empty());
}

TEST_CASE("agent: a delivery that fails is tried once more, then logged and given up, and the next one goes on",
          "[agent]") {
  const Receiver receiver(Behaviour::kFails);
  const Setup setup("send_every: 50ms\nendpoint: " + receiver.url() + "\n");
  MetricsChannel channel(setup.config);
  channel.SetBatch(0, "a");
  REQUIRE(receiver.Waits(4));
  CHECK(setup.Logs("delivery 1 was not sent: the receiver answers with status 500; it is tried once more\n"));
  CHECK(setup.Logs("delivery 1 was not sent: the receiver answers with status 500; it is given up\n"));
  channel.End();
  const std::vector<Json> all = receiver.deliveries();
  CHECK(all[0]["sequence"] == 1);
  CHECK(all[1] == all[0]);
  CHECK(all[2]["sequence"] == 2);
}

TEST_CASE("agent: an endpoint that refuses, hangs, resets or fails costs judging nothing and leaves nothing behind",
          "[agent]") {
  const auto behaviour = GENERATE(Behaviour::kGood, Behaviour::kRefuses, Behaviour::kHangs, Behaviour::kNeverAccepts,
                                  Behaviour::kResets, Behaviour::kFails);
  CAPTURE(static_cast<int>(behaviour));
  const Receiver receiver(behaviour);
  // Longer than the test: an agent that waited for its end would be noticed.
  const Setup setup("send_every: 10ms\nsend_timeout: 60s\nendpoint: " + receiver.url() + "\n", "hang.yaml");
  const std::set<pid_t> children = Children();
  const std::size_t descriptors = OpenDescriptors();
  {
    MetricsChannel channel(setup.config);
    channel.SetBatch(0, "a");
    if (behaviour == Behaviour::kHangs || behaviour == Behaviour::kGood)
      REQUIRE(receiver.Waits(1));  // in the midst of a send
    CHECK(Children().size() == children.size() + 1);
    const double told = SecondsOf([&] {
      for (int i = 0; i < 500; ++i) {
        channel.SetBatch(static_cast<std::uint64_t>(i), "a");
        channel.RecordTiming(kRunTiming, Milliseconds(1));
      }
    });
    CHECK(told < 0.5);
    CHECK(SecondsOf([&] { CHECK(channel.End() == std::nullopt); }) < 1);
  }
  CHECK(Children() == children);
  CHECK(Eventually([&] { return OpenDescriptors() == descriptors; }));  // the receiver has its own, for a moment
  CHECK(MachineLock(setup.lock).IsOurs());
  std::set<std::string> files;
  for (const auto& entry : fs::directory_iterator(setup.path())) files.insert(entry.path().filename());
  CHECK(files == std::set<std::string>{"hang.yaml", "log"});
}

TEST_CASE("agent: at the end what is gathered in part is dropped, and the log says how much", "[agent]") {
  const Receiver receiver(Behaviour::kGood);
  const Setup setup("endpoint: " + receiver.url() + "\nprometheus: 127.0.0.1:0\n");
  MetricsChannel channel(setup.config);
  channel.SetBatch(0, "a");
  channel.RecordTiming(kCheckTiming, Milliseconds(1));
  REQUIRE(setup.Logs("prometheus: http://"));
  ::usleep(50'000);
  channel.End();
  CHECK(receiver.deliveries().empty());
  CHECK(setup.Logs("deliveries sent: 0, not sent: 0; dropped at the end: "));
  CHECK(setup.Logs(" samples and 1 timings\n"));
}

TEST_CASE("agent: from start_on_batch to end_after_batch, and what is gathered by then is sent", "[agent]") {
  const Receiver receiver(Behaviour::kGood);
  const Setup setup("start_on_batch: 2\nend_after_batch: 3\nendpoint: " + receiver.url() + "\n");
  MetricsChannel channel(setup.config);
  for (std::uint64_t batch = 0; batch < 6; ++batch) {
    channel.SetBatch(batch, std::to_string(batch));
    channel.RecordTiming(kRunTiming, Milliseconds(1));
    ::usleep(30'000);
  }
  REQUIRE(receiver.Waits(1));
  CHECK(setup.Logs("nothing more is collected: the last batch asked for is over\n"));
  channel.End();
  REQUIRE(receiver.deliveries().size() == 1);
  const Json delivery = receiver.deliveries()[0];
  CHECK(delivery["timings"].size() == 2);
  CHECK(delivery["timings"][0]["batch"] == 2);
  CHECK(delivery["timings"][1]["batch"] == 3);
  for (const Json& batch : delivery["samples"]["batch"]) CHECK((batch == 2 || batch == 3));
}

TEST_CASE("agent: after the longest time nothing more is collected", "[agent]") {
  const Receiver receiver(Behaviour::kGood);
  const Setup setup("at_most: 50ms\nendpoint: " + receiver.url() + "\n");
  MetricsChannel channel(setup.config);
  channel.SetBatch(0, "a");
  REQUIRE(receiver.Waits(1));
  CHECK(setup.Logs("nothing more is collected: the time it may collect for is over\n"));
  channel.End();
  CHECK(receiver.deliveries().size() == 1);
}

TEST_CASE("agent: the second one on a machine sends its timings and looks at nothing", "[agent]") {
  const Receiver receiver(Behaviour::kGood), other(Behaviour::kGood);
  const Setup first("send_every: 20ms\nendpoint: " + other.url() + "\n");
  const Setup second("send_every: 20ms\nlock: " + first.lock + "\nendpoint: " + receiver.url() + "\n");
  // The second `lock` of the file would be a mistake, so the first is taken out.
  std::string text = *sys::TryReadFile(second.config);
  text.erase(text.find("lock: " + second.lock), ("lock: " + second.lock + "\n").size());
  second.Write("m.yaml", text);
  MetricsChannel collects(first.config);
  collects.SetBatch(0, "a");
  REQUIRE(other.Waits(1));
  MetricsChannel channel(second.config);
  channel.SetBatch(0, "a");
  channel.RecordTiming(kRunTiming, Milliseconds(1));
  REQUIRE(receiver.Waits(1));
  channel.End();
  CHECK(second.Logs("looks at this machine already; this agent sends timings only\n"));
  CHECK(Samples(receiver.deliveries()[0]) == 0);
  CHECK(receiver.deliveries()[0]["timings"].size() == 1);
  CHECK(Samples(other.deliveries()[0]) > 0);
}

TEST_CASE("agent: one that reads nothing holds up nobody; what does not fit is counted and said", "[agent]") {
  const Receiver receiver(Behaviour::kGood);
  const Setup setup("endpoint: " + receiver.url() + "\n");
  const std::set<pid_t> before = Children();
  MetricsChannel channel(setup.config);
  pid_t agent = 0;
  for (const pid_t child : Children()) {
    if (!before.contains(child)) agent = child;
  }
  ::kill(agent, SIGSTOP);
  CHECK(SecondsOf([&] {
          for (std::uint64_t i = 0; i < 20'000; ++i) channel.SetBatch(i, "a");
        }) < 2);
  SECTION("it goes on and says at its end what it has missed") {
    ::kill(agent, SIGCONT);
    channel.End();
    CHECK(setup.Logs(" records of judging did not fit into the socket and are lost\n"));
  }
  SECTION("it stays stopped and is ended all the same") {
    CHECK(SecondsOf([&] { channel.End(); }) < 2);
  }
  CHECK(Children() == before);
}

TEST_CASE("agent: one that was killed is told nothing more, and missed at the end", "[agent]") {
  const Setup setup("prometheus: 127.0.0.1:0\n");
  const std::set<pid_t> before = Children();
  MetricsChannel channel(setup.config);
  for (const pid_t child : Children()) {
    if (before.contains(child)) continue;
    ::kill(child, SIGKILL);
    siginfo_t info{};
    ::waitid(P_PID, static_cast<id_t>(child), &info, WEXITED | WNOWAIT);
  }
  for (int i = 0; i < 10; ++i) channel.SetBatch(0, "a");
  REQUIRE(channel.End().has_value());
  CHECK(Children() == before);
  CHECK(channel.End() == std::nullopt);
}

TEST_CASE("agent: it ends with its parent, however that ends", "[agent]") {
  const Receiver receiver(Behaviour::kHangs);
  const Setup setup("send_every: 10ms\nsend_timeout: 60s\nendpoint: " + receiver.url() + "\n");
  const pid_t judging = ::fork();
  if (judging == 0) {
    MetricsChannel channel(setup.config);
    channel.SetBatch(0, "a");
    // A worker that outlives it has its socket, too.
    if (::fork() == 0) {
      ::usleep(2'000'000);
      ::_exit(0);
    }
    ::sleep(20);
    ::_exit(0);
  }
  REQUIRE(receiver.Waits(1));
  CHECK_FALSE(MachineLock(setup.lock).IsOurs());
  ::kill(judging, SIGKILL);
  ::waitpid(judging, nullptr, 0);
  CHECK(Eventually([&] { return MachineLock(setup.lock).IsOurs(); }));
}

TEST_CASE("agent: each GPU of the driver's library is measured, and one that does not tell has a reason", "[agent]") {
  const Receiver receiver(Behaviour::kGood);
  const Setup setup("send_every: 50ms\nendpoint: " + receiver.url() + "\n");
  ::setenv("LD_LIBRARY_PATH", (BuildFolder() + "/bin/fake-driver").c_str(), 1);
  MetricsChannel channel(setup.config);
  ::unsetenv("LD_LIBRARY_PATH");
  channel.SetBatch(0, "a");
  REQUIRE(receiver.Waits(1));
  channel.End();
  const Json delivery = receiver.deliveries()[0];
  std::map<std::string, Json> first;
  for (const Json& series : delivery["samples"]["series"]) {
    first[series["name"].get<std::string>() + " " + series["instance"].get<std::string>()] = series["values"][0];
  }
  CHECK(first["gpu_utilization 0"] == 73);
  CHECK(first["gpu_memory_free 0"] == 600);
  CHECK(first["gpu_memory_free 1"] == 601);
  CHECK_FALSE(first.contains("gpu_utilization 1"));
  const Json missing{{"name", "gpu_utilization"}, {"instance", "1"}, {"reason", "Not Supported"}};
  const Json& failed = delivery["not_measured"];
  CHECK(std::find(failed.begin(), failed.end(), missing) != failed.end());
  CHECK(setup.Logs("gpu_utilization 1: not measured: Not Supported\n"));
}

TEST_CASE("agent: with `enabled: no` there is none", "[agent]") {
  const Setup setup("enabled: no\n");
  const std::set<pid_t> before = Children();
  MetricsChannel channel(setup.config);
  channel.SetBatch(0, "a");
  channel.RecordTiming(kRunTiming, Milliseconds(1));
  CHECK(Children() == before);
  CHECK(channel.End() == std::nullopt);
  CHECK_FALSE(fs::exists(setup.path() + "/log"));
}

TEST_CASE("agent: a log that cannot be written is told before anything starts", "[agent]") {
  const ScratchFolder folder;
  const std::string config = folder.Write("m.yaml", "prometheus: 127.0.0.1:0\nlog: /no/folder/log\n");
  CHECK_THROWS_WITH(MetricsChannel(config), config + ": log: /no/folder/log: No such file or directory");
}

// One GET over a connection of its own.
std::string Get(const std::string& address, const std::string& request) {
  const ListenAddress to = ParseListenAddress(address);
  const Fd fd(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
  if (::connect(fd.get(), reinterpret_cast<const sockaddr*>(&to.storage), to.size) != 0) return "";
  sys::WriteAll(fd.get(), request, "request");
  return sys::ReadAll(fd.get(), "answer");
}

TEST_CASE("agent: its Prometheus page is there while it lives, and bad clients are told so", "[agent]") {
  const Setup setup("prometheus: 127.0.0.1:0\n");
  MetricsChannel channel(setup.config);
  channel.SetBatch(41, "a");
  channel.RecordTiming(kQueueTiming, Milliseconds(2));
  const bool is_there = setup.Logs("/metrics\n");
  INFO(setup.Log());
  REQUIRE(is_there);
  const std::string log = setup.Log();
  const std::size_t begin = log.find("http://") + 7;
  const std::string address = log.substr(begin, log.find("/metrics") - begin);
  const auto page = [&] { return Get(address, "GET /metrics HTTP/1.0\r\n\r\n"); };
  CHECK(Eventually([&] { return page().find("tally_cpu_utilization_ratio{core=\"mean\"}") != std::string::npos; }));
  const std::string text = page();
  CHECK(text.starts_with("HTTP/1.1 200 OK\r\nContent-Type: text/plain; version=0.0.4"));
  CHECK(text.find("\ntally_batch 41\n") != std::string::npos);
  CHECK(text.find("\ntally_step_seconds_count{step=\"queue\"} 1\n") != std::string::npos);
  CHECK(Get(address, "GET / HTTP/1.0\r\n\r\n").starts_with("HTTP/1.1 404 "));
  CHECK(Get(address, "DELETE /metrics HTTP/1.0\r\n\r\n").starts_with("HTTP/1.1 405 "));
  CHECK(Get(address, "hello\r\n\r\n").starts_with("HTTP/1.1 400 "));
  CHECK(Get(address, "GET /metrics HTTP/1.1\r\nContent-Length: 9\r\n\r\n").starts_with("HTTP/1.1 413 "));
  // A page on a port that is taken is missed, and nothing else is.
  const Setup other("prometheus: " + address + "\n");
  MetricsChannel without(other.config);
  CHECK(other.Logs("Address already in use; there is no page\n"));
}

}  // namespace
}  // namespace tally

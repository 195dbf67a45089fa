// What dies, and what is guaranteed then (docs/dispatcher.md): the worker, its instances, the broker, the network, the
// disk. Every request is answered; nothing is left behind.
#include <arpa/inet.h>
#include <fmt/format.h>
#include <signal.h>
#include <sys/socket.h>
#include <unistd.h>

#include <filesystem>

#include "base/base64.h"
#include "base/listen_address.h"
#include "base/sys.h"
#include "tests/support/broker.h"
#include "tests/support/catch.h"
#include "tests/support/cli_run.h"
#include "tests/support/skip.h"
#include "tests/support/relay.h"
#include "tests/support/worker_run.h"

namespace tally {
namespace {

namespace fs = std::filesystem;

using Answers = std::map<std::string, std::vector<Json>>;

constexpr std::size_t kMany = 200;

// Until there are answers to `count` different requests, or none comes for long.
void Collect(TestClient& client, std::size_t count, Answers* all) {
  while (all->size() < count) {
    Answers more = client.Await(1, std::chrono::seconds(20));
    if (more.empty()) return;
    for (auto& [id, answers] : more) {
      for (Json& answer : answers) (*all)[id].push_back(std::move(answer));
    }
  }
}

std::size_t CountAll(const Answers& answers) {
  std::size_t count = 0;
  for (const auto& one : answers) count += one.second.size();
  return count;
}

bool AllAre(const Answers& answers, const std::string& code) {
  for (const auto& [id, list] : answers) {
    for (const Json& answer : list) {
      if (answer.value("result_code", "") != code) return false;
    }
  }
  return true;
}

bool AreGone(const std::vector<pid_t>& processes) {
  return Soon([&] {
    for (const pid_t pid : processes) {
      if (fs::exists(fmt::format("/proc/{}/exe", pid))) return false;
    }
    return true;
  });
}

std::size_t Entries(const std::string& folder) {
  return static_cast<std::size_t>(std::distance(fs::directory_iterator(folder), fs::directory_iterator()));
}

std::string LongJob() { return JobOf("sleep_long", {{"exec_real_time_limit", 0}}); }

TEST_CASE("killed worker: in the midst of 200 jobs another one goes on, and nothing is left of the first",
          "[failures]") {
  if (const auto reason = Broker::WhyAbsent()) TALLY_SKIP(*reason);
  const JobQueue queue("killed");
  const ScratchFolder work;
  auto first = std::make_unique<WorkerRun>(
      WorkerOptions{.queue = queue.name(), .settings = "instances: 2\n", .work_folder = work.path()});
  REQUIRE(first->Says("connected"));
  TestClient client(Broker::Shared());
  for (std::size_t i = 0; i < kMany; ++i) client.Ask(queue.name(), JobOf("hello"));
  REQUIRE(first->Says("answered", 20));
  const std::vector<pid_t> instances = first->instances();
  CHECK(instances.size() == 2);
  first->Signal(SIGKILL);
  REQUIRE(first->Ends() == 128 + SIGKILL);
  CHECK(AreGone(instances));

  WorkerRun second({.queue = queue.name(), .settings = "instances: 2\n", .work_folder = work.path()});
  REQUIRE(second.Says("connected"));
  CHECK(Entries(work.path()) == 2);  // the lock and its own folder: it removed the other one
  Answers answers;
  Collect(client, kMany, &answers);
  CHECK(answers.size() == kMany);
  CHECK(AllAre(answers, "OK"));
  // Only what was in hand may have been answered and not acknowledged.
  CHECK(CountAll(answers) <= kMany + 2);
  second.Signal(SIGTERM);
  CHECK(second.Ends() == 0);
  CHECK(Broker::Shared().MessagesIn(queue.name()) == 0u);
  CHECK(Broker::Shared().MessagesIn(queue.dead()) == std::nullopt);
  CHECK(Entries(work.path()) == 1);
}

TEST_CASE("killed instance: the request is tried again, and after its tries it is a dead letter and an error",
          "[failures]") {
  if (const auto reason = Broker::WhyAbsent()) TALLY_SKIP(*reason);
  const JobQueue queue("poison");
  WorkerRun worker({.queue = queue.name(), .settings = "instances: 1\ntries: 3\n"});
  REQUIRE(worker.Says("connected"));
  TestClient client(Broker::Shared());
  client.Ask(queue.name(), LongJob());
  for (std::size_t i = 1; i <= 3; ++i) {
    REQUIRE(worker.Says("works on a request", i));
    for (const pid_t instance : worker.instances()) ::kill(instance, SIGKILL);
  }
  Answers answers;
  Collect(client, 1, &answers);
  REQUIRE(CountAll(answers) == 1);
  const Json& answer = answers.begin()->second.front();
  CHECK(answer["result_code"] == "SE");
  CHECK(answer["result_string"] ==
        "given up after 3 tries: the process that worked on it died: signal 9 (Killed)");
  CHECK(worker.Said("request is tried again").size() == 2);
  CHECK(client.Call(queue.name(), JobOf("hello"))["result_code"] == "OK");

  AmqpConnection reader(Broker::Shared().address());
  reader.Consume(queue.dead());
  const auto dead = reader.Next(std::chrono::seconds(10));
  REQUIRE(dead.has_value());
  const MessageProperties& properties = std::get<Delivery>(*dead).message.properties;
  CHECK(properties.headers["x-tally-tries"] == 3);
  CHECK(properties.headers["x-tally-queue"] == queue.name());
  CHECK(properties.correlation_id == answers.begin()->first);
}

TEST_CASE("killed worker: a request that takes one worker after the other with it ends, too", "[failures]") {
  if (const auto reason = Broker::WhyAbsent()) TALLY_SKIP(*reason);
  const JobQueue queue("murder");
  const std::string settings = "instances: 1\ntries: 2\n";
  TestClient client(Broker::Shared());
  auto worker = std::make_unique<WorkerRun>(WorkerOptions{.queue = queue.name(), .settings = settings});
  REQUIRE(worker->Says("connected"));
  client.Ask(queue.name(), LongJob());
  for (int i = 0; i < 2; ++i) {
    REQUIRE(worker->Says("works on a request"));
    worker = std::make_unique<WorkerRun>(WorkerOptions{.queue = queue.name(), .settings = settings});
  }
  Answers answers;
  Collect(client, 1, &answers);
  REQUIRE(CountAll(answers) == 1);
  CHECK(answers.begin()->second.front()["result_string"] ==
        "given up after 2 tries: a worker got it and did not answer");
  CHECK(Broker::Shared().MessagesIn(queue.dead()) == 1u);
}

TEST_CASE("absent broker: it is tried for ever and said once; who asks the worker gets an answer meanwhile",
          "[failures]") {
  // Takes connections and hangs up: as many as come, so many tries there were.
  const Fd listener = ListenOn("127.0.0.1:0");
  const ListenAddress address = ParseListenAddress(AddressOf(listener));
  sockaddr_in four{};
  std::memcpy(&four, &address.storage, sizeof four);
  WorkerRun worker({.queue = "test.absent", .port = ntohs(four.sin_port)});
  const std::string page = worker.page();
  for (int tries = 0; tries < 4; ++tries) {
    Fd client;
    REQUIRE(Soon([&] { return (client = Fd(::accept(listener.get(), nullptr, nullptr))).valid(); }));
    CHECK(Get(page, "/health").status == 200);
    CHECK(Get(page, "/ready").status == 503);
  }
  CHECK(worker.Said("the broker is not there; trying again").size() == 1);
  worker.Signal(SIGTERM);
  CHECK(worker.Ends() == 0);
}

TEST_CASE("killed broker: in the midst of 200 jobs it comes back, and all are answered", "[failures]") {
  if (const auto reason = Broker::WhyAbsent()) TALLY_SKIP(*reason);
  const JobQueue queue("broker");
  WorkerRun worker({.queue = queue.name(), .settings = "instances: 2\n"});
  REQUIRE(worker.Says("connected"));
  TestClient client(Broker::Shared());
  for (std::size_t i = 0; i < kMany; ++i) client.Ask(queue.name(), JobOf("hello"));
  Answers answers;
  Collect(client, 20, &answers);
  Broker::Shared().Kill();
  REQUIRE(worker.Says("the broker is not there; trying again"));
  Broker::Shared().Start();
  REQUIRE(worker.Says("connected", 2));
  CHECK(worker.Said("the broker is not there; trying again").size() == 1);
  client.Reconnect();
  Collect(client, kMany, &answers);
  CHECK(answers.size() == kMany);
  CHECK(AllAre(answers, "OK"));
  worker.Signal(SIGTERM);
  CHECK(worker.Ends() == 0);
}

// A network namespace with one line to ours, which can be cut.
class Line {
 public:
  Line() {
    Run("ip netns add {0}");
    Run("ip link add {0} type veth peer name {0}p");
    Run("ip link set {0}p netns {0}");
    Run("ip addr add 10.213.77.1/30 dev {0}");
    Run("ip -n {0} addr add 10.213.77.2/30 dev {0}p");
    Run("ip link set {0} up");
    Run("ip -n {0} link set {0}p up");
    Run("ip -n {0} link set lo up");
  }
  ~Line() {
    Run("ip link del {0}");
    Run("ip netns del {0}");
  }
  Line(const Line&) = delete;
  Line& operator=(const Line&) = delete;
  void Cut() { Run("ip link set {0} down"); }
  void Mend() { Run("ip link set {0} up"); }
  [[nodiscard]] bool works() const { return works_; }
  [[nodiscard]] const std::string& name() const { return name_; }

 private:
  void Run(const char* command) {
    works_ = Shell(fmt::format(fmt::runtime(command), name_) + " 2>&1").status == 0 && works_;
  }
  std::string name_ = fmt::format("tally{}", ::getpid());
  bool works_ = true;
};

TEST_CASE("cut network: both ends notice, another worker answers, and the first one comes back", "[failures]") {
  if (const auto reason = Broker::WhyAbsent()) TALLY_SKIP(*reason);
  if (::geteuid() != 0) TALLY_SKIP("only root may make a network namespace with a line to ours");
  const JobQueue queue("cut");
  Line line;
  if (!line.works()) TALLY_SKIP("this machine lets nobody make such a line (ip netns, veth)");
  const Relay relay("10.213.77.1", Broker::Shared().port());
  WorkerRun cut({.queue = queue.name(),
                 .settings = "instances: 1\n",
                 .host = "10.213.77.1",
                 .network_namespace = line.name()});
  REQUIRE(cut.Says("connected"));
  TestClient client(Broker::Shared());
  client.Ask(queue.name(), LongJob());
  REQUIRE(cut.Says("works on a request"));
  line.Cut();
  REQUIRE(cut.Says("the broker is not there; trying again"));
  WorkerRun other({.queue = queue.name(), .settings = "instances: 1\nauto_shutdown: 500ms\n"});
  Answers answers;
  Collect(client, 1, &answers);
  REQUIRE(CountAll(answers) == 1);
  CHECK(answers.begin()->second.front().value("result_string", "").starts_with("it was not done after 500 ms"));
  line.Mend();
  REQUIRE(cut.Says("connected", 2));
  other.Signal(SIGTERM);
  CHECK(other.Ends() == 0);
  CHECK(client.Call(queue.name(), JobOf("hello"))["result_code"] == "OK");
  CHECK(cut.Said("answered").size() == 1);
}

TEST_CASE("full disk: a job that does not fit is answered with the reason, and the next one is served", "[failures]") {
  if (const auto reason = Broker::WhyAbsent()) TALLY_SKIP(*reason);
  if (::geteuid() != 0) TALLY_SKIP("only root may mount a small disk");
  const JobQueue queue("disk");
  WorkerRun worker({.queue = queue.name(), .settings = "instances: 1\n", .disk = "1m"});
  REQUIRE(worker.Says("connected"));
  TestClient client(Broker::Shared());
  const Json job{{"job_type", "exec"},
                 {"exe_file", "/hello"},
                 {"in_file", "/in"},
                 {"inline_files", {{"/in", EncodeBase64(std::string(2 << 20, 'a'))}}}};
  const Json answer = client.Call(queue.name(), job.dump());
  CHECK(answer["result_code"] == "SE");
  CHECK(answer.value("result_string", "").find("No space left on device") != std::string::npos);
  CHECK_FALSE(answer.contains("inline_files"));
  CHECK(client.Call(queue.name(), JobOf("hello"))["result_code"] == "OK");
}

}  // namespace
}  // namespace tally

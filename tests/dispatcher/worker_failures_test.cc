// What a request does to those who work on it, and a broker that is not there (docs/dispatcher.md): tries are counted,
// and end. What dies in the midst of many requests is in fault_test.cc.
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

std::string LongJob() { return JobOf("sleep_long", {{"exec_real_time_limit", 0}}); }

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
  const auto answers = client.Await(1);
  REQUIRE(answers.size() == 1);
  REQUIRE(answers.begin()->second.size() == 1);
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
  const auto answers = client.Await(1);
  REQUIRE(answers.size() == 1);
  REQUIRE(answers.begin()->second.size() == 1);
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

}  // namespace
}  // namespace tally

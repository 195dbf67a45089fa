// What dies in the midst of 200 requests (docs/dispatcher.md, "What is guaranteed when what dies"): the worker, the
// broker, the network, the disk; with jobs, and with evaluations, whose instances have compilers and sandboxes below
// them. Each request is answered, and nothing is left behind.
#include <fmt/format.h>
#include <signal.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <set>

#include "base/base64.h"
#include "base/sys.h"
#include "tests/support/broker.h"
#include "tests/support/catch.h"
#include "tests/support/network_line.h"
#include "tests/support/relay.h"
#include "tests/support/skip.h"
#include "tests/support/worker_run.h"

namespace tally {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMany = 200;

enum class Kind { kJobs, kEvaluations };

// Requests of one kind, and what is right to answer. A queue of its own, gone with it.
class Work {
 public:
  Work(Kind kind, const std::string& name)
      : kind_(kind), jobs_("midst." + name), evaluations_(fmt::format("eva.v{}.request", kApiVersion)) {}
  ~Work() {
    try {
      Broker::Shared().DeleteQueue(evaluations_);
    } catch (const std::exception&) {  // no worker made it
    }
  }
  Work(const Work&) = delete;
  Work& operator=(const Work&) = delete;

  [[nodiscard]] std::string queue() const { return kind_ == Kind::kJobs ? jobs_.name() : evaluations_; }
  [[nodiscard]] std::string dead() const { return jobs_.dead(); }

  // For its workers: they all are alike.
  [[nodiscard]] WorkerOptions Options() const {
    return {.queue = jobs_.name(),
            .settings = fmt::format("instances: 2\napi_version: {}\n", kApiVersion),
            .evaluations = kind_ == Kind::kEvaluations};
  }

  [[nodiscard]] std::string Request() const { return RequestWith("1\n"); }

  // One whose input does not fit on a small disk.
  [[nodiscard]] std::string BigRequest() const { return RequestWith(std::string(6 << 20, ' ') + "1\n"); }

  [[nodiscard]] std::string HugeRequest() const { return RequestWith(std::string(20 << 20, ' ') + "1\n"); }

  [[nodiscard]] bool IsRight(const Json& answer) const {
    if (kind_ == Kind::kJobs) return answer.value("result_code", "") == "OK";
    return answer.value("success", false) && answer["result"]["test"]["passed"] == 1;
  }

  // Why the worker could not: "" when it could.
  [[nodiscard]] std::string Failure(const Json& answer) const {
    if (kind_ == Kind::kJobs) return answer.value("result_code", "") == "SE" ? answer.value("result_string", "") : "";
    return answer.value("success", true) ? "" : answer["message"].get<std::string>();
  }

 private:
  static constexpr int kApiVersion = 77;

  [[nodiscard]] std::string RequestWith(const std::string& input) const {
    if (kind_ == Kind::kJobs) {
      return JobOf("hello", {{"in_file", "/in"}, {"inline_files", {{"/in", EncodeBase64(input)}}}});
    }
    static const char* const solution =
        "#include <stdio.h>\nint main(void) { int a; return scanf(\"%d\", &a) == 1 ? printf(\"%d\\n\", a + 1) < 0 : 1; }\n";
    return Json{{"stack_ref", "io"},
                {"solution_files", {{{"path", "next.c"}, {"content", solution}}}},
                {"test_files", {{{"path", "in/1.in"}, {"content", input}}, {{"path", "out/1.out"}, {"content", "2\n"}}}},
                {"capability", {{"compile", true}, {"test", true}}}}
        .dump();
  }

  Kind kind_;
  JobQueue jobs_;
  std::string evaluations_;
};

using Answers = std::map<std::string, std::vector<Json>>;

// Until there are answers to `count` different requests, or none comes for long.
void Collect(TestClient& client, std::size_t count, Answers* all) {
  while (all->size() < count) {
    Answers more = client.Await(1, std::chrono::seconds(20));
    if (more.empty()) return;
    for (auto& [id, answers] : more) {
      std::move(answers.begin(), answers.end(), std::back_inserter((*all)[id]));
    }
  }
}

std::size_t CountAll(const Answers& answers) {
  std::size_t count = 0;
  for (const auto& one : answers) count += one.second.size();
  return count;
}

bool AllAreRight(const Work& work, const Answers& answers) {
  for (const auto& [id, list] : answers) {
    for (const Json& answer : list) {
      if (work.IsRight(answer)) continue;
      UNSCOPED_INFO(id << ": " << answer.dump());
      return false;
    }
  }
  return true;
}

void AddDescendants(pid_t process, std::set<pid_t>* all) {
  for (const pid_t child : ChildrenOf(process)) {
    if (all->insert(child).second) AddDescendants(child, all);
  }
}

bool AreGone(const std::set<pid_t>& processes) {
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

std::string Mounts() { return sys::ReadFile("/proc/self/mountinfo"); }

TEST_CASE("killed worker: in the midst of 200 requests another one goes on, and nothing is left of the first",
          "[failures]") {
  if (const auto reason = Broker::WhyAbsent()) TALLY_SKIP(*reason);
  const Work work(GENERATE(Kind::kJobs, Kind::kEvaluations), "worker");
  const ScratchFolder folder;
  const std::string mounts = Mounts();
  WorkerOptions options = work.Options();
  options.work_folder = folder.path();
  WorkerRun first(options);
  REQUIRE(first.Says("connected"));
  TestClient client(Broker::Shared());
  for (std::size_t i = 0; i < kMany; ++i) client.Ask(work.queue(), work.Request());
  REQUIRE(first.Says("answered", 20));
  CHECK(first.instances().size() == 2);
  // Stopped, so that none is born and none ends between the two: what is seen is what must die.
  first.Signal(SIGSTOP);
  std::set<pid_t> below;
  AddDescendants(first.pid(), &below);
  CHECK(below.size() >= 2);
  first.Signal(SIGKILL);
  REQUIRE(first.Ends() == 128 + SIGKILL);
  CHECK(AreGone(below));

  WorkerRun second(options);
  REQUIRE(second.Says("connected"));
  CHECK(Entries(folder.path()) == 2);  // the lock and its own folder: it removed the other one
  Answers answers;
  Collect(client, kMany, &answers);
  CHECK(answers.size() == kMany);
  CHECK(AllAreRight(work, answers));
  second.Signal(SIGTERM);
  CHECK(second.Ends() == 0);
  // Only what was in hand may have been answered and not acknowledged. It is asked once more, behind all others.
  const auto left = Broker::Shared().MessagesIn(work.queue());
  REQUIRE(left.has_value());
  CHECK(CountAll(answers) + *left <= kMany + 2);
  CHECK(Broker::Shared().MessagesIn(work.dead()) == 0u);
  CHECK(Entries(folder.path()) == 1);
  CHECK(Mounts() == mounts);
}

TEST_CASE("killed broker: in the midst of 200 requests it comes back, and all are answered", "[failures]") {
  if (const auto reason = Broker::WhyAbsent()) TALLY_SKIP(*reason);
  const Work work(GENERATE(Kind::kJobs, Kind::kEvaluations), "broker");
  WorkerRun worker(work.Options());
  REQUIRE(worker.Says("connected"));
  TestClient client(Broker::Shared());
  for (std::size_t i = 0; i < kMany; ++i) client.Ask(work.queue(), work.Request());
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
  CHECK(AllAreRight(work, answers));
  worker.Signal(SIGTERM);
  CHECK(worker.Ends() == 0);
  CHECK(Broker::Shared().MessagesIn(work.queue()) == 0u);
}

TEST_CASE("cut network: in the midst of 200 requests another worker goes on, and the first one comes back",
          "[failures]") {
  if (const auto reason = Broker::WhyAbsent()) TALLY_SKIP(*reason);
  if (const auto reason = NetworkLine::WhyAbsent()) TALLY_SKIP(*reason);
  const Work work(GENERATE(Kind::kJobs, Kind::kEvaluations), "network");
  NetworkLine line;
  const NetworkRelay relay(line.address(), Broker::Shared().port());
  WorkerOptions far = work.Options();
  far.host = line.address();
  far.network_namespace = line.name();
  WorkerRun cut(far);
  REQUIRE(cut.Says("connected"));
  TestClient client(Broker::Shared());
  for (std::size_t i = 0; i < kMany; ++i) client.Ask(work.queue(), work.Request());
  REQUIRE(cut.Says("answered", 20));
  line.Cut();
  REQUIRE(cut.Says("the broker is not there; trying again"));
  WorkerRun other(work.Options());
  Answers answers;
  Collect(client, kMany, &answers);
  CHECK(answers.size() == kMany);
  CHECK(AllAreRight(work, answers));
  CHECK(CountAll(answers) <= kMany + 2);
  other.Signal(SIGTERM);
  CHECK(other.Ends() == 0);
  line.Mend();
  REQUIRE(cut.Says("connected", 2));
  CHECK(work.IsRight(client.Call(work.queue(), work.Request())));
}

TEST_CASE("full disk: those of 200 requests that do not fit are answered with the reason, the others are done",
          "[failures]") {
  if (const auto reason = Broker::WhyAbsent()) TALLY_SKIP(*reason);
  if (::geteuid() != 0) TALLY_SKIP("only root may mount a small disk");
  const Work work(GENERATE(Kind::kJobs, Kind::kEvaluations), "disk");
  WorkerOptions options = work.Options();
  options.disk = "4m";
  options.settings += "least_free: 0b\n";
  WorkerRun worker(options);
  REQUIRE(worker.Says("connected"));
  TestClient client(Broker::Shared());
  std::set<std::string> big;
  for (std::size_t i = 0; i < kMany; ++i) {
    if (i % 20 == 10) {
      big.insert(client.Ask(work.queue(), work.BigRequest()));
    } else {
      client.Ask(work.queue(), work.Request());
    }
  }
  Answers answers;
  Collect(client, kMany, &answers);
  CHECK(answers.size() == kMany);
  CHECK(CountAll(answers) == kMany);
  for (const auto& [id, list] : answers) {
    INFO(list.front().dump().substr(0, 300));
    CHECK_FALSE(list.front().contains("inline_files"));  // what was sent does not come back
    if (big.contains(id)) {
      CHECK(work.Failure(list.front()).find("No space left on device") != std::string::npos);
    } else {
      CHECK(work.IsRight(list.front()));
    }
  }
  CHECK(work.IsRight(client.Call(work.queue(), work.Request())));
}

TEST_CASE("full disk: a worker that has no room takes no requests and is not ready, until there is room; no path of its machine is told", "[failures]") {
  if (const auto reason = Broker::WhyAbsent()) TALLY_SKIP(*reason);
  if (::geteuid() != 0) TALLY_SKIP("only root may mount a small disk");
  const Work work(Kind::kJobs, "no room");
  WorkerOptions options = work.Options();
  options.disk = "16m";
  options.settings += "least_free: 4m\n";
  WorkerRun worker(options);
  REQUIRE(worker.Says("connected"));
  CHECK(Soon([&] { return Get(worker.page(), "/ready").status == 200; }));
  TestClient client(Broker::Shared());
  CHECK(work.IsRight(client.Call(work.queue(), work.Request())));
  const std::string disk = fmt::format("/proc/{}/root{}", worker.pid(), worker.work_folder());
  std::ofstream(disk + "/filler") << std::string(14 << 20, 'x');
  REQUIRE(worker.Says("the disk is full; taking no more requests"));
  CHECK(Get(worker.page(), "/ready").status == 503);
  CHECK(Get(worker.page(), "/ready").body.find("full") != std::string::npos);
  for (int i = 0; i < 10; ++i) client.Ask(work.queue(), work.Request());
  CHECK(client.Await(1, std::chrono::seconds(3)).empty());
  CHECK(Broker::Shared().MessagesIn(work.queue()) == 10u);  // for others

  std::filesystem::remove(disk + "/filler");
  REQUIRE(worker.Says("the disk has room again; taking requests"));
  const auto answers = client.Await(10);
  CHECK(answers.size() == 10);
  for (const auto& [id, list] : answers) CHECK((list.size() == 1 && work.IsRight(list.front())));
  CHECK(Get(worker.page(), "/ready").status == 200);
  const std::string failure = work.Failure(client.Call(work.queue(), work.HugeRequest()));
  CHECK(failure.find("No space left on device") != std::string::npos);
  CHECK(failure.find(worker.work_folder()) == std::string::npos);
  worker.Signal(SIGTERM);
  CHECK(worker.Ends() == 0);
}

}  // namespace
}  // namespace tally

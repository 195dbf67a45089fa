// The worker between a real broker and its instances: who asks gets an answer, and what cannot be answered is said.
#include <fmt/format.h>
#include <signal.h>
#include <sys/socket.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <set>
#include <sstream>

#include "base/base64.h"
#include "base/fd.h"
#include "base/listen_address.h"
#include "base/sys.h"
#include "supervisor/resources/cgroup_parent.h"
#include "tests/support/broker.h"
#include "tests/support/catch.h"
#include "tests/support/relay.h"
#include "tests/support/run_program.h"
#include "tests/support/skip.h"
#include "tests/support/worker_run.h"

namespace tally {
namespace {

namespace fs = std::filesystem;

std::string LastOf(WorkerRun& worker, const std::string& message, const char* field) {
  const std::vector<Json> said = worker.Said(message);
  return said.empty() ? "nothing" : said.back().value(field, Json("no such field")).dump();
}

// The most requests that were worked on at one time.
int MostAtOnce(const std::string& log) {
  int now = 0, most = 0;
  std::istringstream lines(log);
  for (std::string line; std::getline(lines, line);) {
    const std::string message = Json::parse(line).value("message", "");
    if (message == "works on a request") most = std::max(most, ++now);
    if (message == "answered") --now;
  }
  return most;
}

TEST_CASE("worker: a job is answered, to whom it says, with its correlation id", "[worker]") {
  if (const auto reason = Broker::WhyAbsent()) TALLY_SKIP(*reason);
  const JobQueue queue("answers");
  WorkerRun worker({.queue = queue.name(), .settings = "instances: 1\n"});
  REQUIRE(worker.Says("connected"));
  TestClient client(Broker::Shared());
  const std::string hello = client.Ask(queue.name(), JobOf("hello", {{"mine", "kept"}}));
  const std::string crash = client.Ask(queue.name(), JobOf("segfault_null"));
  auto answers = client.Await(2);
  REQUIRE(answers.size() == 2);
  CHECK(answers[hello].at(0)["result_code"] == "OK");
  CHECK(answers[hello].at(0)["mine"] == "kept");
  CHECK(answers[crash].at(0)["result_code"] == "RE");

  // The same through the exchange to which the queue is bound.
  Message message;
  message.properties.correlation_id = "by topic";
  message.properties.reply_to = client.reply_queue();
  message.body = R"({"job_type": "ping", "ping": "hi"})";
  client.connection().PublishTo("amq.topic", queue.name(), message);
  CHECK(client.Await(1)["by topic"].at(0)["pong"] == "hi");
}

TEST_CASE("worker: files may travel with a job and back, and files of the worker's machine are not for clients",
          "[worker]") {
  if (const auto reason = Broker::WhyAbsent()) TALLY_SKIP(*reason);
  const JobQueue queue("files");
  WorkerRun worker({.queue = queue.name(), .settings = "instances: 1\n"});
  REQUIRE(worker.Says("connected"));
  TestClient client(Broker::Shared());
  const Json inlined{
      {"job_type", "exec"},
      {"exe_file", "/program"},
      {"in_file", "/in"},
      {"out_file", "/out"},
      {"inline_out", true},
      {"inline_files",
       {{"/program", EncodeBase64(sys::ReadFile(TestProgram("echo_stdin")))}, {"/in", EncodeBase64("a b\n")}}}};
  const Json answer = client.Call(queue.name(), inlined.dump());
  CHECK(answer["result_code"] == "OK");
  CHECK(answer["inline_files"][answer.value("out_file", "")] == EncodeBase64("a b\nEND\n"));

  const auto sentence = [&](const Json& job) { return client.Call(queue.name(), job.dump()).value("result_string", ""); };
  CHECK(sentence({{"job_type", "exec"}, {"exe_file", "/etc/passwd"}, {"use_filetracker", false}}) ==
        "exe_file: \"/etc/passwd\" would be a path of the machine that runs the job; expected a filetracker path "
        "(use_filetracker: true)");
  CHECK(sentence({{"job_type", "unsafe-exec"}, {"exe_file", "/hello"}}).starts_with("job_type: unsafe-exec runs"));
  CHECK(sentence({{"job_type", "exec"}, {"exe_file", "/hello"}, {"isolation", "reduced"}}).starts_with("isolation: "));
}

TEST_CASE("worker: what a user's job leaves is that user's, and nobody else's, whatever a message says of itself", "[worker]") {
  if (const auto reason = Broker::WhyAbsent()) TALLY_SKIP(*reason);
  const JobQueue queue("users");
  WorkerRun worker({.queue = queue.name(), .settings = "instances: 1\nbounds: {stored: 64K}\n"});
  REQUIRE(worker.Says("connected"));
  TestClient client(Broker::Shared());
  const auto as = [&](const std::string& user, const Json& headers, const std::string& in, const std::string& out, const std::string& text = "") {
    Message message;
    message.properties.correlation_id = out;
    message.properties.reply_to = client.reply_queue();
    message.properties.user_id = user;
    message.properties.headers = headers;
    Json job{{"job_type", "exec"}, {"exe_file", "/program"}, {"in_file", in}, {"out_file", out}, {"inline_files", {{"/program", EncodeBase64(sys::ReadFile(TestProgram("echo_stdin")))}}}};
    if (!text.empty()) job["inline_files"][in] = EncodeBase64(text);
    message.body = job.dump();
    client.connection().PublishTo("", queue.name(), message);
    const Json answer = client.Await(1)[out].at(0);
    return answer["result_code"] == "OK" ? std::string("OK") : answer.value("result_string", "");
  };
  const Json none = Json::object();
  CHECK(as("guest", none, "/in", "/left/by/guest", "hello\n") == "OK");
  CHECK(as("guest", none, "/left/by/guest", "/second") == "OK");
  CHECK(as("", none, "/left/by/guest", "/third").starts_with("in_file: filetracker file /left/by/guest is not in the store"));
  CHECK(as("", {{"x-tally-user", "guest"}}, "/left/by/guest", "/fourth").starts_with("in_file: filetracker file /left/by/guest is not in the store"));
  CHECK(as("", none, "/in", "/by/nobody", "hello\n") == "OK");
  CHECK(as("guest", none, "/by/nobody", "/fifth").starts_with("in_file: filetracker file /by/nobody is not in the store"));
  // The oldest make room, and what has none at all is refused.
  for (const char* name : {"/a", "/b"}) CHECK(as("guest", none, "/in", name, std::string(40'000, 'x')) == "OK");
  CHECK(as("guest", none, "/left/by/guest", "/sixth").starts_with("in_file: filetracker file /left/by/guest is not in the store"));
  CHECK(as("guest", none, "/in", "/large", std::string(70'000, 'x')) ==
        "out_file: the file has 68.4 KiB; this worker keeps 64.0 KiB of a user's at most (bounds.stored)");
}

TEST_CASE("worker: an agent beside it tells how long requests waited and took, and ends with it", "[worker]") {
  if (const auto reason = Broker::WhyAbsent()) TALLY_SKIP(*reason);
  const JobQueue queue("agent");
  const ScratchFolder folder;
  const std::string kept = folder.path() + "/kept";
  const std::string metrics = folder.Write("m.yaml", fmt::format("keep: {}\nlog: {}/log\nlock: tally-test-worker-{}\n", kept, folder.path(), ::getpid()));
  WorkerRun worker({.queue = queue.name(), .settings = "instances: 1\nmetrics: " + metrics + "\n"});
  REQUIRE(worker.Says("connected"));
  TestClient client(Broker::Shared());
  const std::string first = client.Ask(queue.name(), JobOf("hello")), second = client.Ask(queue.name(), JobOf("hello"));
  REQUIRE(client.Await(2).size() == 2);
  worker.Signal(SIGTERM);
  CHECK(worker.Ends() == 0);
  std::map<std::string, std::set<std::uint64_t>> batches;
  Json names = Json::object();
  std::istringstream lines(sys::ReadFile(kept));
  for (std::string line; std::getline(lines, line);) {
    const Json delivery = Json::parse(line);
    names.update(delivery["batches"]);
    for (const Json& timing : delivery["timings"]) batches[timing["name"]].insert(timing["batch"].get<std::uint64_t>());
  }
  CHECK(batches["queue"] == std::set<std::uint64_t>{0, 1});
  CHECK(batches["job"] == std::set<std::uint64_t>{0, 1});
  CHECK(names == Json{{"0", first}, {"1", second}});
}

TEST_CASE("worker: what is no job is answered with one sentence", "[worker]") {
  if (const auto reason = Broker::WhyAbsent()) TALLY_SKIP(*reason);
  const JobQueue queue("mistakes");
  WorkerRun worker({.queue = queue.name(), .settings = "instances: 1\nmax_request_size: 1M\n"});
  REQUIRE(worker.Says("connected"));
  TestClient client(Broker::Shared());
  const auto sentence = [&](const std::string& body) {
    const Json answer = client.Call(queue.name(), body);
    CHECK(answer.value("result_code", "") == "SE");
    return answer.value("result_string", "");
  };
  CHECK(sentence("{\"job_type\": ") != "");
  CHECK(sentence("[]") != "");
  CHECK(sentence("") != "");
  CHECK(sentence("{\"job_type\": \"fly\"}").starts_with("job_type: \"fly\" is unknown"));
  CHECK(sentence("{\"job_type\": \"\xff\"}") != "");
  CHECK(sentence(std::string(2 << 20, ' ')) == "the request has 2.0 MiB; this worker reads at most 1.0 MiB");
  // Read in constant memory.
  CHECK(sentence(std::string(64 << 20, ' ')).starts_with("the request has 64"));
  const std::string status = sys::ReadFile(fmt::format("/proc/{}/status", worker.pid()));
  if (!kSanitized) CHECK(std::stoll(status.substr(status.find("VmHWM:") + 6)) < 40 << 10);
  CHECK(client.Call(queue.name(), R"({"job_type": "ping"})")["pong"] == "pong");
  CHECK(worker.instances().size() == 1);
}

TEST_CASE("worker: what asks for more than the settings give is refused before it runs, a job and a package alike", "[worker]") {
  if (const auto reason = Broker::WhyAbsent()) TALLY_SKIP(*reason);
  const JobQueue queue("bounds");
  WorkerRun worker({.queue = queue.name(), .settings = "instances: 1\nmemory_limit: 128m\nbounds: {processes: 2, sandboxes: [exec-sandbox]}\n"});
  REQUIRE(worker.Says("connected"));
  TestClient client(Broker::Shared());
  const auto sentence = [&](const Json& keys) {
    const Json answer = client.Call(queue.name(), JobOf("hello", keys));
    return answer.value("result_code", "") + ": " + answer.value("result_string", "");
  };
  CHECK(sentence({{"exec_mem_limit", 1U << 30}}) == "SE: exec_mem_limit: found 1073741824 kB; this worker has 131072 kB at most (bounds.memory)");
  CHECK(sentence({{"exec_processes", 400}}) == "SE: exec_processes: found 400 processes; this worker has 2 processes at most (bounds.processes)");
  CHECK(sentence({{"exec_time_limit", 3600'000}}) == "SE: exec_time_limit: found 3600000 ms; this worker has 60000 ms at most (bounds.time)");
  CHECK(sentence({{"exec_out_limit", 600 << 20}}) == "SE: exec_out_limit: found 629145600 bytes; this worker has 268435456 bytes at most (bounds.output)");
  CHECK(sentence({{"sandbox", "compiler-default"}}) == "SE: sandbox: found compiler-default; this worker has exec-sandbox (bounds.sandboxes)");
  CHECK(sentence({{"exec_mem_limit", 131072}, {"exec_processes", 2}, {"sandbox", "exec-sandbox"}}).starts_with("OK: "));
}

TEST_CASE("worker: connections that say nothing, or only begin to, keep nobody from its pages", "[worker]") {
  if (const auto reason = Broker::WhyAbsent()) TALLY_SKIP(*reason);
  const JobQueue queue("crowd");
  WorkerRun worker({.queue = queue.name(), .settings = "instances: 1\n"});
  REQUIRE(worker.Says("connected"));
  const ListenAddress to = ParseListenAddress(worker.page());
  std::vector<Fd> crowd;
  for (int i = 0; i < 300; ++i) {
    crowd.emplace_back(::socket(to.storage.ss_family, SOCK_STREAM | SOCK_CLOEXEC, 0));
    REQUIRE(::connect(crowd.back().get(), reinterpret_cast<const sockaddr*>(&to.storage), to.size) == 0);
    if (i % 2 == 0) (void)::send(crowd.back().get(), "GET /hea", 8, MSG_NOSIGNAL);
    if (i % 50 == 49) CHECK(Get(worker.page(), "/health").status == 200);
  }
  CHECK(Soon([&] { return Get(worker.page(), "/ready").body == "ready\n"; }));
}

TEST_CASE("worker: a request that names no queue for its answer goes to the dead letters, with the reason", "[worker]") {
  if (const auto reason = Broker::WhyAbsent()) TALLY_SKIP(*reason);
  const JobQueue queue("noreply");
  WorkerRun worker({.queue = queue.name(), .settings = "instances: 1\n"});
  REQUIRE(worker.Says("connected"));
  TestClient client(Broker::Shared());
  client.Publish(queue.name(), {{}, "{\"job_type\": \"ping\"}"});
  REQUIRE(worker.Says("request goes to the dead letters"));
  REQUIRE(Soon([&] { return Broker::Shared().MessagesIn(queue.dead()) == 1u; }));
  AmqpConnection reader(Broker::Shared().address());
  reader.Consume(queue.dead());
  const auto dead = reader.Next(std::chrono::seconds(10));
  REQUIRE(dead.has_value());
  const Message& letter = std::get<Delivery>(*dead).message;
  CHECK(letter.body == "{\"job_type\": \"ping\"}");
  CHECK(letter.properties.headers["x-tally-reason"] == "it names no queue for its answer (reply_to)");
  CHECK(letter.properties.headers["x-tally-queue"] == queue.name());
}

TEST_CASE("worker: headers that no frame could bring back stay behind when a request goes to the dead letters", "[worker]") {
  if (const auto reason = Broker::WhyAbsent()) TALLY_SKIP(*reason);
  const JobQueue queue("headers");
  WorkerRun worker({.queue = queue.name(), .settings = "instances: 1\n"});
  REQUIRE(worker.Says("connected"));
  TestClient client(Broker::Shared());
  Message message{{}, "{\"job_type\": \"ping\"}"};
  message.properties.headers = {{"many", Json(std::vector<int>(12'000, 1))}, {"x-tally-tries", 2}};
  client.Publish(queue.name(), message);
  REQUIRE(Soon([&] { return Broker::Shared().MessagesIn(queue.dead()) == 1u; }));
  AmqpConnection reader(Broker::Shared().address());
  reader.Consume(queue.dead());
  const auto dead = reader.Next(std::chrono::seconds(10));
  REQUIRE(dead.has_value());
  const Json& headers = std::get<Delivery>(*dead).message.properties.headers;
  CHECK(headers["x-tally-tries"] == 2);
  CHECK_FALSE(headers.contains("many"));
  CHECK(worker.Said("connected").size() == 1);
}

TEST_CASE("worker: a request's own routing goes no further: what is published again goes to one queue", "[worker]") {
  if (const auto reason = Broker::WhyAbsent()) TALLY_SKIP(*reason);
  const JobQueue queue("routed");
  WorkerRun worker({.queue = queue.name(), .settings = "instances: 1\n"});
  REQUIRE(worker.Says("connected"));
  TestClient client(Broker::Shared());
  Message message{{}, "x"};
  message.properties.headers = {{"CC", {queue.name(), client.reply_queue()}}, {"mine", "kept"}};
  client.Publish(queue.name(), message);
  // Those that the client's own publishing made; none comes of the dead letter.
  REQUIRE(Soon([&] { return Broker::Shared().MessagesIn(queue.dead()).value_or(0) >= 1; }));
  CHECK(client.Call(queue.name(), R"({"job_type": "ping"})")["pong"] == "pong");
  const std::size_t buried = worker.Said("request goes to the dead letters").size();
  CHECK(buried <= 2);
  CHECK(client.Call(queue.name(), R"({"job_type": "ping"})")["pong"] == "pong");
  CHECK(worker.Said("request goes to the dead letters").size() == buried);
  AmqpConnection reader(Broker::Shared().address());
  reader.Consume(queue.dead());
  const auto dead = reader.Next(std::chrono::seconds(10));
  REQUIRE(dead.has_value());
  const Json& headers = std::get<Delivery>(*dead).message.properties.headers;
  CHECK(headers["mine"] == "kept");
  CHECK_FALSE(headers.contains("CC"));
}

TEST_CASE("worker: when nobody waits for an answer any more, the request is over", "[worker]") {
  if (const auto reason = Broker::WhyAbsent()) TALLY_SKIP(*reason);
  const JobQueue queue("gone");
  WorkerRun worker({.queue = queue.name(), .settings = "instances: 1\n"});
  REQUIRE(worker.Says("connected"));
  TestClient client(Broker::Shared());
  Message message;
  message.properties.reply_to = "nobody-has-this-queue";
  message.body = "{\"job_type\": \"ping\"}";
  client.Publish(queue.name(), message);
  REQUIRE(worker.Says("nobody waits for this answer any more"));
  CHECK(client.Call(queue.name(), R"({"job_type": "ping"})")["pong"] == "pong");
  worker.Signal(SIGTERM);
  CHECK(worker.Ends() == 0);
  CHECK(Broker::Shared().MessagesIn(queue.name()) == 0u);
}

TEST_CASE("worker: two instances work on two requests at once, and never on three", "[worker]") {
  if (const auto reason = Broker::WhyAbsent()) TALLY_SKIP(*reason);
  const JobQueue queue("two");
  WorkerRun worker({.queue = queue.name(), .settings = "instances: 2\n"});
  REQUIRE(worker.Says("connected"));
  TestClient client(Broker::Shared());
  for (int i = 0; i < 6; ++i) client.Ask(queue.name(), JobOf("sleeps_briefly"));
  CHECK(client.Await(6).size() == 6);
  REQUIRE(worker.Said("answered").size() == 6);
  CHECK(MostAtOnce(worker.log()) == 2);
}

TEST_CASE("worker: each instance has half a processor, by a cgroup where one can be made; a killed worker's go with the next",
          "[worker]") {
  if (const auto reason = Broker::WhyAbsent()) TALLY_SKIP(*reason);
  std::string why;
  const auto room = FindCgroupParent("cpu", &why);
  const JobQueue queue("quota");
  const WorkerOptions options{.queue = queue.name(), .settings = "instances: 2\ncpu_quota: 0.5\n"};
  std::vector<pid_t> killed;
  const auto has_cgroup = [&](pid_t pid) { return fs::exists(fmt::format("{}/tally-cpu-{}", room->directory, pid)); };
  {
    WorkerRun worker(options);
    REQUIRE(worker.Says("an instance is ready", 2));
    for (const Json& said : worker.Said("an instance is ready")) {
      CHECK(said["cpu_quota"] == (room ? fmt::format("cgroup v{}", room->version) : "affinity"));
    }
    killed = worker.instances();
    REQUIRE(killed.size() == 2);
    if (room) CHECK((has_cgroup(killed[0]) && has_cgroup(killed[1])));
    worker.Signal(SIGKILL);
    worker.Ends();
  }
  CHECK(Soon([&] { return ::kill(killed[0], 0) != 0 && ::kill(killed[1], 0) != 0; }));
  WorkerRun worker(options);
  REQUIRE(worker.Says("an instance is ready", 2));
  if (room) CHECK_FALSE((has_cgroup(killed[0]) || has_cgroup(killed[1])));
  const std::vector<pid_t> ended = worker.instances();
  worker.Signal(SIGTERM);
  CHECK(worker.Ends() == 0);
  if (room) CHECK_FALSE((has_cgroup(ended.at(0)) || has_cgroup(ended.at(1))));
}

TEST_CASE("worker: told to end, it answers what it has in hand and leaves the rest to others", "[worker]") {
  if (const auto reason = Broker::WhyAbsent()) TALLY_SKIP(*reason);
  const JobQueue queue("drain");
  WorkerRun worker({.queue = queue.name(), .settings = "instances: 2\n"});
  REQUIRE(worker.Says("connected"));
  TestClient client(Broker::Shared());
  for (int i = 0; i < 6; ++i) client.Ask(queue.name(), JobOf("sleeps_briefly"));
  REQUIRE(worker.Says("works on a request"));
  worker.Signal(SIGTERM);
  const std::string folder = worker.work_folder();
  CHECK(worker.Ends() == 0);
  const std::size_t answered = worker.Said("answered").size();
  CHECK(answered >= 1);
  CHECK(answered < 6);
  CHECK(client.Await(answered).size() == answered);
  CHECK(Broker::Shared().MessagesIn(queue.name()) == 6 - answered);
  CHECK(std::distance(fs::directory_iterator(folder), fs::directory_iterator()) == 1);  // the lock
}

TEST_CASE("worker: told twice to end, it ends at once and gives back what it has in hand", "[worker]") {
  if (const auto reason = Broker::WhyAbsent()) TALLY_SKIP(*reason);
  const JobQueue queue("twice");
  WorkerRun worker({.queue = queue.name(), .settings = "instances: 1\n"});
  REQUIRE(worker.Says("connected"));
  TestClient client(Broker::Shared());
  client.Ask(queue.name(), JobOf("sleep_long", {{"exec_real_time_limit", 0}}));
  REQUIRE(worker.Says("works on a request"));
  worker.Signal(SIGTERM);
  REQUIRE(worker.Says("ending when the requests in hand are answered"));
  worker.Signal(SIGTERM);
  CHECK(worker.Ends() == 0);
  CHECK(Soon([&] { return Broker::Shared().MessagesIn(queue.name()) == 1u; }));
}

TEST_CASE("worker: told twice to end, it does not wait for a broker that reads no more", "[worker]") {
  if (const auto reason = Broker::WhyAbsent()) TALLY_SKIP(*reason);
  const JobQueue queue("deaf");
  const NetworkRelay relay("127.0.0.3", Broker::Shared().port(), 1 << 20);
  WorkerRun worker({.queue = queue.name(), .settings = "instances: 1\n", .host = "127.0.0.3"});
  REQUIRE(worker.Says("connected"));
  TestClient client(Broker::Shared());
  const Json job{{"job_type", "exec"},
                 {"exe_file", "/program"},
                 {"in_file", "/in"},
                 {"out_file", "/out"},
                 {"inline_out", true},
                 {"inline_files",
                  {{"/program", EncodeBase64(sys::ReadFile(TestProgram("echo_stdin")))},
                   {"/in", EncodeBase64(std::string(12 << 20, 'x'))}}}};
  client.Ask(queue.name(), job.dump());
  REQUIRE(worker.Says("answered"));
  worker.Signal(SIGTERM);
  REQUIRE(worker.Says("ending when the requests in hand are answered"));
  worker.Signal(SIGTERM);
  CHECK(worker.Ends() == 0);
}

TEST_CASE("worker: a request that takes too long is ended and answered, and the next one is served", "[worker]") {
  if (const auto reason = Broker::WhyAbsent()) TALLY_SKIP(*reason);
  const JobQueue queue("toolong");
  WorkerRun worker({.queue = queue.name(), .settings = "instances: 1\nauto_shutdown: 1s\n"});
  REQUIRE(worker.Says("connected"));
  TestClient client(Broker::Shared());
  const Json answer = client.Call(queue.name(), JobOf("sleep_long", {{"exec_real_time_limit", 0}}));
  CHECK(answer["result_code"] == "SE");
  CHECK(answer["result_string"] == "it was not done after 1.00 s and was ended (auto_shutdown)");
  CHECK(client.Call(queue.name(), JobOf("hello"))["result_code"] == "OK");
}

TEST_CASE("worker: /health, /ready and /metrics say how it is", "[worker]") {
  if (const auto reason = Broker::WhyAbsent()) TALLY_SKIP(*reason);
  const JobQueue queue("pages");
  WorkerRun worker({.queue = queue.name(), .settings = "instances: 1\n"});
  const std::string page = worker.page();
  REQUIRE(worker.Says("connected"));
  TestClient client(Broker::Shared());
  client.Call(queue.name(), R"({"job_type": "ping"})");
  CHECK(Get(page, "/health").status == 200);
  CHECK(Soon([&] { return Get(page, "/ready").status == 200; }));
  CHECK(Get(page, "/elsewhere").status == 404);
  const Page metrics = Get(page, "/metrics");
  CHECK(metrics.status == 200);
  for (const char* line :
       {"tally_worker_connected 1\n", "tally_worker_instances 1\n", "tally_worker_connections_total 1\n",
        "tally_worker_requests_total{kind=\"job\",outcome=\"answered\"} 1\n",
        "tally_worker_request_seconds_count{kind=\"job\"} 1\n", "tally_worker_info{version="}) {
    CAPTURE(line);
    CHECK(metrics.body.find(line) != std::string::npos);
  }
}

TEST_CASE("worker: a broker that refuses it from the start ends it with one sentence", "[worker]") {
  if (const auto reason = Broker::WhyAbsent()) TALLY_SKIP(*reason);
  SECTION("dead letters that somebody declared with other arguments, before there is one") {
    const JobQueue queue("dead others");
    AmqpConnection(Broker::Shared().address()).Declare({.name = queue.dead(), .durable = true, .arguments = {{"x-max-length", 1}}});
    WorkerRun worker({.queue = queue.name()});
    CHECK(worker.Ends() == 1);
    CHECK(LastOf(worker, "worker cannot work", "reason").find(queue.dead()) != std::string::npos);
  }
  SECTION("a queue that somebody declared with other arguments") {
    const JobQueue queue("others");
    AmqpConnection(Broker::Shared().address()).Declare({.name = queue.name(), .durable = true});
    WorkerRun worker({.queue = queue.name()});
    CHECK(worker.Ends() == 1);
    CHECK(LastOf(worker, "worker cannot work", "reason").find("x-expires") != std::string::npos);
    CHECK(LastOf(worker, "worker cannot work", "reason").find(queue.name()) != std::string::npos);
  }
}

TEST_CASE("worker: a password that the broker does not take is tried again from the start, and not shown", "[worker]") {
  if (const auto reason = Broker::WhyAbsent()) TALLY_SKIP(*reason);
  const JobQueue queue("late password");
  const ScratchFolder folder;
  const std::string file = folder.Write("password", "not-this-one\n");
  WorkerRun worker({.queue = queue.name(), .environment = {"EVA_DISPATCHER_RABBITMQ_PASSWORD_FILE=" + file}});
  REQUIRE(worker.Says("the broker refuses us; trying again"));
  CHECK(LastOf(worker, "the broker refuses us; trying again", "reason").find("ACCESS_REFUSED") != std::string::npos);
  CHECK(Get(worker.page(), "/ready").status == 503);
  folder.Write("password", "guest\n");
  REQUIRE(worker.Says("connected"));
  TestClient client(Broker::Shared());
  CHECK(client.Call(queue.name(), JobOf("hello")).value("result_code", "") == "OK");
  CHECK(worker.Said("the broker refuses us; trying again").size() == 1);  // once, not with each try
  CHECK(worker.log().find("not-this-one") == std::string::npos);
}

TEST_CASE("worker: quorum queues serve requests and take dead letters, declared by the worker or before it", "[worker]") {
  if (const auto reason = Broker::WhyAbsent()) TALLY_SKIP(*reason);
  const JobQueue queue(GENERATE(as<std::string>(), "quorum", "quorum before"));
  if (queue.name().ends_with("before")) {
    AmqpConnection(Broker::Shared().address()).Declare({.name = queue.name(), .durable = true, .arguments = {{"x-expires", 60000}, {"x-queue-type", "quorum"}}});
  }
  // Two queues, whose common bound a quorum queue does not have.
  WorkerRun worker({.queue = queue.name(), .settings = "queue_type: quorum\ninstances: 2\napi_version: 77\n", .evaluations = true});
  REQUIRE(worker.Says("connected"));
  TestClient client(Broker::Shared());
  for (int i = 0; i < 10; ++i) client.Ask(queue.name(), JobOf("hello"));
  const auto answers = client.Await(10);
  CHECK(answers.size() == 10);
  for (const auto& [id, texts] : answers) CHECK((texts.size() == 1 && texts.front().value("result_code", "") == "OK"));
  CHECK(client.Call("eva.v77.request", "{}").value("success", true) == false);
  Message lost;
  lost.body = "nobody is to be answered";
  client.Publish(queue.name(), lost);
  REQUIRE(Soon([&] { return Broker::Shared().MessagesIn(queue.dead()) == 1u; }));
  Broker::Shared().DeleteQueue("eva.v77.request");
}

}  // namespace
}  // namespace tally

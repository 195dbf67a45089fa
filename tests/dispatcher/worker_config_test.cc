// What a worker may be told, by its file and by the environment, and how mistakes in either are told.
#include "dispatcher/worker_config.h"

#include <map>

#include "base/error.h"
#include "dispatcher/frames.h"
#include "dispatcher/instance_settings.h"
#include "tests/support/catch.h"

namespace tally {
namespace {

using std::chrono::minutes, std::chrono::seconds;
using Variables = std::map<std::string, std::string>;

WorkerConfig Read(std::string_view text, const Variables& variables = {}) {
  return ReadWorkerConfig(YamlMap::FromText(text, "w.yaml"),
                          [&](const char* name) -> std::optional<std::string> {
                            const auto found = variables.find(name);
                            if (found == variables.end()) return std::nullopt;
                            return found->second;
                          });
}

TEST_CASE("worker config: without a word it is as the documentation says", "[config]") {
  const WorkerConfig config = Read("{}\n");
  CHECK(config.broker.Text() == "amqp://guest@127.0.0.1:5672/");
  CHECK(config.broker.heartbeat == seconds(10));
  CHECK(config.request_queue() == "eva.v1.request");
  CHECK(config.job_queue == "tally.v1.job");
  CHECK(config.dead_queue == "tally.v1.dead");
  CHECK(config.queue_expires == minutes(30));
  CHECK(config.tries == 5);
  CHECK(config.instances >= 1);
  CHECK(config.evaluation.auto_shutdown == minutes(10));
  CHECK_FALSE(config.evaluation.host_network);
  CHECK_FALSE(config.plain_paths);
  CHECK_FALSE(config.weak_isolation);
  CHECK(config.http == "127.0.0.1:9466");
  CHECK(config.broker.most_body == Bytes::MiB(32).count);
}

TEST_CASE("worker config: jobs have bounds that nobody has to say, and their memory is that of evaluations", "[config]") {
  const WorkerBounds bounds = Read("memory_limit: 1g\n").evaluation.bounds;
  CHECK(bounds.time == seconds(60));
  CHECK(bounds.memory == Bytes::MiB(1024));
  CHECK(bounds.output == Bytes::MiB(256));
  CHECK(bounds.processes == 64u);
  CHECK(bounds.unpacked == Bytes::MiB(256));
}

TEST_CASE("worker config: every key arrives", "[config]") {
  const WorkerConfig config = Read(
      "rabbitmq: {host: b.example, port: 5673, vhost: judge, user: me, password: x, heartbeat: 3s, connect_timeout: 1s, "
      "retry_at_most: 5s, tls: {ca_file: ca.pem, certificate: c.pem, key: k.pem, verify_host: no}}\n"
      "api_version: 7\nqueue_expires: 1h\njob_queue: j\ndead_queue: d\nevaluations: no\njobs: yes\ninstances: 3\n"
      "tries: 2\nmax_request_size: 1M\nmax_answer_size: 2M\ncompile_timeout: 1s\nstyle_timeout: 2s\ntest_timeout: 3s\n"
      "codecov_timeout: 4s\nauto_shutdown: 5s\nmax_output_size: 1k\nmemory_limit: 256m\ncpu_quota: 0.5\n"
      "network_mode: host\nimage_cache_ttl: -1\nwork_folder: /w\nplain_paths: yes\nweak_isolation: yes\nhttp: none\n"
      "queue_type: quorum\nleast_free: 1m\nbounds: {time: 5s, memory: 1g, output: 1m, processes: 7, unpacked: 2m, stored: 3m, sandboxes: [a, b], compilers: [c11]}\nmetrics: m.yaml\nlog: text\n");
  CHECK(config.broker.Text() == "amqps://me@b.example:5673/judge");
  CHECK(config.broker.tls->ca_file == "ca.pem");
  CHECK(config.broker.tls->verify_peer);
  CHECK_FALSE(config.broker.tls->verify_host);
  CHECK(config.request_queue() == "eva.v7.request");
  CHECK(config.retry_at_most == seconds(5));
  CHECK(config.instances == 3);
  CHECK(config.tries == 2);
  CHECK(config.queue_type == "quorum");
  CHECK(config.least_free == Bytes::MiB(1));
  const WorkerBounds& bounds = config.evaluation.bounds;
  CHECK(bounds.time == seconds(5));
  CHECK(bounds.memory == Bytes::MiB(1024));
  CHECK(bounds.output == Bytes::MiB(1));
  CHECK(bounds.processes == 7u);
  CHECK(bounds.unpacked == Bytes::MiB(2));
  CHECK(bounds.stored == Bytes::MiB(3));
  CHECK(config.metrics == "m.yaml");
  CHECK(bounds.sandboxes == std::vector<std::string>{"a", "b"});
  CHECK(bounds.compilers == std::vector<std::string>{"c11"});
  CHECK(config.max_answer_size == Bytes::MiB(2));
  CHECK(config.evaluation.test_timeout == seconds(3));
  CHECK(config.evaluation.auto_shutdown == seconds(5));
  CHECK(config.evaluation.max_output_size == Characters{1024});
  CHECK(config.evaluation.memory_limit == Bytes::MiB(256));
  CHECK(config.evaluation.cpu_quota == 0.5);
  CHECK(config.evaluation.host_network);
  CHECK(config.evaluation.image_cache_seconds == -1);
  CHECK(config.http.empty());
  CHECK(config.log == LogForm::kText);
}

TEST_CASE("worker config: the environment wins over the file, and the documented names over the old ones", "[config]") {
  const WorkerConfig config =
      Read("rabbitmq: {host: a, password_file: /p}\ninstances: 3\nmemory_limit: 1g\ncompile_timeout: 9s\n",
           {{"EVA_DISPATCHER_RABBITMQ_HOST", "b"},
            {"EVA_DISPATCHER_RABBITMQ_PASSWORD", "secret"},
            {"EVA_DISPATCHER_MAX_INSTANCES", "4"},
            {"EVA_DISPATCHER_DOCKER_MAX_INSTANCES", "5"},
            {"EVA_DISPATCHER_DOCKER_MEM_LIMIT", "512m"},
            {"EVA_DISPATCHER_DOCKER_CPU_QUOTA", "1.5"},
            {"EVA_DISPATCHER_DOCKER_NETWORK_MODE", "host"},
            {"EVA_DISPATCHER_DOCKER_IMG_CACHE_TTL", "-1"},
            {"EVA_DISPATCHER_EV_COMPILE_TIMEOUT", "30"},
            {"EVA_DISPATCHER_EV_MAX_OUTPUT_SIZE", "1000"},
            {"EVA_DISPATCHER_AUTO_SHUTDOWN", "0.5"}});
  CHECK(config.broker.host == "b");
  CHECK(config.broker.password == "secret");
  CHECK(config.password_file.empty());
  CHECK(config.instances == 4);
  CHECK(config.evaluation.memory_limit == Bytes::MiB(512));
  CHECK(config.evaluation.cpu_quota == 1.5);
  CHECK(config.evaluation.host_network);
  CHECK(config.evaluation.image_cache_seconds == -1);
  CHECK(config.evaluation.compile_timeout == seconds(30));
  CHECK(config.evaluation.max_output_size == Characters{1000});
  CHECK(config.evaluation.auto_shutdown == Milliseconds(500));
}

TEST_CASE("worker config: the environment's seconds and sizes may have units, and are never below nothing", "[config]") {
  const WorkerConfig config = Read("instances: 1\n", {{"EVA_DISPATCHER_EV_TEST_TIMEOUT", "2m"}, {"EVA_DISPATCHER_EV_MAX_OUTPUT_SIZE", "8k"}});
  CHECK(config.evaluation.test_timeout == minutes(2));
  CHECK(config.evaluation.max_output_size == Characters{8192});
  CHECK_THROWS_AS(Read("instances: 1\n", {{"EVA_DISPATCHER_EV_TEST_TIMEOUT", "-1e300"}}), UserError);
  CHECK_THROWS_AS(Read("instances: 1\n", {{"EVA_DISPATCHER_EV_TEST_TIMEOUT", "nan"}}), UserError);
  CHECK_THROWS_AS(Read("instances: 1\n", {{"EVA_DISPATCHER_EV_MAX_OUTPUT_SIZE", ""}}), UserError);
}

TEST_CASE("worker config: a mistake is told with its place and key, or with its variable", "[config]") {
  using Catch::Matchers::StartsWith;
  CHECK_THROWS_WITH(Read("instanecs: 2\n"), StartsWith("w.yaml:1:1: instanecs: unknown key (did you mean \"instances\"?)"));
  CHECK_THROWS_WITH(Read("instances: 0\n"), StartsWith("w.yaml:1:12: instances: "));
  CHECK_THROWS_WITH(Read("rabbitmq: {prot: 1}\n"), StartsWith("w.yaml:1:12: rabbitmq.prot: unknown key"));
  CHECK_THROWS_WITH(Read("rabbitmq: {password: a, password_file: b}\n"),
                    StartsWith("w.yaml:1:40: rabbitmq.password_file: password is there, too"));
  CHECK_THROWS_WITH(Read("rabbitmq: {tls: {key: k}}\n"), HasPart("one of certificate and key"));
  CHECK_THROWS_WITH(Read("cpu_quota: many\n"), StartsWith("w.yaml:1:12: cpu_quota: found \"many\"; expected a number"));
  CHECK(Read("max_output_size: 2000\n").evaluation.max_output_size == Characters{2000});
  CHECK_THROWS_WITH(Read("max_output_size: 3m\n"), "w.yaml:1:18: max_output_size: found \"3m\"; expected characters, 1 to 2,097,152");
  CHECK_THROWS_WITH(Read("http: here\n"), StartsWith("w.yaml:1:7: http: "));
  CHECK_THROWS_WITH(Read("evaluations: no\njobs: no\n"), StartsWith("w.yaml:2:7: jobs: evaluations is no, too"));
  CHECK_THROWS_WITH(Read("{}\n", {{"EVA_DISPATCHER_MAX_INSTANCES", "some"}}),
                    "EVA_DISPATCHER_MAX_INSTANCES: found \"some\"; expected a whole number, 1 to 1024");
  CHECK_THROWS_WITH(Read("{}\n", {{"EVA_DISPATCHER_DOCKER_NETWORK_MODE", "bridge"}}),
                    "EVA_DISPATCHER_DOCKER_NETWORK_MODE: found \"bridge\"; expected none or host");
}

TEST_CASE("instance settings: what is written is read", "[config]") {
  InstanceSettings settings{Read("cpu_quota: 0.25\nnetwork_mode: host\ntest_timeout: 77ms\n").evaluation, true, true, true,
                            Bytes{17}};
  const InstanceSettings read = ReadInstanceSettings(WriteInstanceSettings(settings));
  CHECK(WriteInstanceSettings(read) == WriteInstanceSettings(settings));
  CHECK(read.evaluation.test_timeout == Milliseconds(77));
  CHECK(read.evaluation.cpu_quota == 0.25);
  CHECK(read.max_answer_size == Bytes{17});
  CHECK(read.sio);
}

TEST_CASE("frames: they are whole however their bytes come", "[config]") {
  const std::string bytes = HeadOf(FrameKind::kJob, 3) + "abc" + HeadOf(FrameKind::kAnswer, 0);
  for (const std::size_t piece : {1u, 5u, 100u}) {
    FrameBuffer buffer;
    std::vector<Frame> frames;
    for (std::size_t at = 0; at < bytes.size(); at += piece) {
      buffer.Add(std::string_view(bytes).substr(at, piece));
      while (auto frame = buffer.Take()) frames.push_back(*std::move(frame));
    }
    REQUIRE(frames.size() == 2);
    CHECK(frames[0].kind == FrameKind::kJob);
    CHECK(frames[0].body == "abc");
    CHECK(frames[1].kind == FrameKind::kAnswer);
    CHECK(frames[1].body.empty());
  }
}

}  // namespace
}  // namespace tally

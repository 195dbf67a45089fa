#include "dispatcher/worker_config.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>

#include "base/error.h"
#include "base/listen_address.h"
#include "base/processors.h"
#include "base/sys.h"
#include "dispatcher/setting_values.h"

namespace tally {
namespace {

using std::chrono::hours, std::chrono::minutes, std::chrono::seconds;

constexpr Nanoseconds kMostJobTime = seconds(60);
constexpr Bytes kMostUnpacked = Bytes::MiB(256);
constexpr Bytes kMostStored = Bytes::MiB(1024);  // of a user's

void ReadName(YamlMap& yaml, const char* key, std::string* out) {
  const std::optional<std::string> found = yaml.OptionalText(key);
  if (!found) return;
  if (found->empty() || found->size() > kLongestName) {
    yaml.Fail(key, fmt::format("expected a name of 1 to {} letters", kLongestName));
  }
  *out = *found;
}

void ReadTls(YamlMap& rabbitmq, AmqpAddress* broker) {
  std::optional<YamlMap> yaml = rabbitmq.OptionalMap("tls");
  if (!yaml) return;
  AmqpTls tls;
  tls.ca_file = yaml->OptionalText("ca_file").value_or("");
  tls.certificate = yaml->OptionalText("certificate").value_or("");
  tls.key = yaml->OptionalText("key").value_or("");
  tls.verify_peer = yaml->Bool("verify_peer", tls.verify_peer);
  tls.verify_host = yaml->Bool("verify_host", tls.verify_host);
  yaml->Finish();
  if (tls.certificate.empty() != tls.key.empty()) {
    yaml->Fail("", "one of certificate and key; expected both, or neither");
  }
  if (!tls.verify_peer) tls.verify_host = false;
  broker->tls = std::move(tls);
  broker->port = 5671;
}

void ReadBroker(YamlMap& worker, WorkerConfig* config) {
  std::optional<YamlMap> yaml = worker.OptionalMap("rabbitmq");
  if (!yaml) return;
  AmqpAddress& broker = config->broker;
  ReadTls(*yaml, &broker);
  ReadName(*yaml, "host", &broker.host);
  if (const auto port = yaml->OptionalCount("port", 1, 65535)) broker.port = static_cast<std::uint16_t>(*port);
  ReadName(*yaml, "vhost", &broker.vhost);
  ReadName(*yaml, "user", &broker.user);
  const std::optional<std::string> password = yaml->OptionalText("password");
  broker.password = password.value_or(broker.password);
  config->password_file = yaml->OptionalText("password_file").value_or("");
  if (password && !config->password_file.empty()) {
    yaml->Fail("password_file", "password is there, too; expected one of them");
  }
  yaml->ReadDuration("heartbeat", seconds(1), minutes(10), &broker.heartbeat);
  yaml->ReadDuration("connect_timeout", Milliseconds(100), minutes(1), &broker.connect_timeout);
  yaml->ReadDuration("retry_at_most", Milliseconds(10), minutes(10), &config->retry_at_most);
  yaml->Finish();
}

// A value whose parser does not know where it stands.
template <typename Value>
void ReadValue(YamlMap& yaml, const char* key, Value (*parse)(const std::string&), Value* out) {
  const std::optional<std::string> text = yaml.OptionalText(key);
  if (!text) return;
  try {
    *out = parse(*text);
  } catch (const UserError& mistake) {
    yaml.Fail(key, mistake.what());
  }
}

void ReadEvaluation(YamlMap& yaml, EvaluationSettings* out) {
  yaml.ReadDuration("compile_timeout", kShortestPhase, kLongestPhase, &out->compile_timeout);
  yaml.ReadDuration("style_timeout", kShortestPhase, kLongestPhase, &out->style_timeout);
  yaml.ReadDuration("test_timeout", kShortestPhase, kLongestPhase, &out->test_timeout);
  yaml.ReadDuration("codecov_timeout", kShortestPhase, kLongestPhase, &out->codecov_timeout);
  yaml.ReadDuration("auto_shutdown", kShortestPhase, kLongestPhase, &out->auto_shutdown);
  ReadValue(yaml, "max_output_size", ParseOutputSize, &out->max_output_size);
  yaml.ReadSize("memory_limit", kLeastMemoryLimit, kMostMemoryLimit, &out->memory_limit);
  ReadValue(yaml, "cpu_quota", ParseCpus, &out->cpu_quota);
  if (const auto mode = yaml.OptionalWord("network_mode", {"none", "host"})) out->host_network = *mode == "host";
  ReadValue(yaml, "image_cache_ttl", ParseCacheSeconds, &out->image_cache_seconds);
}

// What jobs may ask for; a package of `io` the same. Memory is that of evaluations unless it is said.
void ReadBounds(YamlMap& yaml, EvaluationSettings* evaluation) {
  WorkerBounds& bounds = evaluation->bounds;
  std::optional<YamlMap> map = yaml.OptionalMap("bounds");
  if (!map) return;
  map->ReadDuration("time", seconds(1), hours(24), &*bounds.time);
  if (Bytes memory; map->Has("memory")) {
    map->ReadSize("memory", kLeastMemoryLimit, kMostMemoryLimit, &memory);
    bounds.memory = memory;
  }
  map->ReadSize("output", Bytes::KiB(64), Bytes::MiB(1 << 20), &*bounds.output);
  map->ReadSize("unpacked", Bytes::KiB(64), Bytes::MiB(1 << 20), &*bounds.unpacked);
  map->ReadSize("stored", Bytes::KiB(64), Bytes::MiB(1 << 30), &*bounds.stored);
  bounds.processes = map->OptionalCount("processes", 1, 100'000).value_or(*bounds.processes);
  bounds.sandboxes = map->TextList("sandboxes");
  bounds.compilers = map->TextList("compilers");
  map->Finish();
}

void ReadHttp(YamlMap& yaml, WorkerConfig* config) {
  const std::optional<std::string> address = yaml.OptionalText("http");
  if (!address) return;
  config->http = *address == "none" ? "" : *address;
  if (config->http.empty()) return;
  try {
    ParseListenAddress(config->http);
  } catch (const UserError& mistake) {
    yaml.Fail("http", fmt::format("{}, or none", mistake.what()));
  }
}

void ReadFile(YamlMap& yaml, WorkerConfig* config) {
  ReadBroker(yaml, config);
  config->api_version = yaml.OptionalCount("api_version", 1, 1'000'000).value_or(config->api_version);
  yaml.ReadDuration("queue_expires", seconds(1), hours(24 * 40), &config->queue_expires);
  config->queue_type = yaml.OptionalWord("queue_type", {"classic", "quorum"}).value_or("");
  ReadName(yaml, "job_queue", &config->job_queue);
  ReadName(yaml, "dead_queue", &config->dead_queue);
  config->evaluations = yaml.Bool("evaluations", config->evaluations);
  config->jobs = yaml.Bool("jobs", config->jobs);
  config->instances = yaml.OptionalCount("instances", 1, kMostInstances).value_or(config->instances);
  config->tries = yaml.OptionalCount("tries", 1, 1000).value_or(config->tries);
  yaml.ReadSize("max_request_size", Bytes::KiB(1), Bytes::MiB(128), &config->max_request_size);
  yaml.ReadSize("max_answer_size", Bytes::KiB(1), Bytes::MiB(128), &config->max_answer_size);
  ReadEvaluation(yaml, &config->evaluation);
  ReadBounds(yaml, &config->evaluation);
  config->work_folder = yaml.OptionalText("work_folder").value_or("");
  yaml.ReadSize("least_free", Bytes{0}, Bytes::MiB(1 << 20), &config->least_free);
  config->plain_paths = yaml.Bool("plain_paths", config->plain_paths);
  config->weak_isolation = yaml.Bool("weak_isolation", config->weak_isolation);
  ReadHttp(yaml, config);
  config->metrics = yaml.OptionalText("metrics").value_or("");
  if (const auto form = yaml.OptionalWord("log", {"json", "text"})) {
    config->log = *form == "json" ? LogForm::kJson : LogForm::kText;
  }
  yaml.Finish();
  if (!config->evaluations && !config->jobs) yaml.Fail("jobs", "evaluations is no, too; expected one of them to be yes");
}

}  // namespace

std::string WorkerConfig::request_queue() const { return fmt::format("eva.v{}.request", api_version); }

WorkerConfig ReadWorkerConfig(std::optional<YamlMap> yaml, const EnvironmentLookup& environment) {
  WorkerConfig config;
  config.instances = std::max<std::uint64_t>(1, OwnProcessors().size());
  WorkerBounds& bounds = config.evaluation.bounds;
  bounds.time = kMostJobTime;
  bounds.unpacked = kMostUnpacked;
  bounds.stored = kMostStored;
  if (yaml) ReadFile(*yaml, &config);
  ReadWorkerEnvironment(environment, &config);
  if (!bounds.memory) bounds.memory = config.evaluation.memory_limit;
  config.broker.name = "tally worker";
  config.broker.most_body = config.max_request_size.count;
  return config;
}

std::string PasswordIn(const std::string& path) {
  const std::optional<std::string> text = sys::TryReadFile(path);
  if (!text) throw UserError(fmt::format("password_file: {} cannot be read", path));
  return text->substr(0, text->find_first_of("\r\n"));
}

std::optional<std::string> FromProcessEnvironment(const char* variable) {
  const char* const value = std::getenv(variable);
  if (value == nullptr) return std::nullopt;
  return value;
}

}  // namespace tally

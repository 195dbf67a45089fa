// The environment over the configuration file: the names of the evaluation system whose contract we keep, and those with
// DOCKER, which it used to have.
#include <fmt/format.h>

#include <array>
#include <charconv>

#include "base/error.h"
#include "dispatcher/setting_values.h"
#include "dispatcher/worker_config.h"

namespace tally {
namespace {

std::uint64_t WholeNumber(const std::string& text, std::uint64_t least, std::uint64_t most) {
  std::uint64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size() || number < least || number > most) {
    throw UserError(fmt::format("found \"{}\"; expected a whole number, {} to {}", text, least, most));
  }
  return number;
}

// That contract has bare numbers: seconds, and fractions of them; where people write a unit, they get it.
Nanoseconds Seconds(const std::string& text) {
  double seconds = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), seconds);
  Nanoseconds time{};
  if (error == std::errc() && end == text.data() + text.size() && seconds >= 0 && seconds < 1e6) {
    time = Nanoseconds(static_cast<std::int64_t>(seconds * 1e9));
  } else {
    time = ParseDuration(text);
  }
  if (time < kShortestPhase || time > kLongestPhase) {
    throw UserError(fmt::format("found \"{}\"; expected seconds, 0.01 to 86400", text));
  }
  return time;
}

std::string Name(const std::string& text) {
  if (text.empty() || text.size() > kLongestName) throw UserError(fmt::format("expected a name of 1 to {} letters", kLongestName));
  return text;
}

bool IsHostNetwork(const std::string& text) {
  if (text != "none" && text != "host") throw UserError(fmt::format("found \"{}\"; expected none or host", text));
  return text == "host";
}

Bytes Size(const std::string& text, Bytes least, Bytes most) {
  const Bytes size = ParseBytes(text);
  if (size < least || size > most) {
    throw UserError(fmt::format("found \"{}\"; expected {} to {}", text, FormatBytes(least), FormatBytes(most)));
  }
  return size;
}

struct Variable {
  const char* name;
  const char* old_name;  // nullptr: there is none
  void (*set)(const std::string& text, WorkerConfig* config);
};

constexpr std::array<Variable, 17> kVariables{{
    {"EVA_DISPATCHER_RABBITMQ_HOST", nullptr, [](const std::string& t, WorkerConfig* c) { c->broker.host = Name(t); }},
    {"EVA_DISPATCHER_RABBITMQ_PORT", nullptr,
     [](const std::string& t, WorkerConfig* c) {
       c->broker.port = static_cast<std::uint16_t>(WholeNumber(t, 1, 65535));
     }},
    {"EVA_DISPATCHER_RABBITMQ_VHOST", nullptr,
     [](const std::string& t, WorkerConfig* c) { c->broker.vhost = Name(t); }},
    {"EVA_DISPATCHER_RABBITMQ_USER", nullptr, [](const std::string& t, WorkerConfig* c) { c->broker.user = Name(t); }},
    {"EVA_DISPATCHER_RABBITMQ_PASSWORD_FILE", nullptr,
     [](const std::string& t, WorkerConfig* c) { c->password_file = t; }},
    {"EVA_DISPATCHER_RABBITMQ_PASSWORD", nullptr,
     [](const std::string& t, WorkerConfig* c) {
       c->broker.password = t;
       c->password_file.clear();
     }},
    {"EVA_DISPATCHER_MAX_INSTANCES", "EVA_DISPATCHER_DOCKER_MAX_INSTANCES",
     [](const std::string& t, WorkerConfig* c) { c->instances = WholeNumber(t, 1, kMostInstances); }},
    {"EVA_DISPATCHER_CPU_QUOTA", "EVA_DISPATCHER_DOCKER_CPU_QUOTA",
     [](const std::string& t, WorkerConfig* c) { c->evaluation.cpu_quota = ParseCpus(t); }},
    {"EVA_DISPATCHER_MEM_LIMIT", "EVA_DISPATCHER_DOCKER_MEM_LIMIT",
     [](const std::string& t, WorkerConfig* c) { c->evaluation.memory_limit = Size(t, kLeastMemoryLimit, kMostMemoryLimit); }},
    {"EVA_DISPATCHER_NETWORK_MODE", "EVA_DISPATCHER_DOCKER_NETWORK_MODE",
     [](const std::string& t, WorkerConfig* c) { c->evaluation.host_network = IsHostNetwork(t); }},
    {"EVA_DISPATCHER_IMG_CACHE_TTL", "EVA_DISPATCHER_DOCKER_IMG_CACHE_TTL",
     [](const std::string& t, WorkerConfig* c) { c->evaluation.image_cache_seconds = ParseCacheSeconds(t); }},
    {"EVA_DISPATCHER_EV_COMPILE_TIMEOUT", nullptr,
     [](const std::string& t, WorkerConfig* c) { c->evaluation.compile_timeout = Seconds(t); }},
    {"EVA_DISPATCHER_EV_STYLE_TIMEOUT", nullptr,
     [](const std::string& t, WorkerConfig* c) { c->evaluation.style_timeout = Seconds(t); }},
    {"EVA_DISPATCHER_EV_TEST_TIMEOUT", nullptr,
     [](const std::string& t, WorkerConfig* c) { c->evaluation.test_timeout = Seconds(t); }},
    {"EVA_DISPATCHER_EV_CODECOV_TIMEOUT", nullptr,
     [](const std::string& t, WorkerConfig* c) { c->evaluation.codecov_timeout = Seconds(t); }},
    {"EVA_DISPATCHER_EV_MAX_OUTPUT_SIZE", nullptr,
     [](const std::string& t, WorkerConfig* c) { c->evaluation.max_output_size = ParseOutputSize(t); }},
    {"EVA_DISPATCHER_AUTO_SHUTDOWN", nullptr,
     [](const std::string& t, WorkerConfig* c) { c->evaluation.auto_shutdown = Seconds(t); }},
}};

}  // namespace

void ReadWorkerEnvironment(const EnvironmentLookup& environment, WorkerConfig* config) {
  for (const Variable& variable : kVariables) {
    const char* name = variable.name;
    std::optional<std::string> text = environment(name);
    if (!text && variable.old_name != nullptr) {
      name = variable.old_name;
      text = environment(name);
    }
    if (!text) continue;
    try {
      variable.set(*text, config);
    } catch (const UserError& mistake) {
      throw UserError(fmt::format("{}: {}", name, mistake.what()));
    }
  }
}

}  // namespace tally

#include "profile/metrics/config.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/error.h"
#include "base/listen_address.h"

namespace tally {
namespace {

constexpr std::uint64_t kLargestBatch = 1'000'000'000;
constexpr std::size_t kLongestText = 2000;
constexpr std::size_t kLongestName = 64;

bool IsPlain(const std::string& text) {
  return std::all_of(text.begin(), text.end(), [](unsigned char c) { return c > ' ' && c != 127; });
}

void ReadEndpoint(YamlMap& yaml, MetricsConfig* config) {
  const std::optional<std::string> endpoint = yaml.OptionalText("endpoint");
  if (!endpoint) return;
  const std::size_t scheme = endpoint->starts_with("http://") ? 7 : endpoint->starts_with("https://") ? 8 : 0;
  if (scheme == 0 || endpoint->size() == scheme || (*endpoint)[scheme] == '/' || !IsPlain(*endpoint) ||
      endpoint->size() > kLongestText) {
    yaml.Fail("endpoint", "this is no address of a receiver; expected one like http://127.0.0.1:9465/v1/deliveries");
  }
  config->endpoint = *endpoint;
}

void ReadPrometheus(YamlMap& yaml, MetricsConfig* config) {
  const std::optional<std::string> address = yaml.OptionalText("prometheus");
  if (!address) return;
  try {
    ParseListenAddress(*address);
  } catch (const UserError& mistake) {
    yaml.Fail("prometheus", mistake.what());
  }
  config->prometheus = *address;
}

void ReadAbstractName(YamlMap& yaml, const char* key, std::string* out) {
  const std::optional<std::string> name = yaml.OptionalText(key);
  if (!name) return;
  if (name->size() > kLongestName || !IsPlain(*name)) {
    yaml.Fail(key, fmt::format("expected a word of at most {} letters", kLongestName));
  }
  *out = *name;
}

// What is stored somewhere has a bound. Who only asks for what is now may do so for ever.
void ReadAtMost(YamlMap& yaml, MetricsConfig* config) {
  if (yaml.Has("at_most") && yaml.OptionalText("at_most") == "none") {
    if (!config->endpoint.empty() || !config->keep.empty()) yaml.Fail("at_most", "none is for an agent that sends and keeps nothing; expected a duration, as there is an endpoint or a file to keep deliveries in");
    config->at_most.reset();
    return;
  }
  yaml.ReadDuration("at_most", Milliseconds(1), std::chrono::minutes(5), &*config->at_most);
}

}  // namespace

MetricsConfig ReadMetricsConfig(YamlMap yaml) {
  using std::chrono::minutes, std::chrono::seconds;
  MetricsConfig config;
  config.enabled = yaml.Bool("enabled", config.enabled);
  ReadEndpoint(yaml, &config);
  ReadPrometheus(yaml, &config);
  config.label = yaml.OptionalText("label").value_or("");
  if (config.label.size() > kLongestText) yaml.Fail("label", "longer than 2000 letters; expected a short text");
  config.start_on_batch = yaml.OptionalCount("start_on_batch", 0, kLargestBatch).value_or(config.start_on_batch);
  config.end_after_batch = yaml.OptionalCount("end_after_batch", 0, kLargestBatch);
  yaml.ReadDuration("interval", Milliseconds(10), seconds(60), &config.interval);
  yaml.ReadDuration("send_every", Milliseconds(10), minutes(5), &config.send_every);
  yaml.ReadDuration("send_timeout", Milliseconds(10), minutes(1), &config.send_timeout);
  yaml.ReadDuration("retry_after", Nanoseconds(0), minutes(1), &config.retry_after);
  config.keep = yaml.OptionalText("keep").value_or("");
  config.log = yaml.OptionalText("log").value_or("");
  if (config.log == "stderr") config.log.clear();
  ReadAtMost(yaml, &config);
  ReadAbstractName(yaml, "lock", &config.lock);
  ReadAbstractName(yaml, "records", &config.records);
  config.timings = yaml.Bool("timings", config.timings);
  yaml.Finish();
  if (config.end_after_batch && *config.end_after_batch < config.start_on_batch) {
    yaml.Fail("end_after_batch", fmt::format("found {}; expected at least start_on_batch, {}", *config.end_after_batch,
                                             config.start_on_batch));
  }
  if (config.send_every < config.interval)
    yaml.Fail("send_every", "shorter than interval; expected at least one sample in a delivery");
  if (config.enabled && config.endpoint.empty() && config.prometheus.empty() && config.keep.empty()) {
    yaml.Fail("", "none of endpoint, prometheus and keep; expected one of them, or enabled: no");
  }
  return config;
}

}  // namespace tally

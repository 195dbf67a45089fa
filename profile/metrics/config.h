// What `--metrics FILE` says (docs/metrics.md). Every mistake is a UserError with file, line and key.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "base/units.h"
#include "base/yaml_fields.h"

namespace tally {

struct MetricsConfig {
  bool enabled = true;     // fixed for the agent's life
  std::string endpoint;    // "": nothing is sent
  std::string prometheus;  // address to listen on; "": nobody can ask
  std::string label;       // goes with everything that is sent
  std::uint64_t start_on_batch = 0;
  std::optional<std::uint64_t> end_after_batch;
  std::optional<Nanoseconds> at_most = std::chrono::minutes(5);
  Nanoseconds interval = Milliseconds(100);
  Nanoseconds send_every = std::chrono::seconds(10);
  Nanoseconds send_timeout = std::chrono::seconds(5);
  Nanoseconds retry_after = std::chrono::seconds(1);
  std::string keep;  // a file that deliveries are added to, line by line; "": none
  std::string log;   // "": stderr
  std::string lock = "tally-metrics";
  bool timings = true;  // of all machines, as a rule, one sends them
  std::string records;  // an abstract name to which others tell their own (record_socket.h); "": none
};

MetricsConfig ReadMetricsConfig(YamlMap yaml);

}  // namespace tally

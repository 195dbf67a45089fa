// What a worker is told: a YAML file, and over it the environment (docs/dispatcher.md). Every mistake is a UserError with
// file, line and key, or with the variable.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>

#include "base/units.h"
#include "base/yaml_fields.h"
#include "dispatcher/amqp_address.h"
#include "evaluation/evaluation_settings.h"

namespace tally {

enum class LogForm : std::uint8_t { kJson, kText };

struct WorkerConfig {
  AmqpAddress broker;
  std::string password_file;                               // read when it is connected, so that it may change
  Nanoseconds retry_at_most = std::chrono::seconds(30);    // between two tries to connect
  std::uint64_t api_version = 1;
  Nanoseconds queue_expires = std::chrono::minutes(30);    // without any worker, requests are kept so long
  std::string queue_type;                                  // "classic", "quorum"; "": as the virtual host has it
  std::string job_queue = "tally.v1.job";
  std::string dead_queue = "tally.v1.dead";
  bool evaluations = true, jobs = true;                    // what is served
  std::uint64_t instances = 1;
  std::uint64_t tries = 5;
  Bytes max_request_size = Bytes::MiB(32);
  Bytes max_answer_size = Bytes::MiB(64);
  EvaluationSettings evaluation;
  std::string work_folder;                                 // "": TMPDIR, or /tmp
  Bytes least_free = Bytes::MiB(64);                       // below it no requests are taken; 0: they are
  bool plain_paths = false;                                // jobs may name files of this machine
  bool weak_isolation = false;                             // jobs may ask for less than full isolation
  std::string http = "127.0.0.1:9466";                     // "": nobody can ask
  std::string metrics;                                     // what an agent beside the worker reads (docs/metrics.md); "": there is none
  LogForm log = LogForm::kJson;

  [[nodiscard]] std::string request_queue() const;
};

using EnvironmentLookup = std::function<std::optional<std::string>(const char* variable)>;

// Without a file: defaults and the environment.
WorkerConfig ReadWorkerConfig(std::optional<YamlMap> yaml, const EnvironmentLookup& environment);
// The process' own environment.
std::optional<std::string> FromProcessEnvironment(const char* variable);

// The first line of a password_file.
std::string PasswordIn(const std::string& path);

// The settings as the environment has them, over `config`.
void ReadWorkerEnvironment(const EnvironmentLookup& environment, WorkerConfig* config);

}  // namespace tally

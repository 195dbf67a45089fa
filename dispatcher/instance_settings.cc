#include "dispatcher/instance_settings.h"

#include <nlohmann/json.hpp>

namespace tally {

using Json = nlohmann::json;

namespace {

Json WriteBounds(const WorkerBounds& bounds) {
  Json json{{"sandboxes", bounds.sandboxes}, {"compilers", bounds.compilers}};
  if (bounds.time) json["time"] = bounds.time->count();
  if (bounds.memory) json["memory"] = bounds.memory->count;
  if (bounds.output) json["output"] = bounds.output->count;
  if (bounds.processes) json["processes"] = *bounds.processes;
  if (bounds.stored) json["stored"] = bounds.stored->count;
  if (bounds.unpacked) json["unpacked"] = bounds.unpacked->count;
  return json;
}

WorkerBounds ReadBounds(const Json& json) {
  WorkerBounds bounds;
  const auto bytes = [&json](const char* key) { return json.contains(key) ? std::optional(Bytes{json[key].get<std::uint64_t>()}) : std::nullopt; };
  if (json.contains("time")) bounds.time = Nanoseconds(json["time"].get<std::int64_t>());
  bounds.memory = bytes("memory");
  bounds.output = bytes("output");
  bounds.unpacked = bytes("unpacked");
  bounds.stored = bytes("stored");
  if (json.contains("processes")) bounds.processes = json["processes"].get<std::uint64_t>();
  bounds.sandboxes = json.at("sandboxes");
  bounds.compilers = json.at("compilers");
  return bounds;
}

}  // namespace

std::string WriteInstanceSettings(const InstanceSettings& settings) {
  const EvaluationSettings& evaluation = settings.evaluation;
  return Json{{"max_output_size", evaluation.max_output_size.count},
              {"compile_timeout", evaluation.compile_timeout.count()},
              {"style_timeout", evaluation.style_timeout.count()},
              {"test_timeout", evaluation.test_timeout.count()},
              {"codecov_timeout", evaluation.codecov_timeout.count()},
              {"cpu_quota", evaluation.cpu_quota},
              {"memory_limit", evaluation.memory_limit.count},
              {"host_network", evaluation.host_network},
              {"image_cache_seconds", evaluation.image_cache_seconds},
              {"auto_shutdown", evaluation.auto_shutdown.count()},
              {"bounds", WriteBounds(evaluation.bounds)},
              {"plain_paths", settings.plain_paths},
              {"weak_isolation", settings.weak_isolation},
              {"sio", settings.sio},
              {"max_answer_size", settings.max_answer_size.count}}
      .dump();
}

InstanceSettings ReadInstanceSettings(std::string_view text) {
  const Json json = Json::parse(text);
  const auto bytes = [&json](const char* key) { return Bytes{json.at(key).get<std::uint64_t>()}; };
  const auto time = [&json](const char* key) { return Nanoseconds(json.at(key).get<std::int64_t>()); };
  InstanceSettings settings;
  EvaluationSettings& evaluation = settings.evaluation;
  evaluation.max_output_size = {json.at("max_output_size").get<std::uint64_t>()};
  evaluation.compile_timeout = time("compile_timeout");
  evaluation.style_timeout = time("style_timeout");
  evaluation.test_timeout = time("test_timeout");
  evaluation.codecov_timeout = time("codecov_timeout");
  evaluation.cpu_quota = json.at("cpu_quota");
  evaluation.memory_limit = bytes("memory_limit");
  evaluation.host_network = json.at("host_network");
  evaluation.image_cache_seconds = json.at("image_cache_seconds");
  evaluation.auto_shutdown = time("auto_shutdown");
  evaluation.bounds = ReadBounds(json.at("bounds"));
  settings.plain_paths = json.at("plain_paths");
  settings.weak_isolation = json.at("weak_isolation");
  settings.sio = json.at("sio");
  settings.max_answer_size = bytes("max_answer_size");
  return settings;
}

}  // namespace tally

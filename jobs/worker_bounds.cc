#include "jobs/worker_bounds.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <limits>
#include <nlohmann/json.hpp>
#include <string_view>

#include "base/error.h"
#include "compilers/compiler_store.h"
#include "jobs/compilation.h"
#include "jobs/environ.h"
#include "jobs/job_keys.h"
#include "profile/code_message.h"

namespace tally {
namespace {

constexpr std::uint64_t kAny = std::numeric_limits<std::uint64_t>::max();

// A key's figure in the bound's unit.
struct Figure {
  std::string_view key, unit;
  std::uint64_t found = 0;
  bool zero_is_none = false;
};

void RequireAtMost(const Figure& figure, std::uint64_t most, const char* bound) {
  const bool is_none = figure.found == 0 && figure.zero_is_none;
  if (!is_none && figure.found <= most) return;
  throw UserError(fmt::format("{}: found {}{}; this worker has {} {} at most (bounds.{})", figure.key, figure.found, is_none ? ", which is no limit" : " " + std::string(figure.unit), most, figure.unit, bound));
}

void RequireOneOf(std::string_view key, const std::string& name, const std::vector<std::string>& names, const char* bound) {
  if (names.empty() || std::find(names.begin(), names.end(), name) != names.end()) return;
  throw UserError(fmt::format("{}: found {}; this worker has {} (bounds.{})", key, name, fmt::join(names, ", "), bound));
}

class Bounded {
 public:
  Bounded(const WorkerBounds& bounds, const Environ& environ) : bounds_(bounds), environ_(environ) {}

  void Check() const {
    const std::string type = environ_.TextOr("job_type", "");
    for (const std::string& key : KeysOfJob(type)) {
      if (environ_.Has(key)) CheckKey(key);
    }
    if (bounds_.compilers.empty()) return;
    if (type == "compile") CheckCompiler("compiler", environ_.TextOr("compiler", ""), environ_.TextOr("source_file", ""));
    if (type == "profile") CheckProfile();
    for (const auto& [key, mode] : environ_.TextMap("exec_info")) {
      if (key == "mode" && mode != "executable" && mode != "output-only") CheckCompiler("exec_info.mode", mode, "");
    }
  }

 private:
  void CheckKey(std::string_view key) const {
    const auto count = [&](const char* unit) { return Figure{key, unit, environ_.Count(key, unit).value_or(0), false}; };
    const auto ends = [key](std::string_view end) { return key.ends_with(end); };
    if (ends("_real_time_limit") || ends("_idle_time_limit")) return;  // the whole request ends (auto_shutdown)
    if (ends("_time_limit") && bounds_.time) {
      Figure figure = count("ms");
      figure.zero_is_none = ends("_cpu_time_limit");
      RequireAtMost(figure, Milli(*bounds_.time), "time");
    } else if (key == "sandbox_timeout_sec" && bounds_.time) {
      RequireAtMost({key, "ms", TimeoutMilliseconds()}, Milli(*bounds_.time), "time");
    } else if ((ends("_mem_limit") || ends("_stack_limit")) && bounds_.memory) {
      RequireAtMost(count("kB"), bounds_.memory->count >> 10, "memory");
    } else if (key == "sandbox_mem_mb" && bounds_.memory) {
      RequireAtMost(count("MB"), bounds_.memory->count >> 20, "memory");
    } else if ((ends("_out_limit") || ends("_output_limit") || ends("_size_limit")) && bounds_.output) {
      RequireAtMost(count("bytes"), bounds_.output->count, "output");
    } else if (ends("_processes") && bounds_.processes) {
      RequireAtMost(count("processes"), *bounds_.processes, "processes");
    } else if (key == "sandbox") {
      RequireOneOf(key, environ_.Text(key), bounds_.sandboxes, "sandboxes");
    }
  }

  void CheckCompiler(std::string_view key, const std::string& word, const std::string& source) const { RequireCompilerWithin(bounds_, key, word, source); }

  // Its own program, its generator and its checker, each a text in the default language or an object that names one.
  void CheckProfile() const {
    const nlohmann::json& object = environ_.object();
    CheckCompiler("language", environ_.TextOr("language", kDefaultLanguage), "");
    for (const char* key : {"generator", "checker"}) {
      const auto found = object.find(key);
      if (found == object.end() || !found->is_object()) continue;
      const auto language = found->find("language");
      const bool is_text = language != found->end() && language->is_string();
      CheckCompiler(std::string(key) + ".language", is_text ? language->get<std::string>() : kDefaultLanguage, "");
    }
  }

  [[nodiscard]] std::uint64_t TimeoutMilliseconds() const {
    const nlohmann::json& value = environ_.object().at("sandbox_timeout_sec");
    const double seconds = value.is_number() ? value.get<double>() : value.is_string() ? std::strtod(value.get<std::string>().c_str(), nullptr) : 0;
    return seconds >= 0 && seconds < 1e15 ? static_cast<std::uint64_t>(seconds * 1000) : kAny;
  }

  static std::uint64_t Milli(Nanoseconds time) { return static_cast<std::uint64_t>(std::chrono::duration_cast<Milliseconds>(time).count()); }

  const WorkerBounds& bounds_;
  const Environ& environ_;
};

}  // namespace

// By its name, not by one of the words for it.
void RequireCompilerWithin(const WorkerBounds& bounds, std::string_view key, const std::string& word, const std::string& source) {
  if (bounds.compilers.empty()) return;
  const std::string name = std::filesystem::path(source.substr(0, source.find('@'))).filename();
  const CompilerStore store;
  RequireOneOf(key, ChooseCompiler(store, {.source_name = name, .compiler = word}).name, bounds.compilers, "compilers");
}

void RequireWithin(const WorkerBounds& bounds, const Environ& environ) { Bounded(bounds, environ).Check(); }

}  // namespace tally

// What strangers may ask of a worker, key by key.
#include "jobs/worker_bounds.h"

#include <nlohmann/json.hpp>
#include <string>

#include "base/error.h"
#include "jobs/environ.h"
#include "jobs/job_keys.h"
#include "tests/support/catch.h"

namespace tally {
namespace {

using nlohmann::json;

WorkerBounds Small() {
  return {.time = Milliseconds(10'000), .memory = Bytes::MiB(512), .output = Bytes::MiB(64), .processes = 8, .unpacked = Bytes::MiB(1), .sandboxes = {"exec-sandbox"}, .compilers = {"cpp17", "cpp20"}};
}

// The refusal, or "".
std::string Refusal(json job, const WorkerBounds& bounds = Small()) {
  try {
    RequireWithin(bounds, Environ::Parse(job.dump(), "job"));
  } catch (const UserError& error) {
    return error.what();
  }
  return "";
}

TEST_CASE("bounds: what asks for more is refused by a sentence that names the key, the bound and the setting") {
  CHECK(Refusal({{"job_type", "exec"}, {"exec_mem_limit", 1U << 30}}) == "exec_mem_limit: found 1073741824 kB; this worker has 524288 kB at most (bounds.memory)");
  CHECK(Refusal({{"job_type", "exec"}, {"exec_mem_limit", "524289"}}) == "exec_mem_limit: found 524289 kB; this worker has 524288 kB at most (bounds.memory)");
  CHECK(Refusal({{"job_type", "exec"}, {"exec_mem_limit", 524288}}).empty());
  CHECK(Refusal({{"job_type", "vcpu-exec"}, {"exec_time_limit", 10001}}) == "exec_time_limit: found 10001 ms; this worker has 10000 ms at most (bounds.time)");
  CHECK(Refusal({{"job_type", "exec"}, {"exec_cpu_time_limit", 0}}) == "exec_cpu_time_limit: found 0, which is no limit; this worker has 10000 ms at most (bounds.time)");
  CHECK(Refusal({{"job_type", "exec"}, {"exec_processes", 9}}) == "exec_processes: found 9 processes; this worker has 8 processes at most (bounds.processes)");
  CHECK(Refusal({{"job_type", "exec"}, {"exec_out_limit", 64 << 20}, {"exec_processes", 8}, {"exec_time_limit", 10000}}).empty());
  CHECK(Refusal({{"job_type", "exec"}, {"sandbox", "compiler-gcc"}}) == "sandbox: found compiler-gcc; this worker has exec-sandbox (bounds.sandboxes)");
  CHECK(Refusal({{"job_type", "exec"}, {"sandbox", "exec-sandbox"}}).empty());
}

TEST_CASE("bounds: every key of every job that is a limit is held, and none is refused that asks for nothing") {
  for (const char* type : {"exec", "vcpu-exec", "interactive-exec", "encdec-exec", "compile", "ingen", "inwer", "profile"}) {
    CHECK(Refusal({{"job_type", type}, {"source_file", "/a.cpp"}}).empty());
    for (const std::string& key : KeysOfJob(type)) {
      const bool is_real = key.find("_real_time") != std::string::npos || key.find("_idle_time") != std::string::npos || key == "exec_et_limit" || key.ends_with("coder_et_limit");
      const bool is_limit = (key.ends_with("_limit") || key.ends_with("_processes") || key == "sandbox_mem_mb" || key == "sandbox_timeout_sec") && !is_real;
      CAPTURE(type, key);
      CHECK((Refusal({{"job_type", type}, {"source_file", "/a.cpp"}, {key, 1ULL << 39}}).find(key + ": found ") == 0) == is_limit);
      CHECK(Refusal({{"job_type", type}, {"source_file", "/a.cpp"}, {key, is_limit ? json(1ULL << 39) : json()}}, {}).empty());
    }
  }
  CHECK(Refusal({{"job_type", "profile"}, {"sandbox_timeout_sec", 10.5}}) == "sandbox_timeout_sec: found 10500 ms; this worker has 10000 ms at most (bounds.time)");
  CHECK(Refusal({{"job_type", "profile"}, {"sandbox_timeout_sec", "1e300"}}).find("sandbox_timeout_sec: found ") == 0);
}

TEST_CASE("bounds: a compiler is told by its name, whatever word or ending asks for it") {
  const std::string refusal = "; this worker has cpp17, cpp20 (bounds.compilers)";
  CHECK(Refusal({{"job_type", "compile"}, {"source_file", "/a.cpp"}}).empty());
  CHECK(Refusal({{"job_type", "compile"}, {"source_file", "/a.py"}}).find(refusal) != std::string::npos);
  CHECK(Refusal({{"job_type", "compile"}, {"source_file", "/a.cpp@17"}, {"compiler", "python3"}}) == "compiler: found python3" + refusal);
  CHECK(Refusal({{"job_type", "exec"}, {"exec_info", {{"mode", "python3"}}}}) == "exec_info.mode: found python3" + refusal);
  CHECK(Refusal({{"job_type", "exec"}, {"exec_info", {{"mode", "executable"}}}}).empty());
  CHECK(Refusal({{"job_type", "profile"}, {"language", "python3"}}) == "language: found python3" + refusal);
  CHECK(Refusal({{"job_type", "profile"}, {"generator", {{"code", ""}, {"language", "python3"}}}}) == "generator.language: found python3" + refusal);
}

}  // namespace
}  // namespace tally

// How an environ becomes limits and a run becomes an environ, without running anything.
#include "jobs/exec_options.h"

#include <string>

#include "base/error.h"
#include "tests/support/catch.h"
#include "tests/support/job_run.h"

namespace tally {
namespace {

using std::chrono::seconds;

ExecOptions Read(ExecKind kind, const Json& keys) {
  return ReadExecOptions(kind, Environ::Parse(keys.dump(), "test"));
}
Limits ReadLimits(ExecKind kind, const Json& keys) { return Read(kind, keys).limits; }

TEST_CASE("exec options: the defaults are the seed's, and those of later keys follow from the time limit",
          "[options]") {
  const ExecOptions options = Read(ExecKind::kExec, Json::object());
  CHECK(options.limits.user_time == seconds(30));
  CHECK(options.limits.cpu_time == Milliseconds(37500));
  CHECK(options.limits.wall_time == seconds(61));
  CHECK(options.limits.idle_time == seconds(2));
  CHECK(options.limits.memory == Bytes::KiB(66'000));
  CHECK(options.limits.output == Bytes{52'428'800});
  CHECK(options.limits.processes == 1);
  CHECK_FALSE(options.limits.stack.has_value());
  CHECK_FALSE(options.limits.instructions.has_value());
  CHECK(options.sandbox == "exec-sandbox");
  CHECK(options.isolation == Isolation::kFull);
}

TEST_CASE("exec options: vcpu-exec limits instructions at 2 GHz and waits 64 times as long", "[options]") {
  const ExecOptions options = Read(ExecKind::kVcpuExec, {{"exec_time_limit", 1000}});
  CHECK(options.limits.instructions == Instructions{2'000'000'000});
  CHECK(options.limits.wall_time == seconds(65));
  CHECK_FALSE(options.limits.user_time.has_value());
  CHECK_FALSE(options.limits.cpu_time.has_value());
  CHECK(options.sandbox == "vcpu_exec-sandbox");
  CHECK(options.counter == Counter::kTranslator);
}

TEST_CASE("exec options: in vcpu-exec the tighter of time limit and instruction limit holds", "[options]") {
  const auto instructions = [](std::uint64_t limit) {
    return ReadLimits(ExecKind::kVcpuExec, {{"exec_time_limit", 1}, {"exec_et_limit", limit}}).instructions;
  };
  CHECK(instructions(1000) == Instructions{1000});
  CHECK(instructions(0) == Instructions{2'000'000});
  CHECK(instructions(1'000'000'000'000) == Instructions{2'000'000});
}

TEST_CASE("exec options: the largest values that are accepted do not overflow", "[options]") {
  constexpr std::uint64_t kYear = 1000ULL * 3600 * 24 * 365;
  for (const ExecKind kind : {ExecKind::kExec, ExecKind::kVcpuExec}) {
    const Limits limits = ReadLimits(kind, {{"exec_time_limit", kYear}, {"exec_mem_limit", 1ULL << 40}});
    CHECK(*limits.wall_time > seconds(3600LL * 24 * 365));
    CHECK(limits.memory == Bytes::KiB(1ULL << 40));
    CHECK_THROWS_AS(ReadLimits(kind, {{"exec_time_limit", kYear + 1}}), UserError);
  }
}

TEST_CASE("exec options: each key changes its limit and no other", "[options]") {
  const auto with = [](const char* key, std::uint64_t value) {
    return ReadLimits(ExecKind::kExec, {{key, value}});
  };
  CHECK(with("exec_cpu_time_limit", 7).cpu_time == Milliseconds(7));
  CHECK(with("exec_cpu_time_limit", 7).user_time == seconds(30));
  CHECK_FALSE(with("exec_cpu_time_limit", 0).cpu_time.has_value());
  CHECK(with("exec_real_time_limit", 7).wall_time == Milliseconds(7));
  CHECK_FALSE(with("exec_real_time_limit", 0).wall_time.has_value());
  CHECK(with("exec_idle_time_limit", 7).idle_time == Milliseconds(7));
  CHECK_FALSE(with("exec_idle_time_limit", 0).idle_time.has_value());
  CHECK(with("exec_stack_limit", 7).stack == Bytes::KiB(7));
  CHECK(with("exec_out_limit", 7).output == Bytes{7});
  CHECK(with("exec_output_limit", 7).output == Bytes{7});
  CHECK(with("exec_processes", 7).processes == 7);
  CHECK(with("exec_et_limit", 7).instructions == Instructions{7});
}

TEST_CASE("exec options: the words of the environ are the supervisor's choices", "[options]") {
  const ExecOptions options = Read(ExecKind::kExec, {{"counter", "step"},
                                                     {"memory_by", "resident"},
                                                     {"syscall_count", "tracepoint"},
                                                     {"isolation", "reduced"},
                                                     {"sandbox", "my"}});
  CHECK(options.counter == Counter::kStep);
  CHECK(options.memory_by == MemoryBy::kResident);
  CHECK(options.syscalls == SyscallCounting::kTracepoint);
  CHECK(options.isolation == Isolation::kReduced);
  CHECK(options.sandbox == "my");
  CHECK(Read(ExecKind::kUnsafeExec, {{"isolation", "full"}}).isolation == Isolation::kNone);
}

TEST_CASE("exec options: job types of both generations", "[options]") {
  CHECK(ExecKindOf("exec") == ExecKind::kExec);
  CHECK(ExecKindOf("cpu-exec") == ExecKind::kExec);
  CHECK(ExecKindOf("vcpu-exec") == ExecKind::kVcpuExec);
  CHECK(ExecKindOf("sio2jail-exec") == ExecKind::kVcpuExec);
  CHECK(ExecKindOf("unsafe-exec") == ExecKind::kUnsafeExec);
  CHECK_FALSE(ExecKindOf("compile").has_value());
  CHECK_FALSE(ExecKindOf("").has_value());
}

TEST_CASE("exec options: the virtual CPU is x86-64-v3 with seed 0 and all rules, unless keys say otherwise",
          "[options]") {
  const VirtualCpuOptions ordinary = Read(ExecKind::kVcpuExec, Json::object()).virtual_cpu;
  CHECK(ordinary.model == CpuModel::kV3);
  CHECK(ordinary.seed == 0);
  CHECK(ordinary.rules == VirtualRules::All());
  const VirtualCpuOptions other =
      Read(ExecKind::kVcpuExec, {{"cpu_model", "x86-64-v2"}, {"seed", 7}, {"virtual_off", "time,random"}})
          .virtual_cpu;
  CHECK(other.model == CpuModel::kV2);
  CHECK(other.seed == 7);
  CHECK(other.rules.Names() == "addresses cpu schedule system");
  CHECK(Read(ExecKind::kVcpuExec, {{"virtual_off", {"cpu", "system"}}}).virtual_cpu.rules.Names() ==
        "addresses random schedule time");
  CHECK_THROWS_WITH(Read(ExecKind::kVcpuExec, {{"cpu_model", "z80"}}),
                    "cpu_model: \"z80\" is unknown; expected one of: x86-64-v3, x86-64-v2, x86-64-v4");
  CHECK_THROWS_WITH(
      Read(ExecKind::kVcpuExec, {{"virtual_off", "sleep"}}),
      "virtual_off: \"sleep\" is unknown; expected one of: addresses, cpu, random, schedule, system, time");
}

// A run in which everything was measured.
RunResult MeasuredRun() {
  RunResult run;
  run.exit_code = 0;
  run.user_time = Milliseconds(12);
  run.sys_time = Milliseconds(3);
  run.wall_time = Milliseconds(20);
  run.instructions = Instructions{6'000'001};
  run.memory = Bytes{1025};
  run.syscalls = std::uint64_t{42};
  run.output = Bytes{7};
  return run;
}

Json Written(ExecKind kind, const RunResult& run) {
  Environ environ;
  WriteRunResult(kind, run, &environ);
  return environ.object();
}

TEST_CASE("exec options: figures are written in the units of docs/results.md", "[options]") {
  const Json exec = Written(ExecKind::kExec, MeasuredRun());
  CHECK(exec["time_used"] == 12);
  CHECK(exec["sys_time_used"] == 3);
  CHECK(!exec.contains("stop_time_used"));
  CHECK(exec["real_time_used"] == 20);
  CHECK(exec["exectime_used"] == 6'000'001);
  CHECK(exec["mem_used"] == 2);  // rounded up
  CHECK(exec["num_syscalls"] == 42);
  CHECK(exec["output_bytes"] == 7);
  CHECK(Written(ExecKind::kVcpuExec, MeasuredRun())["time_used"] == 3);  // instructions at 2 GHz
  RunResult stopped = MeasuredRun();
  stopped.stop_time = Milliseconds(2);
  CHECK(Written(ExecKind::kExec, stopped)["stop_time_used"] == 2);
}

TEST_CASE("exec options: the result says which rules of the virtual CPU held, and whether the count varies",
          "[options]") {
  const auto means = [](const RunResult& run) {
    const Json all = Written(ExecKind::kVcpuExec, run);
    Json out = Json::object();
    for (const char* key :
         {"virtual_rules", "cpu_model_used", "seed_used", "exectime_deterministic", "exectime_varies"}) {
      if (all.contains(key)) out[key] = all[key];
    }
    return out.dump();
  };
  RunResult run = MeasuredRun();
  run.virtual_cpu = VirtualCpuOptions{.model = CpuModel::kV2, .seed = 5};
  run.count_varies = "";
  CHECK(means(run) == R"({"cpu_model_used":"x86-64-v2","exectime_deterministic":true,"seed_used":5,)"
                      R"("virtual_rules":"addresses cpu random schedule system time"})");
  run.virtual_cpu.rules = VirtualRules::None();
  run.count_varies = "the hardware counted";
  CHECK(
      means(run) ==
      R"({"exectime_deterministic":false,"exectime_varies":"the hardware counted","virtual_rules":"none"})");
}

TEST_CASE("exec options: virtual time without a count is absent, not 0 and not real time", "[options]") {
  RunResult run = MeasuredRun();
  run.instructions = Measured<Instructions>::Absent("no counter");
  const Json result = Written(ExecKind::kVcpuExec, run);
  CHECK_FALSE(result.contains("time_used"));
  CHECK(result["time_used_absent"] == "no counter");
  CHECK(result["exectime_used_absent"] == "no counter");
}

}  // namespace
}  // namespace tally

// The seed contract of exec, vcpu-exec and unsafe-exec: what a job says about a program, measured and
// checked. Limits are in exec_limits_test.cc, files in exec_files_test.cc.
#include "tests/support/catch.h"
#include "tests/support/job_run.h"
#include "tests/support/run_program.h"
#include "tests/support/scratch_folder.h"
#include "tests/support/skip.h"

namespace tally {
namespace {

// A checked run of a program that sums the numbers 1 to 3, against the hint "6".
struct SumCheck {
  ScratchFolder folder;
  std::string input = folder.Write("1.in", "1 2\n3\n");
  std::string hint = folder.Write("1.hint", "6\nEND\n");

  [[nodiscard]] Json Of(const std::string& program, Json keys = Json::object()) const {
    keys.update({{"in_file", input}, {"hint_file", hint}, {"check_output", true}});
    return Exec(program, keys);
  }
};

TEST_CASE("exec: a right answer is OK with 100 percent, and the result says how it was measured", "[exec]") {
  const Json result = SumCheck().Of("sum_numbers");
  CHECK(CodeOf(result) == "OK");
  CHECK(SentenceOf(result) == "ok");
  CHECK(result["result_percentage"] == 100);
  CHECK(result["exit_code"] == 0);
  CHECK(result["output_bytes"] == 6);
  CHECK(result["mem_used"] > 0);
  CHECK(result["mem_used"] < 66000);
  CHECK(result["time_used"] < 1000);
  CHECK(result["real_time_used"] < 30000);
  CHECK_FALSE(result.contains("exit_signal"));
  for (const char* means : {"engine", "counter_used", "mem_metric", "syscall_counter", "isolation_used"}) {
    CAPTURE(means);
    CHECK_FALSE(result.value(means, "").empty());
  }
  CHECK(result["isolation_used"].get<std::string>().starts_with("full"));
}

TEST_CASE("exec: a wrong answer is WA with 0 percent, told in the words that checker_format asks for",
          "[exec]") {
  const SumCheck check;
  const auto words = [&](const char* format) {
    return SentenceOf(check.Of("sum_off_by_one", {{"checker_format", format}}));
  };
  const Json result = check.Of("sum_off_by_one");
  CHECK(CodeOf(result) == "WA");
  CHECK(result["result_percentage"] == 0);
  CHECK(result["exit_code"] == 0);
  CHECK(SentenceOf(result) == "WRONG: line 1: expected \"6\", got \"7\"");
  CHECK(words("english_full") == "WRONG: line 1: expected \"6\", got \"7\"");
  CHECK(words("english_terse") == "WRONG");
  CHECK(words("polish_abbreviated") == "ŹLE: wiersz 1: oczekiwano \"6\", otrzymano \"7\"");
  CHECK(words("polish_terse") == "ŹLE");
}

TEST_CASE("exec: an answer that stops early or goes on too long is WA", "[exec]") {
  const SumCheck check;
  CHECK(CodeOf(check.Of("prints_nothing")) == "WA");
  CHECK(CodeOf(check.Of("prints_half")) == "WA");
  const Json extra = check.Of("prints_extra");
  CHECK(CodeOf(extra) == "WA");
  CHECK(Mentions(SentenceOf(extra), "expected end of file, got \"0\""));
}

TEST_CASE("exec: without check_output any output is OK and no percentage is given", "[exec]") {
  const ScratchFolder folder;
  const Json result =
      Exec("sum_off_by_one", {{"in_file", folder.Write("in", "1")}, {"hint_file", folder.Write("h", "1")}});
  CHECK(CodeOf(result) == "OK");
  CHECK_FALSE(result.contains("result_percentage"));
}

TEST_CASE("exec: the output of a program that did not end well is not checked", "[exec]") {
  const SumCheck check;
  const auto fails = [&](const char* program, Json keys, const char* code, const char* sentence) {
    CAPTURE(program);
    const Json result = check.Of(program, std::move(keys));
    CHECK(CodeOf(result) == code);
    CHECK(Mentions(SentenceOf(result), sentence));
    CHECK(result["result_percentage"] == 0);
  };
  // The hint is what these print before they fail, so a check would say OK.
  check.folder.Write("1.hint", "END\n");
  fails("exit_code", {}, "RE", "runtime error 1");
  check.folder.Write("1.hint", "");
  fails("segfault_null", {}, "RE", "signal 11 (SIGSEGV)");
  fails("busy_loop", {{"exec_time_limit", 50}}, "TLE", "user CPU time");
  fails("open_socket", {}, "RV", "socket");
}

TEST_CASE("exec: the exit code or the signal of a program that fails is in the result", "[exec]") {
  const Json exited = Exec("exit_code");
  CHECK(CodeOf(exited) == "RE");
  CHECK(exited["exit_code"] == 1);
  CHECK_FALSE(exited.contains("exit_signal"));
  const Json killed = Exec("abort");
  CHECK(CodeOf(killed) == "RE");
  CHECK(killed["exit_signal"] == 6);
  CHECK_FALSE(killed.contains("exit_code"));
}

TEST_CASE("exec: figures of an earlier run in the environ are replaced, never mixed with the new ones",
          "[exec]") {
  const Json earlier = {{"result_code", "RE"},         {"exit_code", 3},   {"result_percentage", 100},
                        {"time_used", 77777},          {"exit_signal", 9}, {"exectime_used", 55555},
                        {"num_syscalls_absent", "why"}};
  Json result = Exec("abort", earlier);
  CHECK(result["time_used"] < 77777);
  CHECK_FALSE(result.contains("exit_code"));
  CHECK_FALSE(result.contains("result_percentage"));
  CHECK(result["exit_signal"] == 6);
  result = Exec("known_loop", earlier);
  CHECK_FALSE(result.contains("exit_signal"));
  CHECK(result.value("exectime_used", 0) != 55555);
  CHECK((result.contains("num_syscalls") != result.contains("num_syscalls_absent")));
}

TEST_CASE("exec: system calls are counted to the last one", "[exec]") {
  // 1000 getppid, one write, one exit_group
  const Json result = Exec("syscalls_n", {{"syscall_count", "trace"}});
  CHECK(result["num_syscalls"] == 1002);
  CHECK(result["syscall_counter"] == "trace");
  CHECK(Exec("known_loop")["num_syscalls"] == 2);
}

TEST_CASE("exec: a figure that was not measured is absent and says why", "[exec]") {
  const Json result = Exec("hello", {{"counter", "none"}, {"syscall_count", "off"}});
  for (const std::string figure : {"exectime_used", "num_syscalls"}) {
    CAPTURE(figure);
    CHECK_FALSE(result.contains(figure));
    CHECK_FALSE(result.value(figure + "_absent", "").empty());
  }
  CHECK(result["counter_used"] == "none");
  CHECK(result["syscall_counter"] == "none");
  CHECK(result.contains("mem_used"));
  CHECK_FALSE(result.contains("mem_used_absent"));
}

TEST_CASE("exec: exact counters count a known loop exactly, and exec_et_limit holds to the instruction", "[exec]") {
  for (const char* counter : {"step", "translator"}) {
    CAPTURE(counter);
    const auto limited = [&](std::uint64_t limit) {
      return Exec("known_loop", {{"counter", counter}, {"exec_et_limit", limit}});
    };
    const Json at_the_limit = limited(2012);
    CHECK(CodeOf(at_the_limit) == "OK");
    CHECK(at_the_limit["exectime_used"] == 2012);
    CHECK(at_the_limit["counter_used"] == counter);
    const Json over = limited(2011);
    CHECK(CodeOf(over) == "TLE");
    CHECK(SentenceOf(over) == "time limit exceeded: more than 2,011 instructions");
    CHECK(CodeOf(limited(0)) == "OK");  // 0 is none
  }
}

TEST_CASE("exec: an instruction limit that nothing can count is a failure, not a limit that is ignored",
          "[exec]") {
  const std::string mistake =
      MistakeOf("exec", WithProgram("known_loop", {{"counter", "none"}, {"exec_et_limit", 10}}));
  CHECK_FALSE(mistake.starts_with("no mistake"));
  CHECK(Mentions(mistake, "instruction"));
}

TEST_CASE("vcpu-exec: time is instructions at 2 GHz, and the same in every run", "[exec]") {
  const auto run = [] { return VcpuExec("known_loop", {{"counter", "translator"}}); };
  const Json first = run(), second = run();
  CHECK(CodeOf(first) == "OK");
  CHECK(first["exectime_used"] == 2012);
  CHECK(first["exectime_used"] == second["exectime_used"]);
  CHECK(first["time_used"] == first["exectime_used"].get<std::uint64_t>() / 2'000'000);
  CHECK(first["time_used"] == second["time_used"]);
  CHECK(first["num_syscalls"] == 2);
}

TEST_CASE("vcpu-exec: an instruction limit holds over the time limit, and to the instruction", "[exec]") {
  for (const char* counter : {"step", "translator"}) {
    CAPTURE(counter);
    CHECK(CodeOf(VcpuExec("known_loop", {{"counter", counter}, {"exec_et_limit", 2012}})) == "OK");
    CHECK(CodeOf(VcpuExec("known_loop", {{"counter", counter}, {"exec_et_limit", 2011}})) == "TLE");
  }
}

TEST_CASE("vcpu-exec: counts by itself even on a machine without a hardware counter", "[exec]") {
  const Json result = VcpuExec("known_loop");
  CHECK(result["exectime_used"] == 2012);
  CHECK(result["counter_used"] == "translator");
  CHECK_FALSE(result.contains("time_used_absent"));
}

TEST_CASE("vcpu-exec: what a program asks its machine for is decided by the seed, and the result says so", "[exec]") {
  const ScratchFolder folder;
  const auto run = [&](Json keys) {
    keys["out_file"] = folder.path() + "/out";
    Json result = VcpuExec("virtual_machine", keys);
    result["output"] = ReadText(folder.path() + "/out");
    return result;
  };
  const Json first = run(Json::object());
  CHECK(first["virtual_rules"] == "addresses cpu random schedule system time");
  CHECK(first["cpu_model_used"] == "x86-64-v3");
  CHECK(first["seed_used"] == 0);
  CHECK(first["exectime_deterministic"] == true);
  CHECK_FALSE(first.contains("exectime_varies"));
  CHECK(run(Json::object())["output"] == first["output"]);
  CHECK(run({{"counter", "step"}})["exectime_used"] == first["exectime_used"]);
  const Json other = run({{"seed", 9}});
  CHECK(other["seed_used"] == 9);
  CHECK(other["output"] != first["output"]);
  const Json without = run({{"virtual_off", {"random"}}});
  CHECK(without["virtual_rules"] == "addresses cpu schedule system time");
  CHECK(without["exectime_deterministic"] == false);
  CHECK(without["exectime_varies"] == "rules of the virtual CPU were off");
  CHECK_FALSE(without.contains("seed_used"));
}

TEST_CASE("unsafe-exec: limits hold without a sandbox, and the result says that there was none", "[exec]") {
  const Json result = UnsafeExec("hello");
  CHECK(CodeOf(result) == "OK");
  CHECK(result["isolation_used"] == "none (rlimits)");
  CHECK_FALSE(result.contains("num_syscalls"));
  CHECK_FALSE(result.value("num_syscalls_absent", "").empty());
  CHECK(CodeOf(UnsafeExec("busy_loop", {{"exec_time_limit", 50}})) == "TLE");
  CHECK(CodeOf(UnsafeExec("stdout_flood", {{"exec_out_limit", 10000}})) == "OLE");
  CHECK(CodeOf(UnsafeExec("abort")) == "RE");
  CHECK(CodeOf(UnsafeExec("malloc_touch")) == "MLE");
}

TEST_CASE("unsafe-exec: answers are checked as in exec", "[exec]") {
  const SumCheck check;
  const Json keys = {{"in_file", check.input}, {"hint_file", check.hint}, {"check_output", true}};
  CHECK(UnsafeExec("sum_numbers", keys)["result_percentage"] == 100);
  CHECK(CodeOf(UnsafeExec("sum_off_by_one", keys)) == "WA");
}

TEST_CASE("exec: keys that Tally does not know come back as they were", "[exec]") {
  const Json unknown = {{"group", "7"},
                        {"extra", {{"deep", {1, 2.5, nullptr, true}}}},
                        {"untrusted_checker", true},
                        {"żółw", "ą"}};
  const Json result = Exec("hello", unknown);
  CHECK(CodeOf(result) == "OK");
  for (const auto& [key, value] : unknown.items()) {
    CAPTURE(key);
    CHECK(result[key] == value);
  }
}

TEST_CASE("jobs: SIO's newer names of the exec jobs work, others are a mistake that lists the known ones",
          "[exec]") {
  CHECK(CodeOf(RunJobWith("cpu-exec", WithProgram("known_loop", {}))) == "OK");
  CHECK(RunJobWith("sio2jail-exec", WithProgram("known_loop", {}))["exectime_used"] == 2012);
  CHECK(MistakeOf("execute", {}) ==
        "job_type: \"execute\" is unknown; expected one of: exec, vcpu-exec, unsafe-exec, interactive-exec, encdec-exec, compile, ingen, inwer, profile, ping");
  CHECK(MistakeOf("exec", {{"job_type", nullptr}}) == "job_type: this key is missing");
}

TEST_CASE("ping: what was sent comes back as pong", "[exec]") {
  CHECK(RunJobWith("ping", {{"ping", "e2e"}})["pong"] == "e2e");
  CHECK(RunJobWith("ping", {})["pong"] == "pong");
}

}  // namespace
}  // namespace tally

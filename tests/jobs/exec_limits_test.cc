// Every limit of an exec job by its key: where it bites, what the sentence says, and where it lets a program
// through.
#include <vector>

#include "tests/support/catch.h"
#include "tests/support/job_run.h"
#include "tests/support/open_to_others.h"
#include "tests/support/run_program.h"

namespace tally {
namespace {

struct Row {
  const char* program;
  Json keys;
  const char* code;
  const char* sentence = "";  // a part of it
};

void CheckAll(const std::vector<Row>& rows) {
  for (const Row& row : rows) {
    const Json result = Exec(row.program, row.keys);
    CAPTURE(row.program, row.keys.dump(), SentenceOf(result));
    CHECK(CodeOf(result) == row.code);
    CHECK(Mentions(SentenceOf(result), row.sentence));
  }
}

TEST_CASE("exec limits: each of the four time limits ends a program and names itself", "[exec][limits]") {
  CheckAll({
      {"busy_loop", {{"exec_time_limit", 100}}, "TLE", "more than 100 ms of user CPU time"},
      {"burn_kernel_time",
       {{"exec_cpu_time_limit", 200}, {"exec_time_limit", 10000}},
       "TLE",
       "more than 200 ms of CPU time, system calls included"},
      {"sleep_forever", {{"exec_idle_time_limit", 100}}, "TLE", "idle for 100 ms"},
      {"sleep_forever",
       {{"exec_real_time_limit", 150}, {"exec_idle_time_limit", 0}},
       "TLE",
       "more than 150 ms of real time"},
  });
}

TEST_CASE("exec limits: a time limit of 0 is no limit, for all but the time limit itself", "[exec][limits]") {
  // 300 ms of sleep
  CheckAll({
      {"sleeps_briefly", {{"exec_idle_time_limit", 100}}, "TLE", "idle"},
      {"sleeps_briefly", {{"exec_idle_time_limit", 0}}, "OK"},
      {"sleeps_briefly", {{"exec_real_time_limit", 100}}, "TLE", "real time"},
      {"sleeps_briefly", {{"exec_real_time_limit", 0}}, "OK"},
      {"burn_cpu", {{"exec_cpu_time_limit", 100}}, "TLE", "CPU time"},
      {"burn_cpu", {{"exec_cpu_time_limit", 0}}, "OK"},
  });
  CHECK(MistakeOf("exec", WithProgram("hello", {{"exec_time_limit", 0}})) ==
        "exec_time_limit: 0 ms leaves no time to run; leave the key out for 30 s");
}

TEST_CASE("exec limits: a program that is stopped used no more CPU than its limit and a little",
          "[exec][limits]") {
  const Json result = Exec("busy_loop", {{"exec_time_limit", 200}});
  CHECK(result["time_used"] >= 195);
  CHECK(result["time_used"] < 800);  // beside other suites who looks at it may be late
}

TEST_CASE("exec limits: memory is limited by exec_mem_limit, in kB", "[exec][limits]") {
  CheckAll({
      {"malloc_touch", {}, "MLE", "memory limit exceeded"},  // 256 MiB, over the default of 66000 kB
      {"malloc_touch", {{"exec_mem_limit", 400000}}, "OK"},
      {"malloc_touch", {{"exec_mem_limit", "400000"}}, "OK"},
      {"malloc_touch", {{"exec_mem_limit", 400000}, {"memory_by", "resident"}}, "OK"},
      {"malloc_touch", {{"exec_mem_limit", 100000}, {"memory_by", "resident"}}, "MLE"},
      {"malloc_touch", {{"exec_mem_limit", 100000}, {"memory_by", "address-space"}}, "MLE"},
  });
}

TEST_CASE("exec limits: the memory metric is the one that was asked for", "[exec][limits]") {
  CHECK(Exec("hello", {{"memory_by", "address-space"}})["mem_metric"] ==
        "address-space, limited by RLIMIT_AS");
  CHECK(Exec("hello", {{"memory_by", "resident"}})["mem_metric"] == "resident, limited by looking");
}

TEST_CASE("exec limits: the stack is bounded by the memory limit, unless exec_stack_limit says less",
          "[exec][limits]") {
  // recurses until its stack has 512 MiB
  CheckAll({
      {"stack_recursion", {{"exec_stack_limit", 8192}}, "MLE", "stack limit exceeded"},
      {"stack_recursion", {{"exec_mem_limit", 32000}}, "MLE"},
      {"stack_recursion", {{"exec_mem_limit", 700000}}, "OK"},
  });
}

TEST_CASE("exec limits: the output limit has two names, and a program exactly at it is inside",
          "[exec][limits]") {
  // prints 1000 bytes
  for (const char* key : {"exec_out_limit", "exec_output_limit"}) {
    CheckAll({
        {"stdout_exact", {{key, 1000}}, "OK"},
        {"stdout_exact", {{key, 999}}, "OLE", "more than 999 B"},
    });
  }
  // where both are given the seed's name is preferred
  CheckAll({{"stdout_exact", {{"exec_out_limit", 1000}, {"exec_output_limit", 5}}, "OK"}});
  CHECK(Exec("stdout_exact", {{"exec_out_limit", 1000}})["output_bytes"] == 1000);
}

TEST_CASE("exec limits: exec_processes permits threads and children, up to that number", "[exec][limits]") {
  CheckAll({
      {"fork_once", {}, "RV", "clone"},
      {"fork_once", {{"exec_processes", 2}}, "OK"},
      {"threads_ok", {}, "RV", "clone"},
      {"threads_ok", {{"exec_processes", 5}}, "OK"},
      {"fork_bomb", {{"exec_processes", 4}}, "RV", "more than 4 processes and threads"},
  });
}

TEST_CASE("exec limits: a value that cannot be meant is one sentence with its key", "[exec][limits]") {
  const auto mistake = [](const char* key, Json value) {
    return MistakeOf("exec", WithProgram("hello", {{key, std::move(value)}}));
  };
  CHECK(mistake("exec_time_limit", -1) == "exec_time_limit: -1 is not a whole number of ms, 0 or more");
  CHECK(mistake("exec_time_limit", "1s") == "exec_time_limit: \"1s\" is not a whole number of ms, 0 or more");
  CHECK(mistake("exec_mem_limit", 0) ==
        "exec_mem_limit: 0 kB leaves no memory to run; leave the key out for 66000 kB");
  CHECK(mistake("exec_processes", 0) == "exec_processes: 0 leaves no process to run; the default is 1");
  CHECK(mistake("exec_et_limit", 1.5) ==
        "exec_et_limit: 1.5 is not a whole number of instructions, 0 or more");
  CHECK(mistake("exec_out_limit", Json::array({1})) ==
        "exec_out_limit: [1] is not a whole number of bytes, 0 or more");
  CHECK(mistake("counter", "abacus") ==
        "counter: \"abacus\" is unknown; expected one of: auto, perf, translator, step, none");
  CHECK(mistake("isolation", "none") == "isolation: \"none\" is unknown; expected one of: full, reduced, auto");
  CHECK(mistake("memory_by", true) == "memory_by: true is not a text");
  CHECK(Mentions(mistake("syscall_count", "x"), "syscall_count: \"x\" is unknown"));
}

TEST_CASE("exec limits: an absurdly large value is a mistake that names the key it was given under",
          "[exec][limits]") {
  for (const char* key :
       {"exec_time_limit", "exec_real_time_limit", "exec_cpu_time_limit", "exec_idle_time_limit",
        "exec_mem_limit", "exec_stack_limit", "exec_out_limit", "exec_output_limit", "exec_processes"}) {
    for (const Json& value : {Json(9'000'000'000'000'000'000), Json(1e30)}) {
      CAPTURE(key, value.dump());
      CHECK(MistakeOf("exec", WithProgram("hello", {{key, value}})).starts_with(std::string(key) + ": "));
    }
  }
}

TEST_CASE("exec limits: an absurdly large limit of a checker is a mistake and no verdict about the checker",
          "[exec][limits]") {
  for (const char* key :
       {"checker_time_limit", "checker_real_time_limit", "checker_mem_limit", "checker_output_limit"}) {
    CAPTURE(key);
    const std::string self = TestProgram("hello");
    const Json keys = {
        {"check_output", true}, {"hint_file", self}, {"chk_file", self}, {key, 9'000'000'000'000'000'000}};
    CHECK(MistakeOf("exec", WithProgram("hello", keys)).starts_with(std::string(key) + ": "));
  }
}

TEST_CASE("exec limits: a sandbox that does not exist is a mistake that says how to make it",
          "[exec][limits]") {
  const std::string mistake = MistakeOf("exec", WithProgram("hello", {{"sandbox", "no-such-sandbox"}}));
  CHECK(mistake.starts_with("sandbox \"no-such-sandbox\": no no-such-sandbox.yaml"));
  CHECK(Mentions(mistake, "To make it, copy"));
}

TEST_CASE("exec limits: reduced isolation is used when it is asked for, and said", "[exec][limits]") {
  const OpenToOthers open({"hello"});
  const Json result = Exec("hello", {{"isolation", "reduced"}});
  CHECK(CodeOf(result) == "OK");
  CHECK(Mentions(result["isolation_used"], "reduced (seccomp"));
}

TEST_CASE("exec limits: a static array beyond the limit is MLE under the translator too", "[exec][limits]") {
  for (const char* meter : {"auto", "address-space"}) {
    CAPTURE(meter);
    const Json result = Exec("static_array_touched",
                             {{"counter", "translator"}, {"memory_by", meter}, {"exec_mem_limit", 65536}});
    CAPTURE(SentenceOf(result));
    CHECK(CodeOf(result) == "MLE");
  }
}

}  // namespace
}  // namespace tally

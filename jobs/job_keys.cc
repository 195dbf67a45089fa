#include "jobs/job_keys.h"

#include <algorithm>

#include "jobs/exec_options.h"

namespace tally {
namespace {

constexpr std::string_view kAllJobs[] = {"job_type", "use_filetracker", "filetracker_url", "inline_files", "inline_out"};

// Of all jobs that run a solution.
constexpr std::string_view kRun[] = {"exe_file",      "in_file",     "hint_file", "exec_info",     "percentage_format", "counter", "cpu_model", "seed",
                                     "schedule_seed", "virtual_off", "fake_time", "memory_by",     "syscall_count",     "sandbox", "isolation"};

constexpr std::string_view kLimits[] = {"exec_time_limit",      "exec_mem_limit",      "exec_out_limit",       "exec_output_limit", "exec_et_limit",
                                        "exec_real_time_limit", "exec_cpu_time_limit", "exec_idle_time_limit", "exec_stack_limit",  "exec_processes"};

constexpr std::string_view kExec[] = {"upload_out",
                                      "out_file",
                                      "extra_execution_files",
                                      "check_output",
                                      "chk_file",
                                      "checker_protocol",
                                      "checker_format",
                                      "checker_time_limit",
                                      "checker_real_time_limit",
                                      "checker_mem_limit",
                                      "checker_output_limit"};

constexpr std::string_view kInteractive[] = {"interactor_file",
                                             "interactor_protocol",
                                             "num_processes"};

constexpr std::string_view kEncdec[] = {"chn_file",
                                        "chk_file",
                                        "extra_execution_files",
                                        "encoder_time_limit",
                                        "encoder_mem_limit",
                                        "encoder_out_limit",
                                        "encoder_output_limit",
                                        "encoder_et_limit",
                                        "encoder_real_time_limit",
                                        "encoder_cpu_time_limit",
                                        "encoder_idle_time_limit",
                                        "encoder_stack_limit",
                                        "encoder_processes",
                                        "decoder_time_limit",
                                        "decoder_mem_limit",
                                        "decoder_out_limit",
                                        "decoder_output_limit",
                                        "decoder_et_limit",
                                        "decoder_real_time_limit",
                                        "decoder_cpu_time_limit",
                                        "decoder_idle_time_limit",
                                        "decoder_stack_limit",
                                        "decoder_processes",
                                        "channel_time_limit",
                                        "channel_mem_limit",
                                        "checker_time_limit",
                                        "checker_mem_limit"};

constexpr std::string_view kIngen[] = {"exe_file",         "re_string",          "collected_files_path", "ingen_time_limit",
                                       "ingen_mem_limit", "ingen_output_limit", "isolation"};

constexpr std::string_view kInwer[] = {"exe_file",         "in_file",            "in_file_name", "inwer_time_limit",
                                       "inwer_mem_limit", "inwer_output_limit", "isolation"};

constexpr std::string_view kCompile[] = {"source_file",
                                         "out_file",
                                         "compiler",
                                         "additional_sources",
                                         "additional_includes",
                                         "additional_archive",
                                         "extra_files",
                                         "extra_compilation_args",
                                         "compilation_time_limit",
                                         "compilation_real_time_limit",
                                         "compilation_mem_limit",
                                         "compilation_output_limit",
                                         "compilation_result_size_limit",
                                         "isolation"};

constexpr std::string_view kProfile[] = {"code",
                                         "language",
                                         "task_id",
                                         "iteration",
                                         "input_bounds",
                                         "input_scales",
                                         "extra_corner_cases",
                                         "generator",
                                         "seed",
                                         "seeds",
                                         "hint",
                                         "checker",
                                         "checker_protocol",
                                         "sandbox_timeout_sec",
                                         "sandbox_mem_mb",
                                         "debug",
                                         "expect",
                                         "isolation"};

constexpr std::string_view kPing[] = {"ping"};

constexpr std::string_view kResults[] = {"result_code",
                                         "result_string",
                                         "result_percentage",
                                         "time_used",
                                         "sys_time_used",
                                         "stop_time_used",
                                         "real_time_used",
                                         "exectime_used",
                                         "mem_used",
                                         "num_syscalls",
                                         "output_bytes",
                                         "exit_code",
                                         "exit_signal",
                                         "engine",
                                         "counter_used",
                                         "mem_metric",
                                         "syscall_counter",
                                         "isolation_used",
                                         "virtual_rules",
                                         "cpu_model_used",
                                         "seed_used",
                                         "schedule_seed_used",
                                         "exectime_deterministic",
                                         "exectime_varies",
                                         "compiler_output",
                                         "compiler_used",
                                         "stdout",
                                         "return_code",
                                         "collected_files",
                                         "failed_step",
                                         "encoder_result_code",
                                         "encoder_result_string",
                                         "encoder_time_used",
                                         "encoder_exectime_used",
                                         "encoder_mem_used",
                                         "encoder_num_syscalls",
                                         "decoder_result_code",
                                         "decoder_result_string",
                                         "decoder_time_used",
                                         "decoder_exectime_used",
                                         "decoder_mem_used",
                                         "decoder_num_syscalls",
                                         "channel_result_code",
                                         "channel_result_string",
                                         "checker_result_code",
                                         "checker_result_string",
                                         "checker_result_percentage",
                                         "input_sizes",
                                         "runtime_ms",
                                         "cpu_ms",
                                         "wall_ms",
                                         "peak_memory_mb",
                                         "instructions",
                                         "instructions_vary",
                                         "virtual_ms",
                                         "hotspots",
                                         "hotspot_details",
                                         "failures",
                                         "growth",
                                         "expectation",
                                         "error",
                                         "pong"};

using Lists = std::vector<std::span<const std::string_view>>;

Lists OwnKeys(std::string_view job_type) {
  if (ExecKindOf(job_type)) return {kRun, kLimits, kExec};
  if (InteractiveKindOf(job_type)) return {kRun, kLimits, kInteractive};
  if (EncdecKindOf(job_type)) return {kRun, kEncdec};
  if (job_type == "ingen") return {kIngen};
  if (job_type == "inwer") return {kInwer};
  if (job_type == "compile") return {kCompile};
  if (job_type == "profile") return {kProfile};
  if (job_type == "ping") return {kPing};
  return {};
}

}  // namespace

std::vector<std::string> KeysOfJob(std::string_view job_type) {
  Lists lists = OwnKeys(job_type);
  if (lists.empty()) return {};
  lists.emplace_back(kAllJobs);
  std::vector<std::string> keys;
  for (const auto& list : lists) keys.insert(keys.end(), list.begin(), list.end());
  return keys;
}

std::span<const std::string_view> ResultKeys() { return kResults; }

bool IsKeyOfAnyJob(const std::string& key) {
  const auto holds = [&key](std::span<const std::string_view> keys) {
    return std::find(keys.begin(), keys.end(), key) != keys.end();
  };
  for (const auto& list : Lists{kAllJobs, kRun, kLimits, kExec, kInteractive, kEncdec, kIngen, kInwer, kCompile, kProfile, kPing, kResults}) {
    if (holds(list)) return true;
  }
  return false;
}

}  // namespace tally

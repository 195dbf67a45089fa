// What an exec job is asked for, read from its environ: limits, streams and how the program is run. Every key
// with its unit, default and origin is in docs/jobs.md; this file and that page are kept in step by a test.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "jobs/environ.h"
#include "supervisor/api/run_request.h"

namespace tally {

enum class ExecKind : std::uint8_t { kExec, kVcpuExec, kUnsafeExec };

struct ExecOptions {
  ExecKind kind = ExecKind::kExec;
  Limits limits;
  Counter counter = Counter::kAuto;
  MemoryBy memory_by = MemoryBy::kAuto;
  SyscallCounting syscalls = SyscallCounting::kAuto;
  Isolation isolation = Isolation::kFull;
  VirtualCpuOptions virtual_cpu;
  std::string sandbox;  // "exec-sandbox"
};

// UserError names the key.
ExecOptions ReadExecOptions(ExecKind kind, const Environ& environ);

// The limits of a program for a time and a memory limit, as every front end derives them.
Limits DefaultLimits(ExecKind kind, Nanoseconds time);

// Adds result_code, result_string, time_used, ... to a job's environ. In vcpu-exec time_used is virtual time.
void WriteRunResult(ExecKind kind, const RunResult& result, Environ* environ);

// "vcpu-exec"; nullopt for anything that is no exec job. SIO's newer names are accepted.
std::optional<ExecKind> ExecKindOf(std::string_view job_type);
// The same of "interactive-exec", "vcpu-interactive-exec", ..., and of "encdec-exec", "vcpu-encdec-exec", ...
std::optional<ExecKind> InteractiveKindOf(std::string_view job_type);
std::optional<ExecKind> EncdecKindOf(std::string_view job_type);

// Above these a figure is a mistake, and arithmetic with it would overflow.
inline constexpr std::uint64_t kLargestMilliseconds = 1'000ULL * 3600 * 24 * 365;
inline constexpr std::uint64_t kLargestKib = 1ULL << 40;
inline constexpr std::uint64_t kLargestBytes = 1ULL << 50;
// A whole number, at most `largest`; nullopt when absent.
std::optional<std::uint64_t> BoundedCount(const Environ& environ, std::string_view key, std::string_view unit,
                                          std::uint64_t largest);

// Parsers of the words users write, shared with the command line. UserError lists the accepted words.
Counter ParseCounter(std::string_view key, const std::string& word);
MemoryBy ParseMemoryBy(std::string_view key, const std::string& word);
SyscallCounting ParseSyscallCounting(std::string_view key, const std::string& word);
Isolation ParseIsolation(std::string_view key, const std::string& word);
CpuModel ParseCpuModel(std::string_view key, const std::string& word);
// Which rules of the virtual CPU hold where these are off: each a rule, or several separated by commas.
VirtualRules ParseRulesOff(std::string_view key, const std::vector<std::string>& words);

}  // namespace tally

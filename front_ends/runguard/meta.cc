#include "front_ends/runguard/meta.h"

#include <fmt/format.h>

#include <algorithm>
#include <csignal>

namespace tally::runguard {
namespace {

constexpr int kSignalled = 128, kFailed = 255;

std::string Seconds(Nanoseconds time) {
  const std::int64_t ms = std::chrono::duration_cast<Milliseconds>(time).count();
  return fmt::format("{}.{:03}", ms / 1000, ms % 1000);
}

// What limits are compared with: without what our own stops have cost.
Nanoseconds CpuTime(const RunResult& r) { return r.user_time + r.sys_time - r.stop_time; }

// The signal by which runguard's kernel ends a program that is past this limit.
int StatusOf(const RunResult& r) {
  if (r.limit == LimitKind::kCpuTime) return kSignalled + SIGXCPU;
  if (r.limit == LimitKind::kWallTime) return kSignalled + SIGTERM;
  // The kernel's own end for it, though a part of the program may have come to another one: nobody looks at more than this number.
  if (r.code == ResultCode::kMle) return kSignalled + SIGKILL;
  if (r.forbidden_call) return kSignalled + SIGSYS;
  if (r.code == ResultCode::kOle && r.signal) return kSignalled + SIGXFSZ;
  if (r.signal) return kSignalled + *r.signal;
  return r.exit_code.value_or(0);
}

const char* TimeResult(const std::optional<TimeLimits>& limits, Nanoseconds used, bool hard) {
  if (hard) return "hard-timelimit";
  return limits && used > limits->soft ? "soft-timelimit" : "";
}

std::string Truncated(const std::array<StreamCount, 2>& streams) {
  std::string names;
  for (std::size_t i = 0; i < streams.size(); ++i) {
    if (streams[i].passed < streams[i].read) names += (names.empty() ? "" : ",") + std::string(i == 0 ? "stdout" : "stderr");
  }
  return names;
}

std::string OfStreams(const Options& options, const std::array<StreamCount, 2>& streams) {
  std::string text = options.stream_size ? fmt::format("output-truncated: {}\n", Truncated(streams)) : "";
  // runguard does not look at stdin, and says 0.
  return text + fmt::format("stdin-bytes: 0\nstdout-bytes: {}\nstderr-bytes: {}\n", streams[0].read, streams[1].read);
}

// A line is a line.
std::string OneLine(std::string_view text) {
  std::string line(text);
  std::replace(line.begin(), line.end(), '\n', ' ');
  return line;
}

}  // namespace

Outcome OutcomeOf(const Options& options, const RunResult& r, const std::array<StreamCount, 2>& streams) {
  Outcome outcome;
  outcome.status = StatusOf(r);
  const bool hard_wall = r.limit == LimitKind::kWallTime, hard_cpu = r.limit == LimitKind::kCpuTime;
  const char* const wall = TimeResult(options.wall_time, r.wall_time, hard_wall || hard_cpu);
  const char* const cpu = TimeResult(options.cpu_time, CpuTime(r), hard_wall || hard_cpu);
  if (r.memory.has_value()) outcome.meta += fmt::format("memory-bytes: {}\n", r.memory.value().count);
  outcome.meta += fmt::format("exitcode: {}\n", outcome.status);
  if (hard_wall) outcome.meta += fmt::format("signal: {}\n", SIGALRM);
  outcome.meta += fmt::format("wall-time: {}\nuser-time: {}\nsys-time: {}\ncpu-time: {}\n", Seconds(r.wall_time), Seconds(r.user_time), Seconds(r.sys_time), Seconds(CpuTime(r)));
  outcome.meta += fmt::format("time-used: {}\ntime-result: {}\n", options.reports_wall_time ? "wall-time" : "cpu-time", options.reports_wall_time ? wall : cpu);
  outcome.meta += OfStreams(options, streams);
  outcome.meta += fmt::format("result: {}\nmessage: {}\n", Name(r.code), OneLine(r.sentence));
  if (r.instructions.has_value()) outcome.meta += fmt::format("instructions: {}\n", r.instructions.value().count);
  outcome.meta += fmt::format("memory-metric: {}\nisolation: {}\n", r.memory_metric, r.isolation);
  if (hard_wall) {
    outcome.warning = "timelimit exceeded (hard wall time): aborting command";
  } else if (hard_cpu) {
    outcome.warning = "timelimit exceeded (hard cpu time)";
  } else if (*wall != 0) {
    outcome.warning = "timelimit exceeded (soft wall time)";
  } else if (*cpu != 0) {
    outcome.warning = "timelimit exceeded (soft cpu time)";
  } else if (r.code == ResultCode::kMle) {
    outcome.warning = OneLine(r.sentence);
  } else if (outcome.status >= kSignalled && r.signal) {
    outcome.warning = r.code == ResultCode::kRe ? fmt::format("command terminated with signal {}", outcome.status - kSignalled) : OneLine(r.sentence);
  }
  return outcome;
}

Outcome Ended(const Options& options, int signal, Nanoseconds wall_time, const std::array<StreamCount, 2>& streams) {
  Outcome outcome{.status = kSignalled + SIGTERM, .meta = {}, .warning = "received signal: aborting command"};
  outcome.meta = fmt::format("exitcode: {}\nsignal: {}\nwall-time: {}\ntime-used: {}\ntime-result: \n", outcome.status, signal, Seconds(wall_time), options.reports_wall_time ? "wall-time" : "cpu-time");
  outcome.meta += OfStreams(options, streams);
  return outcome;
}

Outcome Failed(std::string_view sentence) { return {kFailed, fmt::format("internal-error: runguard: {}\n", OneLine(sentence)), {}}; }

}  // namespace tally::runguard

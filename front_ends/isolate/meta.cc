#include "front_ends/isolate/meta.h"

#include <fmt/format.h>

#include <csignal>
#include <utility>

#include "base/error.h"

namespace tally::isolate {
namespace {

std::string Seconds(Nanoseconds time) {
  const std::int64_t ms = std::chrono::duration_cast<Milliseconds>(time).count();
  return fmt::format("{}.{:03}", ms / 1000, ms % 1000);
}

// What limits are compared with: without what our own stops have cost.
Nanoseconds CpuTime(const RunResult& r) { return r.user_time + r.sys_time - r.stop_time; }

bool PassedTime(const Options& options, const RunResult& r) {
  return r.limit == LimitKind::kCpuTime || (options.time && CpuTime(r) > *options.time);
}

// The sandbox killed it, or would have: isolate's word for that, and the sentence.
struct Ending {
  std::string status;   // "" where all is well
  std::string message;
  std::optional<int> signal;
  bool killed = false;
};

Ending EndingOf(const Options& options, const RunResult& r) {
  const bool still_ran = r.signal == SIGKILL;
  if (PassedTime(options, r)) return {"TO", "Time limit exceeded", {}, still_ran && r.limit == LimitKind::kCpuTime};
  if (r.code == ResultCode::kTle) return {"TO", "Time limit exceeded (wall clock)", {}, still_ran};
  if (r.forbidden_call) return {"SG", fmt::format("Caught fatal signal {}", SIGSYS), SIGSYS, true};
  if (r.code == ResultCode::kRv) return {"SG", r.sentence, SIGKILL, true};
  if (r.code == ResultCode::kOle) return {"SG", fmt::format("Caught fatal signal {}", SIGXFSZ), SIGXFSZ, r.signal == SIGKILL};
  if (r.signal) return {"SG", fmt::format("Caught fatal signal {}", *r.signal), r.signal};
  if (r.exit_code.value_or(0) != 0) return {"RE", fmt::format("Exited with error status {}", *r.exit_code), {}};
  return {};
}

std::string Figures(const Options& options, const RunResult& r) {
  std::string text = fmt::format("time:{}\ntime-wall:{}\n", Seconds(CpuTime(r)), Seconds(r.wall_time));
  if (r.resident.has_value()) text += fmt::format("max-rss:{}\n", r.resident.value().kib());
  if (r.switches.has_value()) text += fmt::format("csw-voluntary:{}\ncsw-forced:{}\n", r.switches.value().voluntary, r.switches.value().forced);
  if (!options.cg) return text;
  if (r.memory.has_value()) text += fmt::format("cg-mem:{}\n", r.memory.value().kib());
  if (r.limit == LimitKind::kMemory && r.signal == SIGKILL) text += "cg-oom-killed:1\n";
  return text;
}

std::string OurFigures(const RunResult& r) {
  std::string text;
  if (r.instructions.has_value()) {
    text += fmt::format("instructions:{}\nvirtual-time:{}\n", r.instructions.value().count, Seconds(VirtualTime(r.instructions.value())));
  }
  return text + fmt::format("isolation:{}\nmemory-metric:{}\n", r.isolation, r.memory_metric);
}

}  // namespace

Outcome OutcomeOf(const Options& options, const RunResult& r) {
  const Ending ending = EndingOf(options, r);
  const std::string why = ending.status.empty() ? "" : fmt::format("status:{}\nmessage:{}\n", ending.status, ending.message);
  std::string end;
  if (ending.signal) {
    end = fmt::format("exitsig:{}\n", *ending.signal);
  } else if (ending.status != "TO" && r.exit_code) {
    end = fmt::format("exitcode:{}\n", *r.exit_code);
  }
  Outcome outcome;
  outcome.status = ending.status.empty() ? 0 : 1;
  outcome.line = ending.status.empty() ? fmt::format("OK ({} sec real, {} sec wall)", Seconds(CpuTime(r)), Seconds(r.wall_time)) : ending.message;
  // In isolate's order: what it killed is told before it is measured.
  outcome.meta = ending.killed ? why + "killed:1\n" + Figures(options, r) + end : Figures(options, r) + end + why;
  outcome.meta += OurFigures(r);
  return outcome;
}

Outcome NotExecuted(std::string complaint) {
  return {1, std::move(complaint), "Exited with error status 127", "time:0.000\ntime-wall:0.000\nexitcode:127\nstatus:RE\nmessage:Exited with error status 127\n"};
}

Outcome Ended(int signal) { return {1, "", "Interrupted", fmt::format("exitsig:{}\nstatus:SG\nmessage:Interrupted\nkilled:1\n", signal)}; }

Outcome Failed(std::string_view sentence) { return {2, "", std::string(sentence), fmt::format("status:XX\nmessage:{}\n", sentence)}; }

std::string LinesOf(const Options& options, const Outcome& outcome, std::string_view by, int descriptor) {
  std::string lines;
  if (options.verbose > 0) lines += Complaint(by, descriptor);
  if (!outcome.complaint.empty()) lines += Complaint(outcome.complaint, descriptor);
  if (!options.silent) lines += Complaint(outcome.line, descriptor);
  return lines;
}

}  // namespace tally::isolate

#include "jobs/job.h"

#include <fmt/format.h>

#include "base/error.h"
#include "jobs/exec_options.h"
#include "jobs/inline_files.h"
#include "jobs/job_keys.h"
#include "jobs/worker_bounds.h"

namespace tally {

namespace {

// An environ may come back from an earlier job: none of its results may pass for this one's.
void RemoveResults(Environ* environ) {
  for (const std::string_view key : ResultKeys()) {
    environ->Remove(key);
    environ->Remove(fmt::format("{}_absent", key));
  }
}

void RunJobOfType(const std::string& type, Environ* environ) {
  if (type == "ping") {
    environ->Set("pong", environ->TextOr("ping", "pong"));
  } else if (type == "compile") {
    RunCompileJob(environ);
  } else if (type == "profile") {
    RunProfileJob(environ);
  } else if (ExecKindOf(type)) {
    RunExecJob(environ);
  } else if (InteractiveKindOf(type)) {
    RunInteractiveJob(environ);
  } else if (EncdecKindOf(type)) {
    RunEncdecJob(environ);
  } else if (type == "ingen") {
    RunIngenJob(environ);
  } else if (type == "inwer") {
    RunInwerJob(environ);
  } else {
    throw UserError(fmt::format(
        "job_type: \"{}\" is unknown; expected one of: exec, vcpu-exec, unsafe-exec, interactive-exec, encdec-exec, compile, ingen, inwer, profile, ping", type));
  }
}

}  // namespace

void RunJob(Environ* environ) {
  const std::string type = environ->Text("job_type");
  RequireWithin(environ->rules().bounds, *environ);
  RemoveResults(environ);
  InlineFiles inlined(environ);
  try {
    RunJobOfType(type, environ);
    inlined.Return();
  } catch (...) {
    RemoveResults(environ);
    throw;
  }
}

void RequireFullIsolation(const Environ& environ) {
  const std::string type = environ.Text("job_type");
  const auto is_unsafe = [&type](auto kind_of) { return kind_of(type) == ExecKind::kUnsafeExec; };
  if (is_unsafe(ExecKindOf) || is_unsafe(InteractiveKindOf) || is_unsafe(EncdecKindOf)) {
    throw UserError(fmt::format("job_type: {} runs a program without a sandbox; this worker does not (weak_isolation)", type));
  }
  if (environ.TextOr("isolation", "full") != "full") throw UserError("isolation: this worker runs programs in full isolation only (weak_isolation)");
}

void WriteFailure(const std::string& sentence, Environ* environ) {
  environ->Set("result_code", Name(ResultCode::kSe));
  environ->Set("result_string", sentence);
}

}  // namespace tally

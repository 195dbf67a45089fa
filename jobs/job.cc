#include "jobs/job.h"

#include <fmt/format.h>

#include "base/error.h"
#include "jobs/exec_options.h"

namespace tally {

void RunJob(Environ* environ) {
  const std::string type = environ->Text("job_type");
  if (type == "ping") {
    environ->Set("pong", environ->TextOr("ping", "pong"));
  } else if (type == "compile") {
    RunCompileJob(environ);
  } else if (ExecKindOf(type)) {
    RunExecJob(environ);
  } else {
    throw UserError(fmt::format(
        "job_type: \"{}\" is unknown; expected one of: exec, vcpu-exec, unsafe-exec, compile, ping", type));
  }
}

void WriteFailure(const std::string& sentence, Environ* environ) {
  environ->Set("result_code", Name(ResultCode::kSe));
  environ->Set("result_string", sentence);
}

}  // namespace tally

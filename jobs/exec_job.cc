// The exec, vcpu-exec and unsafe-exec jobs: run a program on an input, keep its output, check it.
#include <fcntl.h>

#include <optional>

#include "base/error.h"
#include "base/sys.h"
#include "jobs/checking.h"
#include "jobs/exec_options.h"
#include "jobs/extra_execution_files.h"
#include "jobs/files.h"
#include "jobs/job.h"
#include "jobs/program.h"
#include "jobs/zipped_input.h"

namespace tally {
namespace {

// The files a job reads, found before anything runs.
struct Inputs {
  std::string exe;
  std::optional<std::string> in;
  std::optional<std::string> hint;
  std::optional<std::string> checker;
  std::vector<PlacedFile> extra;
};

std::optional<std::string> FetchOptional(const JobFiles& files, const Environ& environ, std::string_view key) {
  const std::optional<std::string> name = environ.OptionalText(key);
  if (!name) return std::nullopt;
  return files.Fetch(key, *name);
}

Inputs FetchInputs(const JobFiles& files, const Environ& environ, bool check) {
  Inputs inputs;
  inputs.exe = files.Fetch("exe_file", environ.Text("exe_file"));
  inputs.in = FetchOptional(files, environ, "in_file");
  if (check) {
    if (!environ.Has("hint_file")) throw UserError("hint_file: this key is missing; check_output needs it");
    inputs.hint = FetchOptional(files, environ, "hint_file");
    inputs.checker = FetchOptional(files, environ, "chk_file");
  }
  inputs.extra = ExtraExecutionFiles(files, environ);
  return inputs;
}

// Program output goes to a file of its own, opened for appending so that what is written stays.
RunResult RunProgram(const Program& program, const Inputs& inputs, const std::string& output) {
  const Fd in = sys::Open(inputs.in.value_or("/dev/null"), O_RDONLY);
  const Fd out = sys::Open(output, O_WRONLY | O_CREAT | O_APPEND, 0600);
  return program.Run(in.get(), out.get(), -1);
}

CheckerVerdict Check(const Environ& environ, const Inputs& inputs, const std::string& output,
                     const TemporaryDirectory& directory) {
  CheckOptions options = ReadCheckOptions(environ);
  options.checker = inputs.checker;
  const std::string empty = directory.File("in");  // a file: a device cannot be shown in a sandbox
  if (!inputs.in) sys::Open(empty, O_WRONLY | O_CREAT, 0644);
  return CheckOutput(options, {inputs.in.value_or(empty), output, *inputs.hint});
}

}  // namespace

void RunExecJob(Environ* environ) {
  const ExecKind kind = *ExecKindOf(environ->Text("job_type"));
  const ExecOptions options = ReadExecOptions(kind, *environ);
  const JobFiles files(*environ);
  const bool check = environ->BoolOr("check_output", false);
  if (check) ReadCheckOptions(*environ);  // mistakes are told before anything runs
  const bool upload = environ->BoolOr("upload_out", false);
  const ExecInfo info = ExecInfo::Read(*environ);
  Inputs inputs = FetchInputs(files, *environ, check);

  const TemporaryDirectory directory;
  if (inputs.in) inputs.in = UnpackedInput("in_file", *inputs.in, directory.File("in"), environ->rules().bounds.unpacked);
  std::string output = directory.File("out");
  RunResult result;
  if (info.mode == "output-only") {
    output = inputs.exe;  // the answer itself is handed in; there is nothing to run
    environ->Set("result_code", Name(ResultCode::kOk));
    environ->Set("result_string", "ok");
  } else {
    const Program program("exe_file", inputs.exe, info, options, inputs.extra);
    result = RunProgram(program, inputs, output);
    WriteRunResult(kind, result, environ);
  }
  if (check) {
    if (result.code == ResultCode::kOk) {
      WriteCheckResult(Check(*environ, inputs, output, directory), environ);
    } else {
      WritePercentage(kNoPoints, environ);
    }
  }
  if (const auto name = environ->OptionalText("out_file")) {
    environ->Set("out_file", files.Publish("out_file", *name, output, 0, upload));
  }
}

}  // namespace tally

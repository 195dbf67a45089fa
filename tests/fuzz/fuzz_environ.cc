// Jobs from arbitrary bytes: the first part is a file, the lines of the second are KEY=VALUE arguments. A mistake is
// told in one line; what was accepted can be written, and read again as the same.
#include "jobs/checking.h"
#include "jobs/environ.h"
#include "jobs/exec_options.h"
#include "jobs/program.h"
#include "tests/fuzz/fuzz_target.h"

namespace {

using namespace tally;
using fuzz::MayRefuse;
using fuzz::Require;

void UseAsJob(const Environ& environ) {
  for (const ExecKind kind : {ExecKind::kExec, ExecKind::kVcpuExec, ExecKind::kUnsafeExec}) {
    MayRefuse([&] {
      const ExecOptions options = ReadExecOptions(kind, environ);
      Require(options.limits.memory && options.limits.memory->count > 0 && options.limits.processes > 0);
      Require(!options.limits.wall_time || options.limits.wall_time->count() > 0);
      Require(!options.limits.user_time || options.limits.user_time->count() > 0);
    });
  }
  MayRefuse([&] { ReadCheckOptions(environ); });
  MayRefuse([&] { ExecInfo::Read(environ); });
  MayRefuse([&] { static_cast<void>(environ.TextList("extra_compilation_args")); });
  MayRefuse([&] { static_cast<void>(environ.TextMap("extra_files")); });
  MayRefuse([&] { static_cast<void>(environ.BoolOr("check_output", false)); });
}

}  // namespace

TALLY_FUZZ_TARGET(environ) {
  MayRefuse([&] {
    Environ environ = Environ::Parse(fuzz::NextPart(&input), "fuzz.json");
    while (!input.empty()) {
      const std::string_view line = input.substr(0, input.find('\n'));
      input.remove_prefix(std::min(line.size() + 1, input.size()));
      MayRefuse([&] { environ.SetFromCommandLine(line); });
    }
    UseAsJob(environ);
    const std::string written = environ.Dump();
    Require(Environ::Parse(written, "written").Dump() == written);
  });
}

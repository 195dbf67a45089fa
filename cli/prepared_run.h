// What the commands have in common that run one program as it is named on the command line (`tally run`, `tally trace`):
// its options, and how it is found, limited and put into its sandbox.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/command_line.h"
#include "base/fd.h"
#include "supervisor/api/run_request.h"
#include "supervisor/api/run_result.h"
#include "supervisor/sandbox/sandbox.h"

namespace tally {

struct ProgramArguments {
  std::vector<std::string> command;
  std::optional<std::string> time, cpu_time, wall, idle, memory, stack, output_limit, instructions;
  std::uint32_t processes = 1;
  std::string memory_by = "auto", isolation = "full";
  std::string sandbox = "exec-sandbox";
  std::vector<std::string> files, environment;
  std::optional<std::string> stdin_file, stdout_file, stderr_file;
  bool unsafe = false;
};

void AddProgramOptions(Command* command, ProgramArguments* arguments);

class PreparedRun {
 public:
  // `request` has what the options above do not say: who counts, and who observes. UserError names the option.
  PreparedRun(const ProgramArguments& arguments, RunRequest request);

  // Streams are ours, or files.
  [[nodiscard]] const RunRequest& request() const { return request_; }
  // The run tells `observer`, which is borrowed, of the program's calls.
  void TellOf(CallObserver* observer) { request_.call_observer = observer; }
  // Where there is no --stdout, the program writes there.
  void WriteTo(int stdout_fd);
  // The same for stderr; it reads from `stdin_fd`, whatever was said before.
  void Stream(int stdin_fd, int stdout_fd, int stderr_fd);
  // Where no --output-limit was given.
  void LimitOutput(Bytes most) {
    if (!request_.limits.output) request_.limits.output = most;
  }
  void SetScheduleSeed(std::uint64_t seed) { request_.virtual_cpu.schedule_seed = seed; }
  // UserError when the kernel does not execute the file.
  [[nodiscard]] RunResult Run() const;

 private:
  std::string program_;  // its file on this machine
  RunRequest request_;
  std::optional<Sandbox> sandbox_;
  Fd in_, out_, error_;
};

// The verdict and what was used, on stderr.
void PrintRunSummary(const RunResult& result);

}  // namespace tally

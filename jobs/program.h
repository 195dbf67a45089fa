// A program made ready to be run any number of times: its file checked, its sandbox built, its command known.
// The exec job runs it once, `tally judge` once per test.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "jobs/environ.h"
#include "jobs/exec_options.h"
#include "supervisor/api/cannot_execute.h"
#include "supervisor/api/run_request.h"
#include "supervisor/sandbox/sandbox.h"

namespace tally {

// How the file is executed, as the compile job reports it in exec_info: the mode "executable", or the name of a
// language description (compilers/) whose `run` command executes it.
struct ExecInfo {
  std::string mode = "executable";
  std::string main_class;          // Java
  std::string preferred_filename;  // the name the program should find itself under
  static ExecInfo Read(const Environ& environ);
};

class Program {
 public:
  // UserError when the file cannot be a program of this kind: one sentence with its path.
  Program(const std::string& key, const std::string& path, const ExecInfo& info, const ExecOptions& options,
          const std::vector<PlacedFile>& extra_files = {});

  // Paths in /box are turned into what the program sees.
  void AddArguments(const std::vector<std::string>& arguments);

  // Options for what executes the program, before its own.
  void TellRuntime(const std::vector<std::string>& options) { request_.argv.insert(request_.argv.begin() + 1, options.begin(), options.end()); }

  // Runs tell `observer`, which is borrowed, what they execute (supervisor/api/block_observer.h) or call (call_observer.h).
  void TellOf(BlockObserver* observer) { request_.observer = observer; }
  void TellOf(CallObserver* observer) { request_.call_observer = observer; }
  [[nodiscard]] const Limits& limits() const { return request_.limits; }
  [[nodiscard]] const std::string& path_inside() const { return request_.program; }

  // It begins in this folder of its sandbox.
  void BeginIn(const std::string& folder) { request_.work_dir = sandbox_->PathInside(folder); }

  // Its stdin is a pipe in which there is one line at most when it reads.
  void InputComesInLines() { request_.input_in_lines = true; }

  // Borrowed descriptors that it has beside its streams, by their numbers.
  void KeepOpen(const std::vector<int>& descriptors) { request_.more_descriptors = descriptors; }

  // Streams are borrowed descriptors; -1 is /dev/null. UserError when the kernel does not execute the file.
  // `wall` is a limit beside the options'.
  RunResult Run(int stdin_fd, int stdout_fd, int stderr_fd, std::optional<Nanoseconds> wall = {}) const;

 private:
  [[noreturn]] void Refuse(const CannotExecute& refusal) const;

  // A runtime whose memory is full ends by itself, below the limit.
  void CallItMemory(RunResult* result) const;

  std::string key_, path_;  // the user's, for messages
  std::optional<int> memory_exit_;
  std::unique_ptr<Sandbox> sandbox_;
  RunRequest request_;
};

// Says in one sentence why `path` cannot be executed by the kernel: not executable, no ELF and no script, a
// script whose interpreter is missing, a damaged or foreign ELF. Returns when it looks sound.
void CheckExecutable(const std::string& key, const std::string& path);

// How a file that is no source is to be executed: a script whose first line names a known language's interpreter, also by env, is one of that
// language. In a sandbox env executes nobody, and an interpreter without its language's options asks for what it has not got.
ExecInfo InfoOfExecutable(const std::string& path);

// The same for what only shows in the sandbox, where an interpreter or dynamic linker may be missing.
[[noreturn]] void ExplainRefusal(const std::string& key, const std::string& path,
                                 const CannotExecute& refusal);

}  // namespace tally

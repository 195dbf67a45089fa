// One command after the other, in a worker: a sandbox that stays, in which /w is anew for each. go-judge's words for what became of it.
#pragma once

#include <array>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "base/fd.h"
#include "base/temporary_directory.h"
#include "serve/judge_request.h"
#include "serve/run_folder.h"
#include "supervisor/sandbox/sandbox.h"

namespace tally::serve {

struct RunnerSettings {
  std::string store;       // the folder of the server's files
  std::string made;        // where those go that are to be kept
  std::string src_prefix;  // files of this machine that `src` may name lie below it; "": none
  Bytes work_size = Bytes::MiB(256);  // of /w, which is in memory
};

class CmdRunner {
 public:
  explicit CmdRunner(RunnerSettings settings);
  CmdRunner(const CmdRunner&) = delete;
  CmdRunner& operator=(const CmdRunner&) = delete;

  // `streams` are ends of pipes in the place of the command's own; invalid ones are none. The answer is one element of go-judge's list. What is to
  // be kept is in the store's folder then, and named in "fileIds".
  nlohmann::json Run(const Cmd& cmd, std::vector<Fd> streams);

 private:
  [[nodiscard]] Fd Open(const Source& source) const;
  void CopyIn(const Cmd& cmd, const std::optional<StoredProgram>& program);
  const Sandbox& SandboxFor(bool with_processes);
  // An empty file for what a program writes to stdin's, stdout's or stderr's number.
  Fd OutputFile(std::size_t number);

  RunnerSettings settings_;
  RunFolder folder_;
  TemporaryDirectory outputs_;
  std::array<Fd, 3> kept_outputs_;  // where programs have a user of their own: nothing of these is theirs to change but what is in them
  std::optional<Sandbox> alone_, with_processes_;  // both show the folder
};

}  // namespace tally::serve

// The library: runs programs that nobody trusts inside limits, and says what they did and used. Installed as
// <tally/judge.h>; docs/library.md tells how a project uses it, examples/library is one.
//
// What the program does is a RunResult, whatever that is. A mistake of the caller's (no such program, a limit that makes no
// sense) is a UserError, what this host refuses a SystemError (base/error.h): each is one sentence.
//
// Runs go one after the other, from one thread: a process has one executor, which waits for all of the process' children. Who
// wants several at one time forks. As an ordinary user's, the process moves into a user namespace with its first program.
#pragma once

#include <memory>
#include <string>

#include "base/error.h"
#include "base/units.h"
#include "checkers/tokens.h"
#include "checkers/wording.h"
#include "supervisor/api/cannot_execute.h"
#include "supervisor/api/root_spec.h"
#include "supervisor/api/run_request.h"
#include "supervisor/api/run_result.h"

namespace tally {

// What a compiled contest program finds, as in sandboxes/exec-sandbox.yaml: this machine's programs and libraries, read-only,
// an empty /tmp, no network, no other processes.
RootSpec ContestRoot();

// A program in its sandbox, to be run any number of times. Nothing that a run does stays for the next one.
class JudgedProgram {
 public:
  // `path`: an executable file of this machine's; it is /box/NAME in the sandbox.
  explicit JudgedProgram(const std::string& path, const RootSpec& root = ContestRoot(),
                         Isolation isolation = Isolation::kFull);
  ~JudgedProgram();
  JudgedProgram(const JudgedProgram&) = delete;
  JudgedProgram& operator=(const JudgedProgram&) = delete;

  // The request's limits, streams, counter and argv; `program` is this one, an empty argv its path, an empty env the root's.
  [[nodiscard]] RunResult Run(RunRequest request) const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace tally

// The other side of an interactive problem: a program of the package's that talks to the solution, and says what its answers are worth.
//
// Theory of operation. A supervisor watches one program, so the interactor has a supervisor of its own: a process of ours that is forked
// once for each worker, keeps its sandbox, and runs the interactor of one test after the other. The two programs talk through two pipes. Of
// both, each supervisor has only its own program's ends, so that the end of one program is what the other reads or dies of. The pipes for a
// test are sent to that process over a socket (SCM_RIGHTS), and the result comes back on it.
#pragma once

#include <sys/types.h>

#include <memory>
#include <string>

#include "base/fd.h"
#include "base/sys.h"
#include "base/temporary_directory.h"
#include "checkers/protocol.h"
#include "checkers/verdict.h"
#include "jobs/interaction_verdict.h"
#include "jobs/interrupts.h"
#include "jobs/tool.h"
#include "packages/package.h"

namespace tally {

class Interactor {
 public:
  // `tool` is borrowed. `wall` is how long the solution may take: the interactor outlives that.
  Interactor(const Tool& tool, CheckerProtocol protocol, Isolation isolation, Nanoseconds wall);
  ~Interactor();
  Interactor(const Interactor&) = delete;
  Interactor& operator=(const Interactor&) = delete;

  // The solution's ends of the pipes, while a test runs.
  struct Ends {
    Fd input, output;
  };
  // Starts the interactor for a test.
  [[nodiscard]] Ends Start(const PackageTest& test);

  struct End {
    CheckerVerdict verdict;
    bool died_of_pipe = false;
    Nanoseconds ended{0};  // by the monotonic clock
  };
  // After the solution has ended and its pipes are closed. Interrupted where a signal asks for the end; SystemError where that process has failed.
  [[nodiscard]] End Wait();
  // What the interactor wrote for a checker (testlib's tout).
  [[nodiscard]] std::string written() const { return directory_.File("tout"); }

 private:
  void Serve(int socket);
  [[nodiscard]] std::string RunOne(const std::string& request, const Fd& input, const Fd& output);

  const Tool& tool_;
  CheckerProtocol protocol_;
  Isolation isolation_;
  Nanoseconds wall_;
  TemporaryDirectory directory_;
  Fd socket_;
  pid_t process_ = -1;
  Interrupts interrupts_;
};

}  // namespace tally

// The other side of an interactive problem: a program of the package's that talks to the solution, or to several processes of it, and says
// what its answers are worth.
//
// Theory of operation. Each program has a supervisor of its own: the worker itself watches the solution's first process, and companions
// (companion.h) the others and the interactor. Of the pipes between them each supervisor has only its own program's ends, so that the end of
// one program is what the other reads, or what the solution dies of; an interactor does not (unheard.h). How it comes to its ends is its
// protocol's:
//
//   testlib, kattis   they are its stdin and stdout; one process of the solution
//   sio               inherited, and their numbers are arguments: N r0 w0 r1 w1 ...; the input is its stdin, the verdict its stdout. A
//                     solution's process is told its number
//   cms               fifos by their names on both sides (fifos.h): the interactor gets for each process the one that it reads and the one
//                     that it writes, and the process the same two in its own order, and its number where there are several. The input is
//                     the interactor's stdin, its stdout the part of the points, its stderr the comment. With std_io the process talks by its
//                     streams, and a relay opens its sides of the fifos
//
// Sources: testlib's and Kattis' documentation; sioworkers, sio/executors/interactive_common.py, and sinol-make, task_type/interactive.py;
// CMS, cms/grading/tasktypes/Communication.py.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "base/fd.h"
#include "base/sys.h"
#include "base/temporary_directory.h"
#include "checkers/protocol.h"
#include "checkers/verdict.h"
#include "jobs/companion.h"
#include "jobs/fifos.h"
#include "jobs/interaction_verdict.h"
#include "jobs/tool.h"
#include "jobs/relay.h"
#include "jobs/unheard.h"
#include "packages/package.h"

namespace tally {

class Interactor {
 public:
  // `tool` is borrowed. `wall` is how long the solution may take: the interactor outlives that.
  Interactor(const Tool& tool, const InteractorProgram& program, Isolation isolation, Nanoseconds wall);

  // What is said is kept. Not where the solution opens fifos.
  void KeepTranscripts();
  // The solution gets what is said to it line by line (relay.h). Not where it opens fifos.
  void TalkInLines();
  [[nodiscard]] bool talks_in_lines() const { return in_lines_; }

  // What process `i` of the solution is to see and to be told.
  [[nodiscard]] std::vector<PlacedFile> FilesFor(unsigned i) const;
  [[nodiscard]] std::vector<std::string> ArgumentsFor(unsigned i) const;

  // A process of the solution's ends of its pipes, while a test runs; not there where it opens fifos.
  struct Ends {
    Fd input, output;
  };
  // Starts the interactor for a test. `transcript`: the file for what is said, "" for none. `feedback`: the folder of a Kattis validator that
  // stays for several passes, "": a new one.
  [[nodiscard]] std::vector<Ends> Start(const PackageTest& test, const std::string& transcript, const std::string& feedback);
  // Process `i` has ended: who waits for it to open its fifos finds its end.
  void Release(unsigned i) const;

  struct End {
    CheckerVerdict verdict;
    bool died_of_pipe = false;
    bool out_of_time = false;  // ended by its time limit
    Nanoseconds ended{0};  // RunResult::ended
    bool in_lines = false;  // what was said to the solution came in lines, as TalkInLines promises
  };
  // After the solution has ended and its pipes are closed. Interrupted where a signal asks for the end; SystemError where that process has failed.
  [[nodiscard]] End Wait();
  // What the interactor wrote for a checker (testlib's tout).
  [[nodiscard]] std::string written() const { return directory_.File("tout"); }

 private:
  // In the companion.
  [[nodiscard]] std::string RunOne(const nlohmann::json& request, const std::vector<Fd>& descriptors);
  [[nodiscard]] std::vector<PlacedFile> OwnFiles(const std::string& input, const std::string& answer) const;
  [[nodiscard]] std::vector<std::string> OwnArguments(const std::vector<Fd>& descriptors) const;
  [[nodiscard]] bool HasOwnStreams() const { return protocol_ == CheckerProtocol::kTestlib || protocol_ == CheckerProtocol::kKattis; }

  const Tool& tool_;
  CheckerProtocol protocol_;
  bool writes_nothing_;
  bool solution_opens_fifos_;
  unsigned processes_;
  Isolation isolation_;
  Nanoseconds wall_;
  TemporaryDirectory directory_;
  std::optional<Fifos> fifos_;
  Companion companion_;
  std::optional<Relay> relay_;
  Unheard unheard_;  // where no relay stands between
  bool in_lines_ = false;
};

}  // namespace tally

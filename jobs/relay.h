// Who stands between two programs that talk: what they say is kept as it was said (transcript.h), or comes to the solution in lines.
//
// Theory of operation. Between each two ends of a pipe comes a companion (companion.h), which reads what one side writes, notes it, and
// writes it to the other. An end on one side becomes one on the other. It adds two switches of processes to each message, so figures of
// real time are other ones; what a program is judged by are not.
//
// How much is in a pipe when a program reads depends on when the other wrote, and with it how many instructions its library executes. In
// lines there is one at most, or a page of a longer one: the pipe has room for one page, so that it can be written to (poll(2)) only when it
// is empty. What is no whole line waits for its end. Who asks without ending the line waits for an answer, so after some silence it is passed
// on as it is; then the count may be another one next time, and the caller is told.
#pragma once

#include <string>
#include <vector>

#include "base/fd.h"
#include "jobs/companion.h"

namespace tally {

class Relay {
 public:
  Relay();

  // One process of the solution: what it writes and reads, and the same of the interactor for it. The descriptors are handed over.
  struct Line {
    Fd from_solution, to_solution, from_interactor, to_interactor;
    // In the place of the interactor's two, of all lines or none: fifos by their paths, which it opens itself.
    std::string from_fifo = {}, to_fifo = {};
  };
  struct Talk {
    std::vector<Line> lines;
    Fd interactor_ends = {};  // with fifos: where that shows, as the end of a pipe
    bool in_lines = false;    // so the solution gets what is said to it
    std::string title = {};
    std::string path = {};    // where it is kept, which appears whole; "": nowhere
  };
  // Listens until both sides have ended.
  void Start(const Talk& talk) const;
  // False: not all came in lines. SystemError where it could not be kept.
  [[nodiscard]] bool Wait() const;

 private:
  Companion companion_;
};

}  // namespace tally

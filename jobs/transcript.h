// What two programs said to each other, kept as it was said: `tally judge --transcript DIR`.
//
// Theory of operation. Between each two ends of a pipe comes a companion (companion.h), which reads what one side writes, notes it, and
// writes it to the other. An end on one side becomes one on the other. It adds two switches of processes to each message, so figures of
// real time are other ones; what a program is judged by are not.
#pragma once

#include <string>
#include <vector>

#include "base/fd.h"
#include "jobs/companion.h"

namespace tally {

class Transcriber {
 public:
  Transcriber();

  // One process of the solution: what it writes and reads, and the same of the interactor for it. The descriptors are handed over.
  struct Line {
    Fd from_solution, to_solution, from_interactor, to_interactor;
  };
  // Listens until both sides have ended, and keeps it in `path`, which appears whole.
  void Start(const std::string& path, const std::string& title, std::vector<Line> lines) const;
  // SystemError where it could not be kept.
  void Wait() const;

 private:
  Companion companion_;
};

// "anna/main.cpp", "secret/g1/02" as names of files.
std::string TranscriptPath(const std::string& folder, const std::string& solution, const std::string& test);

}  // namespace tally

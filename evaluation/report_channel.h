// The report channel: how a test process tells us what became of its cases, so that the solution, which lives in the
// same process or below it, cannot.
//
// Theory of operation. The channel is a file without a name, and the test process' stdin. Before anything of the
// solution is executed (guard.c's main in C and C++, before it loads the two libraries; the runner's first lines
// elsewhere) the process reads a request from it: a secret of 128 random bits and what to do. It empties the file, moves
// its descriptor where nobody expects it, and puts /dev/null in the place of stdin. Every record behind that begins with
// the secret. One that does not, or anything else in the file, makes the whole report worthless: no case of it passes. A
// process that ends early has written no record `done` and has passed nothing, whatever it printed or returned.
//
// Request:  SECRET \n  {KEY VALUE \n}  {file SIZE PATH \n CONTENT \n}  end \n
//   keys: case-ms, tests-ms (of all), output-bytes (a case that writes more on stdout, or on stderr, is ended), text-characters (of a text of
//   the report), skip (a case's id that needs no run; any number), coverage-ms (judge, and then measure, no longer than that; 0: not at all);
//   where the solution is a process of its own, the numbers of the descriptors to it (calls-fd, answers-fd, orders-fd, notices-fd:
//   solution_side.h) and solution (a path among its files; any number)
// Records:  SECRET KIND SIZE \n PAYLOAD \n
//   cases   ids, a line each: all there are, before the first is run
//   begin   the id of the case that runs now
//   report  JUnit XML with any number of <testcase>
//   leaks   ALLOCATIONS FREES
//   output  what the test process itself said
//   judged  nothing: all cases have their verdict, and what follows is measured
//   unmeasured  why not, behind `judged`
//   done    the exit status, when the tests came to their end; the last record
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/fd.h"

namespace tally {

struct ChannelRequest {
  std::vector<std::pair<std::string, std::string>> keys;
  std::vector<std::pair<std::string, std::string>> files;  // path, content
};

struct ChannelRecord {
  std::string kind, payload;
};

struct ChannelReport {
  std::vector<ChannelRecord> records;
  std::string fault;  // "" or why nothing of it counts
  [[nodiscard]] const std::string* Find(std::string_view kind) const;  // the last one's payload
};

class ReportChannel {
 public:
  explicit ReportChannel(const ChannelRequest& request);
  // To be the test process' stdin.
  [[nodiscard]] int fd() const { return fd_.get(); }
  // After the process has ended.
  [[nodiscard]] ChannelReport Read() const;

 private:
  std::string secret_;
  Fd fd_;
  std::size_t sent_ = 0;
};

// Pure: what Read makes of the file's content.
ChannelReport ParseChannel(std::string_view secret, std::string_view content);

}  // namespace tally

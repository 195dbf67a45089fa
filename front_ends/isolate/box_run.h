// Programs in a box, one after the other: what isolate's options mean for a run of Tally's (the table of docs/isolate.md). The sandbox of
// the last run serves the next one that asks for the same folders.
#pragma once

#include <optional>
#include <string>

#include "front_ends/isolate/box.h"
#include "front_ends/isolate/meta.h"
#include "front_ends/isolate/options.h"
#include "supervisor/sandbox/sandbox.h"

namespace tally::isolate {

// The caller's, for a program whose options name no files.
struct CallersStreams {
  int in, out, error;
};

// The folders of this machine that `options` show, each with what tells it from another of the same name, and what else a run has of its caller:
// processors, umask, priority.
std::string FoldersShown(const Options& options, const Box& box);

class BoxRuns {
 public:
  explicit BoxRuns(const Box& box) : box_(box) {}

  // What can be done for a run with such options before a program is there.
  void PrepareFirst(const Options& options);
  // Would a run of ours show what the caller finds on this machine (FoldersShown)?
  [[nodiscard]] bool Shows(const Options& options, const std::string& callers) const { return shown_ == callers || FoldersShown(options, box_) == callers; }
  // `shown` is FoldersShown, where it is known. What the program left in the box is the caller's by the time this returns. UserError,
  // SystemError: there was no run.
  Outcome Run(const Options& options, const CallersStreams& streams, std::optional<std::string> shown = std::nullopt);

 private:
  // The sandbox that `options` ask for.
  void Prepare(const Options& options, std::string shown);

  const Box& box_;
  std::string shown_;  // what the sandbox shows, in words
  std::optional<Sandbox> sandbox_;
};

}  // namespace tally::isolate

// Programs in a box, one after the other: what isolate's options mean for a run of Tally's (the table of docs/isolate.md). The sandbox of
// the last run serves the next one that asks for the same folders.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "front_ends/isolate/box.h"
#include "front_ends/isolate/messages.h"
#include "front_ends/isolate/meta.h"
#include "front_ends/isolate/options.h"
#include "supervisor/sandbox/sandbox.h"

namespace tally::isolate {

// The caller's, for a program whose options name no files.
struct CallersStreams {
  int in, out, error;
};

// A folder of this machine's, with what tells it from another of the same name. Device and inode are 0 where there is none.
struct ShownFolder {
  std::string path;
  std::uint64_t device = 0, inode = 0;
  bool operator==(const ShownFolder&) const = default;
};

// What a sandbox for `options` depends on.
struct Shown {
  CallerState caller;
  std::string rules;
  std::vector<ShownFolder> folders;
  bool operator==(const Shown&) const = default;
};
Shown ShownBy(const Options& options, const Box& box);

class BoxRuns {
 public:
  explicit BoxRuns(const Box& box) : box_(box) {}

  // What can be done for a run with such options before a program is there.
  void PrepareFirst(const Options& options);
  // `shown` is what is ShownBy `options`. What the program left in the box is the caller's by the time this returns. UserError,
  // SystemError: there was no run.
  Outcome Run(const Options& options, const CallersStreams& streams, Shown shown);

 private:
  // The sandbox that `options` ask for.
  void Prepare(const Options& options, Shown shown);

  const Box& box_;
  Shown shown_;  // by the sandbox
  std::optional<Sandbox> sandbox_;
};

}  // namespace tally::isolate

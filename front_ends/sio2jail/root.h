// What the program finds: its root, and its own place in it.
//
// With the mount namespace on, that is what --bind says, or without one the root of contest programs. With it off, sio2jail's
// programs have this machine's files and may change them; ours see its programs and libraries, their own folder and the one where they start,
// and can change nothing. As root the program is another user, who may not enter every folder: of one that it may not, it sees the files that
// it may read.
#pragma once

#include <string>
#include <vector>

#include "front_ends/sio2jail/options.h"
#include "supervisor/api/root_spec.h"
#include "supervisor/api/run_request.h"
#include "supervisor/sandbox/sandbox.h"

namespace tally::sio2jail {

struct View {
  RootSpec root;
  std::vector<PlacedFile> files;
  std::string program;   // the path that is executed there
  std::vector<std::string> argv;
  std::string work_dir;
  Isolation isolation = Isolation::kFull;
};

// UserError: there is no such program, or nothing to bind. InvalidConfiguration: the first --bind is not the root's.
View MakeView(const Options& options);

}  // namespace tally::sio2jail

// What the program finds: its root, and where it begins.
//
// runguard's programs are another user (--user) in a root that DOMjudge has made (--root), or without one on this machine; what that user may
// read and write is decided by permissions. Ours may be the same user as the caller, so the sandbox decides the same: folders that others may
// write are the program's to write, folders that others may not enter are not there, and all else is read-only.
#pragma once

#include <string>

#include "front_ends/runguard/options.h"
#include "supervisor/api/root_spec.h"

namespace tally::runguard {

struct View {
  RootSpec root;
  std::string program;  // the path that is executed there
  std::string work_dir;
};

// UserError: there is no such folder, or no such program.
View MakeView(const Options& options);

}  // namespace tally::runguard

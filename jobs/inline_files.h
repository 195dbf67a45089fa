// Files that travel inside the environ, for clients that share no store with who runs the job (docs/jobs.md):
//   inline_files  {filetracker path: its bytes in base64}: found before those of the store, by this job alone
//   inline_out    true: out_file comes back the same way, and is put into no store
#pragma once

#include <memory>

#include "jobs/environ.h"
#include "jobs/files.h"

namespace tally {

class InlineFiles {
 public:
  // Takes inline_files out of the environ: what came in does not go back. UserError names the key and the path.
  explicit InlineFiles(Environ* environ);
  ~InlineFiles();
  InlineFiles(const InlineFiles&) = delete;
  InlineFiles& operator=(const InlineFiles&) = delete;

  // After the job: puts out_file into inline_files, if it was asked for and there is one.
  void Return();

 private:
  Environ* environ_;
  bool out_;
  std::unique_ptr<TemporaryDirectory> directory_;
};

}  // namespace tally

// A sandbox made ready: its root built from a RootSpec, with the program's files in place. One Sandbox serves
// any number of runs, one after the other; nothing a run does stays, because all that is writable is mounted
// anew for each run that follows one that changed it (except host directories the caller bound writable).
//
// Root:      a tmpfs with bind mounts, read-only by the time a program runs.
// Per run:   /proc and tmpfs mounts, made by the run's own init process (child_setup.h); both may be kept of the last run
//            (reused_mounts.h, reused_init.h).
// Reduced:   no root at all; the list of host paths that Landlock lets the program read.
#pragma once

#include <string>
#include <vector>

#include "supervisor/api/root_spec.h"
#include "supervisor/api/run_request.h"
#include "supervisor/sandbox/reused_init.h"
#include "supervisor/sandbox/reused_mounts.h"
#include "supervisor/sandbox/sandboxes.h"

namespace tally {

// A host file or directory shown at `inside`. A file the sandbox's user may not read is copied. One that is writable must be that user's:
// what a run writes stays in it, within the limit on the size of files.
struct PlacedFile {
  std::string host_path;
  std::string inside;
  bool writable = false;
  bool executable = false;  // must be executable by the program
};

class Sandbox {
 public:
  // SystemError when the host refuses a step; UserError when a mount's source or a placed file is missing.
  // `sandboxes` is the executor's, and outlives this one.
  Sandbox(Sandboxes& sandboxes, const RootSpec& spec, const std::vector<PlacedFile>& files,
          Isolation isolation = Isolation::kFull);
  ~Sandbox();
  Sandbox(const Sandbox&) = delete;
  Sandbox& operator=(const Sandbox&) = delete;

  [[nodiscard]] Isolation isolation() const { return isolation_; }
  [[nodiscard]] const std::string& root() const { return root_; }  // in our mount namespace; "" unless kFull
  [[nodiscard]] const RootSpec& spec() const { return spec_; }
  [[nodiscard]] const std::vector<Mount>& run_mounts() const { return run_mounts_; }
  // What every /proc of a run has in the place of its cpuinfo, on this machine; "" where that is the kernel's.
  [[nodiscard]] const std::string& processor_file() const { return processor_file_; }
  [[nodiscard]] const std::vector<PlacedFile>& files() const { return files_; }
  // Of the last run; there is one run at a time.
  [[nodiscard]] ReusedMounts& reused_mounts() const { return reused_mounts_; }
  [[nodiscard]] ReusedInit& reused_init() const { return reused_init_; }
  // Where the program finds a host path: `inside` of the placed file in a full sandbox, else the host path.
  [[nodiscard]] std::string PathInside(const std::string& inside) const;

 private:
  void BuildRoot();
  void Apply(const Mount& mount);
  void CopyTopLevel(const std::string& directory);
  void MakeDev();
  bool MakeDeviceNodes();
  void BindDeviceNodes();
  void MakeSeededFiles();
  void MakeProcessorFile();
  void Place(const PlacedFile& file);
  [[nodiscard]] std::string In(const std::string& path) const { return root_ + path; }

  Sandboxes& sandboxes_;
  RootSpec spec_;
  Isolation isolation_;
  std::string root_;
  std::string processor_file_;
  std::vector<Mount> run_mounts_;
  std::vector<PlacedFile> files_;
  mutable ReusedMounts reused_mounts_;
  mutable ReusedInit reused_init_;
};

}  // namespace tally

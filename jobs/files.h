// The files of a job: a temporary directory of its own, and names turned into local paths. A name is a
// filetracker path or a plain path, as use_filetracker says:
//   true    every name is a filetracker path
//   false   every name is a path on this machine, relative to the working directory
//   "auto"  names that start with / are filetracker paths, the others plain (SIO Workers' default of sio-compile)
#pragma once

#include <optional>
#include <string>

#include "base/temporary_directory.h"
#include "jobs/environ.h"
#include "jobs/filetracker.h"
#include "jobs/remote_files.h"
#include "jobs/user_store.h"
#include "supervisor/api/run_request.h"

namespace tally {

// Under reduced isolation a program comes to its files by the way that is ours: where Tally is root, its group may pass.
void LetProgramsPass(const TemporaryDirectory& directory, Isolation isolation);

// An empty file of ours for a program's stream, in the place of one that the last run wrote.
Fd NewFile(const std::string& path);

// What a program wrote last into such a file: at most 2 KiB, in whole lines where there are any.
std::string LastWords(const std::string& path);

// Appends a file to a descriptor. UserError when the source cannot be read or the disk is full.
void CopyInto(const std::string& from, int to_fd, const std::string& to_name);

class JobFiles {
 public:
  explicit JobFiles(const Environ& environ);

  // The local path of an existing, readable, regular file. UserError names the key and the path.
  [[nodiscard]] std::string Fetch(std::string_view key, const std::string& name) const;
  // Where `local_path` ends up for the user: copied to the store or moved to the plain path, atomically. `upload`: to the server, too,
  // where there is one. Returns the name to report (with its version for a filetracker path).
  std::string Publish(std::string_view key, const std::string& name, const std::string& local_path, unsigned mode, bool upload = true) const;

 private:
  std::string PublishAs(const std::string& key, const std::string& name, const std::string& local_path, unsigned mode, bool upload) const;
  [[nodiscard]] bool IsTracked(const std::string& name) const;
  [[nodiscard]] std::string Find(const std::string& name) const;
  void CheckPlain(std::string_view key, const std::string& name) const;
  enum class Mode { kTracked, kPlain, kAuto } mode_;
  JobRules rules_;
  LocalStore store_;
  std::optional<UserStore> users_;
  RemoteFiles remote_;
};

}  // namespace tally

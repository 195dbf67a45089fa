// Starts one of our own executables as a helper: in a session of its own (what a terminal sends to us, we pass on by our
// own end), with default signals, /dev/null as stdin, and the descriptors that it is given. All others of ours are
// close-on-exec.
#pragma once

#include <spawn.h>
#include <sys/types.h>

#include <string>
#include <vector>

#include "base/fd.h"

namespace tally {

class Spawn {
 public:
  Spawn();
  ~Spawn();
  Spawn(const Spawn&) = delete;
  Spawn& operator=(const Spawn&) = delete;

  // The helper has `fd` as its descriptor `as`.
  void Give(int fd, int as);
  // The helper has a copy of `fd`; returns its number there. The copy is closed here with this object.
  int Pass(int fd);
  // Replaces the environment, which is ours otherwise.
  void SetEnvironment(std::vector<std::string> entries) { environment_ = std::move(entries); }
  // `path` is executed; words[0] is what it is called.
  pid_t Start(const std::string& path, std::vector<std::string> words);

 private:
  posix_spawn_file_actions_t files_{};
  posix_spawnattr_t attributes_{};
  std::vector<Fd> passed_;
  std::vector<std::string> environment_;
};

// The executable that lies beside ours.
std::string ExecutableBeside(const std::string& name);

}  // namespace tally

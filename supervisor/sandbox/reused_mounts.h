// The mount namespace of a run that is over, kept for the next one.
//
// Theory of operation. A run's own mounts are its tmpfs; everything else in its namespace was there before and is
// read-only. To copy the namespace, mount, pivot_root and take the old root away is among the most expensive steps of
// a start (the last one waits for the kernel's readers: fs/namespace.c, namespace_unlock). Most programs
// never write a file. So when a run leaves every tmpfs exactly as it was made, nobody can tell its namespace from
// a new one, and the next run enters it with one setns(2).
//
// "As it was made": a directory that was ever changed or read has other times, size or links. A file that was
// never linked is gone with its process, and all processes of a run are dead before the next begins.
//
// A /proc belongs to one process namespace. So mounts with one are kept only where the init of that namespace stays as well
// (reused_init.h), for programs that it starts: no new init enters them. It is read-only and shows what is alive; of a program that is
// dead nothing is in it.
//
// Not kept: those another process made (a forked worker makes its own), and those of the first run, because single runs should not pay
// for the next one.
#pragma once

#include <sys/stat.h>
#include <sys/types.h>

#include <algorithm>
#include <vector>

#include "base/fd.h"
#include "supervisor/api/root_spec.h"

namespace tally {

class ReusedMounts {
 public:
  // Will the mounts of a run that begins now be kept, if it leaves them as they were made?
  [[nodiscard]] bool Keeps() const { return runs_ > 0; }
  // The caller knows that the first run will not be the last.
  void ExpectMany() { runs_ = std::max(runs_, 1); }
  // To be called once a run's init has made its mounts, before the program begins.
  void Keep(pid_t init, bool init_stays, const std::vector<Mount>& run_mounts);
  // Is what the last run that kept them left indistinguishable from new mounts?
  [[nodiscard]] bool AreAsMade();
  // For a new init to enter, or -1: it must make its own.
  [[nodiscard]] int Namespace();

 private:
  void Forget();


  struct Watched {
    Fd directory;
    struct stat made;
  };
  Fd namespace_;
  bool has_proc_ = false;
  std::vector<Watched> tmpfs_;
  pid_t owner_ = -1;
  int runs_ = 0;
};

}  // namespace tally

// A box: a folder ROOT/N, in which box/ is what the program has as /box, and a lock beside it.
//
// ROOT is $TALLY_ISOLATE_ROOT, else /var/local/lib/isolate for root, and for others ~/.local/state/tally/isolate
// ($XDG_STATE_HOME). As root programs are another user, so box/ is given to that user while one runs.
#pragma once

#include <sys/stat.h>
#include <sys/types.h>

#include <optional>
#include <string>

#include "base/fd.h"
#include "front_ends/isolate/options.h"

namespace tally::isolate {

struct Owner {
  uid_t user;
  gid_t group;
};

class Box {
 public:
  // Nothing is made or locked yet. UserError: the number is none that a box can have.
  explicit Box(const Options& options);

  [[nodiscard]] const std::string& folder() const { return folder_; }
  [[nodiscard]] std::string work_folder() const { return folder_ + "/box"; }

  // An empty one, whatever was there before. UserError: it is in use.
  void Make();
  // UserError: it is not there, or in use.
  void Enter();
  // Nothing happens where there is none.
  void Remove();
  // Puts the box out of sight, emptied, for Show. False: it is not what Make made any more, and is left for Remove. The caller of --cleanup has the lock.
  [[nodiscard]] bool Hide();
  // An empty one, as Make made it, of the same folders. False: as Hide.
  [[nodiscard]] bool Show();
  // One that is hidden is gone, if it is what Make made.
  void RemoveHidden() const;
  // Once this process has its namespaces, where owners have other numbers. Neither Hide nor Show is true before.
  void GetReadyToHide();
  // For the next command, though a fork of ours still has what we locked.
  void Unlock();

  // Gives what is in box/ to `owner` (none: as it is), opens its folders to them, and removes what is neither file nor folder unless that is
  // kept, and what lies deeper than a hundred levels. Links are not followed, and no program may run.
  void Give(std::optional<Owner> owner, bool special_files_are_kept) const;

 private:
  void Lock(int flags);
  void RequireFolder(const struct stat& status) const;
  void RemoveAll() const;
  [[nodiscard]] std::string hidden() const { return folder_ + ".kept"; }
  [[nodiscard]] bool IsOurs() const;
  [[nodiscard]] bool IsAsMade() const;
  [[nodiscard]] bool Empty() const;

  bool waits_;
  std::string root_, folder_;
  std::optional<Owner> caller_;  // --as-uid
  Fd lock_;
  struct stat made_ {}, made_work_ {};  // the two folders, once Make has made them
  std::string attributes_;              // theirs
  bool names_are_counted_ = true;       // of a folder here its list says how many names it has had
};

}  // namespace tally::isolate

// What the jobs of one user leave for each other on a worker: a part of its store of which other users' jobs can name nothing.
//
// Files lie in DIRECTORY/users/USER, as the store has its own (filetracker.h). What is kept there has a bound: beyond it the files go that
// were put there first. A user is known by the name that the broker vouches for; who gives none shares a part with all who give none.
#pragma once

#include <optional>
#include <string>

#include "base/units.h"
#include "jobs/filetracker.h"

namespace tally {

class UserStore {
 public:
  // In `store`. `user`: "" is one of its own. `most`: of all its files together.
  UserStore(const LocalStore& store, const std::string& user, std::optional<Bytes> most);

  [[nodiscard]] const LocalStore& files() const { return files_; }
  // LocalStore::Put. UserError: the file alone is more than the bound.
  FiletrackerName Put(const FiletrackerName& name, const std::string& local_path) const;

 private:
  void MakeRoom(Bytes wanted) const;

  LocalStore files_;
  std::optional<Bytes> most_;
};

}  // namespace tally

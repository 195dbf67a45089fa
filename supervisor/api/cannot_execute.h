// The kernel does not execute the program: a mistake of the user's, who handed in such a file. Says why;
// which file it was, by the key and path that the user knows, is for the caller to add.
#pragma once

#include "base/error.h"

namespace tally {

class CannotExecute : public UserError {
 public:
  // `error`: execve's errno.
  CannotExecute(const std::string& why, int error)
      : UserError("the program cannot be executed: " + why), why_(why), error_(error) {}
  [[nodiscard]] const std::string& why() const { return why_; }
  [[nodiscard]] int error() const { return error_; }

 private:
  std::string why_;
  int error_;
};

}  // namespace tally

// Compares two files by the default rules (tokens.h) in constant memory, however large they are: both are
// mapped whole, and what has been read is unmapped behind the comparison. The descriptors are borrowed and
// must be of regular files that nobody writes to meanwhile: a file cut short under a mapping is a SIGBUS.
#pragma once

#include <optional>

#include "base/mapping.h"
#include "checkers/tokens.h"

namespace tally {

// The answer and the mappings that its words are views into.
class FileComparison {
 public:
  FileComparison(Mapping expected, Mapping got);

  [[nodiscard]] const std::optional<TokenMismatch>& mismatch() const { return mismatch_; }
  [[nodiscard]] bool equal() const { return !mismatch_.has_value(); }

 private:
  Mapping expected_;
  Mapping got_;
  std::optional<TokenMismatch> mismatch_;
};

// Throws SystemError if a file cannot be mapped.
FileComparison CompareFiles(int expected_fd, int got_fd);

}  // namespace tally

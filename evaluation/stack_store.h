// Stacks by reference: all NAME.yaml in the folders of TALLY_STACKS, the user's and the shipped ones
// (base/description_folders.h). A reference is a name or an alias, and may end in a version:
//   cpp-catch2   cpp   cpp:latest   cpp-catch2:1   cpp-catch2:1.2
// "1" is any 1.x; of several files that fit, the highest version counts. A stack is called as its file is, or by its key
// `name`, so that several versions of one lie side by side.
#pragma once

#include <string_view>
#include <vector>

#include "base/description_folders.h"
#include "evaluation/stack_spec.h"

namespace tally {

class StackStore {
 public:
  StackStore() : StackStore(DescriptionFolders("TALLY_STACKS", "stacks")) {}
  explicit StackStore(const DescriptionFolders& folders);

  // UserError names the known ones.
  [[nodiscard]] const StackSpec& Resolve(std::string_view stack_ref) const;
  [[nodiscard]] const std::vector<StackSpec>& All() const { return specs_; }

 private:
  std::vector<StackSpec> specs_;
};

}  // namespace tally

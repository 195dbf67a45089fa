// Compilers by name: all NAME.yaml in the folders of TALLY_COMPILERS, the user's and the shipped ones
// (base/description_folders.h). All are read at once, so that a mistake in one is seen before a contest, not
// when its language is first used. Where two claim one name, the earlier folder wins; within one folder that
// is a UserError.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/description_folders.h"
#include "compilers/compiler_spec.h"

namespace tally {

class CompilerStore {
 public:
  CompilerStore() : CompilerStore(DescriptionFolders("TALLY_COMPILERS", "compilers")) {}
  explicit CompilerStore(DescriptionFolders folders);

  // "cpp20", an alias, "default-cpp", or an extension ("cpp"). As in SIO, what follows the first dot of an
  // unknown name is ignored ("gcc.c11_opts"). UserError lists the known names.
  [[nodiscard]] const CompilerSpec& Find(std::string_view name) const;
  // The default for sources that end in `extension` (any case, with or without the dot).
  [[nodiscard]] const CompilerSpec& ForExtension(std::string_view extension) const;
  [[nodiscard]] bool KnowsExtension(std::string_view extension) const;
  [[nodiscard]] const std::vector<CompilerSpec>& All() const { return specs_; }

 private:
  void CheckConflicts() const;
  [[nodiscard]] const CompilerSpec* TryFind(std::string_view name) const;
  [[nodiscard]] const CompilerSpec* TryExtension(std::string_view extension) const;

  DescriptionFolders folders_;
  std::vector<CompilerSpec> specs_;
};

}  // namespace tally

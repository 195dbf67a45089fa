// What a stack makes once on a machine and not for each evaluation: its framework's objects, precompiled headers. Its
// commands (tests.prepare) run as a build does, before any solution is there, and what they leave is shown to all builds
// and tests as /prepared. The folder is
//   $TALLY_CACHE/stacks/NAME-SUM, for root /var/cache/tally/stacks/NAME-SUM, else ~/.cache/tally/stacks/NAME-SUM
// where SUM is of all that it depends on: the description, the folders of helpers that it names, and the tools as they are installed. It
// appears whole or not at all; old ones may be deleted by hand. Who has no such folder (a user without a home) prepares for each evaluation.
#pragma once

#include <memory>
#include <string>

#include "base/temporary_directory.h"
#include "evaluation/command_words.h"
#include "evaluation/evaluation_settings.h"
#include "evaluation/stack_spec.h"
#include "evaluation/step_notice.h"

namespace tally {

inline constexpr const char* kPrepared = "/prepared";

class PreparedFolder {
 public:
  PreparedFolder() = default;  // of a stack that prepares nothing
  // UserError when its commands fail, or TALLY_CACHE says where nothing can be made.
  PreparedFolder(const StackSpec& stack, const CommandMaker& commands, const EvaluationSettings& settings, const std::string& support,
                 const StepNotice& notice);

  [[nodiscard]] const std::string& path() const { return path_; }  // "" for a stack that prepares nothing

 private:
  std::unique_ptr<TemporaryDirectory> alone_;  // for this evaluation
  std::string path_;
};

}  // namespace tally

#include "evaluation/support_folder.h"

#include <filesystem>

#include "base/description_folders.h"
#include "base/error.h"

namespace tally {

std::string StackSupportFolder() {
  const DescriptionFolders folders("TALLY_STACKS", "stacks");
  std::error_code error;
  for (const std::string& folder : folders.folders()) {
    if (std::filesystem::is_directory(folder + "/support", error)) return folder + "/support";
  }
  throw SystemError("find the stacks' support folder in " + folders.Searched(), 0);
}

}  // namespace tally

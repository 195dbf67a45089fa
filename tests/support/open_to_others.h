// A build may lie in a folder that is closed to other users, root's home say. What a test needs as another user is then
// found in a place of its own, for as long as this lives.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "tests/support/run_program.h"
#include "tests/support/scoped_variable.h"
#include "tests/support/scratch_folder.h"

namespace tally {

class OpenToOthers {
 public:
  // The test programs of these names, and the sandboxes.
  explicit OpenToOthers(const std::vector<std::string>& programs) {
    namespace fs = std::filesystem;
    for (const std::string& program : programs) {
      const fs::path copy = fs::path(folder_.path()) / "tests/programs" / program;
      fs::create_directories(copy.parent_path());
      fs::copy_file(BuildFolder() + "/tests/programs/" + program, copy);
    }
    fs::copy(SourceFolder() + "/sandboxes", folder_.path() + "/sandboxes", fs::copy_options::recursive);
    Open(folder_.path());
    for (const auto& entry : fs::recursive_directory_iterator(folder_.path())) Open(entry.path());
    build_.emplace("TALLY_TEST_BUILD", folder_.path());
    sandboxes_.emplace("TALLY_SANDBOXES", folder_.path() + "/sandboxes");
  }

 private:
  static void Open(const std::filesystem::path& path) {
    std::filesystem::permissions(path, std::filesystem::perms{0755});
  }

  ScratchFolder folder_;
  std::optional<ScopedVariable> build_, sandboxes_;
};

}  // namespace tally

// Where named descriptions (sandboxes, compilers) are looked for, each in a file NAME.yaml. The folders, in
// the order in which the first one with the name wins:
//   those in an environment variable (TALLY_SANDBOXES, TALLY_COMPILERS), separated by colons
//   ~/.config/tally/KIND            what this user added
//   /etc/tally/KIND                 what this machine's operator added
//   ../share/tally/KIND             beside the running executable's folder, or where Tally was installed
// For an executable inside its build folder the last two are SOURCE/KIND instead, the shipped ones.
// Nothing here throws for an absent folder: searching says what was searched.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace tally {

struct DescriptionFile {
  std::string name;  // without .yaml
  std::string path;
};

class DescriptionFolders {
 public:
  // `kind` is the folder's name: "sandboxes".
  DescriptionFolders(const char* variable, const std::string& kind);
  explicit DescriptionFolders(std::vector<std::string> folders) : folders_(std::move(folders)) {}

  [[nodiscard]] std::optional<std::string> Find(std::string_view name) const;
  // All of them, sorted by folder and then by name; a name hidden by an earlier folder is left out.
  // template.yaml is for people to copy, not a description.
  [[nodiscard]] std::vector<DescriptionFile> List() const;
  // The first FILE in the folders, or just its name: for messages that say what to copy.
  [[nodiscard]] std::string PathOf(const std::string& file) const;
  // "a, b (no such folder)": for messages.
  [[nodiscard]] std::string Searched() const;
  [[nodiscard]] const std::vector<std::string>& folders() const { return folders_; }

  // Letters, digits and ._+- with no dot in front: such a name cannot leave its folder.
  [[nodiscard]] static bool IsName(std::string_view name);

 private:
  std::vector<std::string> folders_;
};

// The last of these folders, which are the same for every user: of an executable with this path.
std::vector<std::string> FoldersOfExecutable(const std::filesystem::path& executable, const std::string& kind);

// The user's folder for `kind` of XDG directories: $VARIABLE/tally or ~/FALLBACK/tally; nothing without a
// home.
std::optional<std::string> UserFolder(const char* variable, const std::string& fallback);

}  // namespace tally

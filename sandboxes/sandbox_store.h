// Sandboxes by name: NAME.yaml in the folders of TALLY_SANDBOXES, the user's and the shipped ones
// (base/description_folders.h). Read anew at each call, so an edited description counts at once.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/description_folders.h"
#include "sandboxes/image_store.h"
#include "sandboxes/sandbox_spec.h"

namespace tally {

class SandboxStore {
 public:
  SandboxStore() : SandboxStore(DescriptionFolders("TALLY_SANDBOXES", "sandboxes"), ImageStore()) {}
  SandboxStore(DescriptionFolders folders, ImageStore images);

  // Ready for the supervisor: an archive is unpacked. UserError for a missing sandbox says where it was
  // looked for and how to make one.
  [[nodiscard]] RootSpec Get(std::string_view name) const;
  // The description only; no archive is touched.
  [[nodiscard]] SandboxSpec Describe(std::string_view name) const;
  [[nodiscard]] std::vector<DescriptionFile> List() const { return folders_.List(); }

 private:
  DescriptionFolders folders_;
  ImageStore images_;
};

}  // namespace tally

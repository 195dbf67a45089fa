#include "jobs/extra_execution_files.h"

#include <fmt/format.h>

#include "base/error.h"

namespace tally {

std::vector<PlacedFile> ExtraExecutionFiles(const JobFiles& files, const Environ& environ) {
  std::vector<PlacedFile> extra;
  for (const auto& [name, path] : environ.TextMap("extra_execution_files")) {
    if (name.empty() || name.find('/') != std::string::npos || name.front() == '.' || name == "program") {
      throw UserError(fmt::format("extra_execution_files: \"{}\" must be a plain file name", name));
    }
    extra.push_back({files.Fetch("extra_execution_files." + name, path), "/box/" + name, false, true});
  }
  return extra;
}

}  // namespace tally

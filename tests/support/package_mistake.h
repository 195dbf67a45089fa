// What ReadPackage says of a folder, without the folder's path.
#pragma once

#include <string>

#include "base/error.h"
#include "packages/package.h"

namespace tally {

inline std::string PackageMistake(const std::string& folder) {
  try {
    return "no mistake, " + std::to_string(ReadPackage(folder).tests.size()) + " tests";
  } catch (const UserError& error) {
    std::string text = error.what();
    for (std::size_t at; (at = text.find(folder)) != std::string::npos;) text.replace(at, folder.size(), "DIR");
    return text;
  }
}

}  // namespace tally

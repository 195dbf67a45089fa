// Golden files: a format's text, as it must stay. TALLY_REBASE_GOLDEN=1 writes them anew, on purpose; the difference
// is then read in the change.
#pragma once

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>

#include "tests/support/catch.h"
#include "tests/support/skip.h"

namespace tally {

// `name` is a path below tests/.
inline void CheckGolden(const std::string& name, const std::string& text) {
  const std::string path = std::string(TALLY_SOURCE_DIR) + "/tests/" + name;
  if (std::getenv("TALLY_REBASE_GOLDEN") != nullptr) std::ofstream(path, std::ios::binary) << text;
  if (!std::filesystem::exists(path)) TALLY_SKIP("the source tree is not here");
  std::ostringstream golden;
  golden << std::ifstream(path, std::ios::binary).rdbuf();
  CHECK(golden.str() == text);
}

}  // namespace tally

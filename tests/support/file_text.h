// The text of a file of the tests' own.
#pragma once

#include <fstream>
#include <iterator>
#include <stdexcept>
#include <string>

namespace tally {

// `path` is relative to tests/.
inline std::string FileText(const std::string& path) {
  std::ifstream file(std::string(TALLY_SOURCE_DIR) + "/tests/" + path);
  if (!file) throw std::runtime_error("cannot read tests/" + path);
  return {std::istreambuf_iterator<char>(file), {}};
}

}  // namespace tally

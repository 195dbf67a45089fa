// What a test program printed, by lines "name: value".
#pragma once

#include <sstream>
#include <string>
#include <vector>

namespace tally {

inline std::vector<std::string> Lines(const std::string& text) {
  std::vector<std::string> out;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) out.push_back(line);
  return out;
}

// What stands behind `name` in the `nth` line that begins with it.
inline std::string ValueOf(const std::string& output, const std::string& name, int nth = 0) {
  for (const std::string& line : Lines(output)) {
    if (line.starts_with(name + ": ") && nth-- == 0) return line.substr(name.size() + 2);
  }
  return "no line " + name;
}

}  // namespace tally

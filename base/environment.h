// The environment of a program: "KEY=value" entries, one per key.
#pragma once

#include <string>
#include <vector>

namespace tally {

// `entries`, with those of `over` in place of the ones with the same key.
inline std::vector<std::string> MergedEnvironment(std::vector<std::string> entries,
                                                  const std::vector<std::string>& over) {
  for (const std::string& entry : over) {
    const std::string key = entry.substr(0, entry.find('=') + 1);
    std::erase_if(entries, [&](const std::string& old) { return old.rfind(key, 0) == 0; });
    entries.push_back(entry);
  }
  return entries;
}

}  // namespace tally

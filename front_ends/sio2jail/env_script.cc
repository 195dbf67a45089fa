#include "front_ends/sio2jail/env_script.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cstdlib>
#include <fstream>
#include <sstream>

#include "base/error.h"

namespace tally::sio2jail {
namespace {

std::string InPath(const std::string& name, const std::function<bool(const std::string&)>& is_reached) {
  const char* const path = std::getenv("PATH");
  std::istringstream folders(path != nullptr ? path : "/usr/local/bin:/usr/bin:/bin");
  for (std::string folder; std::getline(folders, folder, ':');) {
    std::string candidate = folder + "/" + name;
    if (::access(candidate.c_str(), X_OK) == 0 && is_reached(candidate)) return candidate;
  }
  return "";
}

}  // namespace

std::vector<std::string> WordsOfEnvScript(const std::string& file, const std::function<bool(const std::string&)>& is_reached) {
  std::ifstream in(file);
  std::string line;
  if (in.get() != '#' || in.get() != '!' || !std::getline(in, line)) return {};
  std::istringstream text(line);
  std::vector<std::string> words;
  for (std::string word; text >> word;) words.push_back(word);
  if (words.empty() || words.front() != "/usr/bin/env") return {};
  words.erase(words.begin());
  const bool is_split = !words.empty() && words.front() == "-S";
  if (is_split) words.erase(words.begin());
  // The kernel gives env all that is behind it as one word (execve(2)), so without -S more than one name nothing.
  if (words.empty() || (words.size() > 1 && !is_split)) return {};
  const std::string found = InPath(words.front(), is_reached);
  if (found.empty()) throw UserError(fmt::format("{}: its first line asks for {}, which is not in PATH where the program may reach it", file, words.front()));
  words.front() = found;
  return words;
}

}  // namespace tally::sio2jail

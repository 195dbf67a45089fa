#include "jobs/own_paths.h"

#include <algorithm>
#include <cstdlib>
#include <string_view>

#include "jobs/filetracker.h"

namespace tally {
namespace {

// The store's own names are the client's.
void ShortenStore(const std::string& folder, std::string* sentence) {
  for (std::size_t at = sentence->find(folder); at != std::string::npos; at = sentence->find(folder, at)) sentence->erase(at, folder.size());
}

// FOLDER/tally-job-XXXXXX/NAME is NAME.
void ShortenTemporary(const std::string& folder, std::string* sentence) {
  constexpr std::string_view kOurs = "tally-job-";
  const std::string prefix = folder + "/";
  for (std::size_t at = sentence->find(prefix); at != std::string::npos; at = sentence->find(prefix, at)) {
    std::size_t end = at + prefix.size();
    if (sentence->compare(end, kOurs.size(), kOurs) == 0) end = std::min(sentence->find_first_of("/ :\"", end), sentence->size());
    const bool has_name = end < sentence->size() && ((*sentence)[end] == '/' || end == at + prefix.size());
    sentence->replace(at, end - at + (has_name && (*sentence)[end] == '/' ? 1 : 0), has_name ? "" : "a temporary folder");
  }
}

}  // namespace

std::string WithoutOwnPaths(std::string sentence) {
  if (const char* const folder = std::getenv("TMPDIR"); folder != nullptr && std::string_view(folder).size() > 1) ShortenTemporary(folder, &sentence);
  if (const std::string store = LocalStore().directory(); store.size() > 1) {
    ShortenStore(store + "/files", &sentence);
    ShortenStore(store, &sentence);
  }
  return sentence;
}

}  // namespace tally

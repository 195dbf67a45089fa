#include "supervisor/translator/persist/translation_folder.h"

#include <fmt/format.h>
#include <sys/stat.h>

#include <cstdlib>
#include <string_view>

#include "base/cache_folder.h"
#include "base/error.h"

namespace tally {

std::string TranslationFolder() {
  const char* const chosen = std::getenv("TALLY_TRANSLATION_CACHE");
  if (chosen != nullptr && std::string_view(chosen) == "off") return "";
  if (chosen == nullptr || *chosen == '\0') return CacheFolder("translations").value_or("");
  struct stat status {};
  if (::stat(chosen, &status) == 0 && S_ISDIR(status.st_mode) && !IsOursAlone(status)) {
    throw UserError(fmt::format("TALLY_TRANSLATION_CACHE: {} is open to others, or not yours; who may write there decides what programs execute: chmod 700", chosen));
  }
  return AbsolutePathIn("TALLY_TRANSLATION_CACHE", chosen);
}

}  // namespace tally

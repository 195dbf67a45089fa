// Where Tally keeps what it could make again (base/file_cache.h and others), by kind:
//   $TALLY_CACHE/KIND; for root /var/cache/tally/KIND; else ~/.cache/tally/KIND
#pragma once

#include <sys/stat.h>

#include <optional>
#include <string>

namespace tally {

// nullopt: there is no home. UserError where the environment says what cannot be.
std::optional<std::string> CacheFolder(const std::string& kind);

// Nobody else may read it or write to it.
bool IsOursAlone(const struct stat& status);

// `value` of the environment variable `variable`.
std::string AbsolutePathIn(const char* variable, const std::string& value);

}  // namespace tally

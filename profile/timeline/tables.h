// The tables at the end of a timeline file, as bytes: numbers of eight bytes, texts with their length in front, lists with
// their number of rows in front. Who reads them trusts nothing: a file is anybody's.
#pragma once

#include <string>
#include <string_view>

#include "profile/timeline/record.h"

namespace tally {

std::string EncodeTables(const TimelineTables& tables);
// UserError where these are no tables, or damaged ones; `path` is named.
TimelineTables DecodeTables(std::string_view bytes, const std::string& path);

}  // namespace tally

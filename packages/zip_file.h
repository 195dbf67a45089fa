// The files of a zip archive, in which a package keeps its tests.
#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "base/units.h"

namespace tally {

// Unpacks the files of these names into `folder`, under names of our own: no name leads elsewhere. Says where those that are there have
// been put. UserError when the archive is damaged or they unpack to more than `most`.
std::map<std::string, std::string> UnpackFiles(const std::string& archive, const std::set<std::string>& names, const std::string& folder, Bytes most);

// The names of its files, in its order. UserError when the archive is damaged.
std::vector<std::string> FilesIn(const std::string& archive);

}  // namespace tally

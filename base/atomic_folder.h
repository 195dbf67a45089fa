// A folder in a cache, made once by the first process that needs it, while others wait: it is there whole or not at all.
#pragma once

#include <functional>
#include <string>

namespace tally {

// Nothing when `folder` is there. Else `make` is called with a new, empty folder beside it (mode 0755), which gets its name
// when `make` has returned and is removed when it throws. Folders above are made. UserError where none can be made.
void MakeFolderOnce(const std::string& folder, const std::function<void(const std::string& path)>& make);

}  // namespace tally

// What goes to a stranger says nothing of where things are on this machine.
#pragma once

#include <string>

namespace tally {

// Names below our folders (TMPDIR, where it is set; the store of files) without the folders; a temporary folder's own name goes, too.
std::string WithoutOwnPaths(std::string sentence);

}  // namespace tally

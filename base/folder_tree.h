// Folders that programs which nobody trusts have filled: of any depth, with any names, closed to us, their own user.
#pragma once

#include <string>

namespace tally {

// Removes what is in a folder, and the folder, also where a program has closed its own folders to us. What cannot be
// removed stays.
void RemoveFolder(const std::string& path);
// Of a folder of ours, which is open to us and empty then, but for `kept` (a name in it; "" for none). False: some of what was in it is
// still there.
bool EmptyFolder(const std::string& path, const std::string& kept = "");
// The same of an entry of an open folder, whatever it is. False: some of it is still there.
bool RemoveIn(int folder, const char* name);

}  // namespace tally

// Scripts that begin with `#!/usr/bin/env NAME`: env(1) executes NAME, and a second execve is what a program of one process may not
// make, under sio2jail neither. So NAME is looked for before the program begins.
#pragma once

#include <functional>
#include <string>
#include <vector>

namespace tally::sio2jail {

// The words that env would execute for such a script, of which the first is a path; none where `file` is no such script. Of PATH the
// first that the program may reach is taken (as root it is another user). UserError: NAME is not there.
std::vector<std::string> WordsOfEnvScript(const std::string& file, const std::function<bool(const std::string&)>& is_reached);

}  // namespace tally::sio2jail

// The executor of this process, made by the first call. A fork has its own: nothing that the other keeps is used or ended there.
#pragma once

#include "supervisor/run/executor.h"

namespace tally {

Executor& ProcessExecutor();

}  // namespace tally

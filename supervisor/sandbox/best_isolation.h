// The strongest isolation that this host lets us have: for callers to whom "auto" was said.
#pragma once

#include "supervisor/api/run_request.h"

namespace tally {

// Full where namespaces and mounts can be made, else reduced; tried once, in a process of its own.
Isolation BestIsolation();

}  // namespace tally

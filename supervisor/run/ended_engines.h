// Engines of ended runs that have something to put away for later ones (Engine::Keep), and where that may
// lie. It is done when nobody waits for a result: before the next run begins, or at the end. A process by
// fork leaves it to the one that ran.
#pragma once

#include <memory>
#include <string>

#include "supervisor/engines/engine.h"
#include "supervisor/sandbox/sandbox.h"

namespace tally {

class EndedEngines {
 public:
  static void Add(std::unique_ptr<Engine> engine);
  static void PutAway();
};

// `folder`, where no program in `sandbox` can come to it; else "".
std::string FolderOutside(const std::string& folder, const Sandbox& sandbox);

}  // namespace tally

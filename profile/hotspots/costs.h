// What the blocks of a run (block_profile.h) cost by function and by line of the source.
#pragma once

#include "profile/hotspots.h"
#include "profile/hotspots/block_profile.h"

namespace tally {

// After BlockProfile::Finish. An instruction belongs to the innermost function that was inlined there, if any. Lines are
// those of the program's own file; code without source is in functions only.
Hotspots CostsOf(const BlockProfile& profile, CodeMap* map);

}  // namespace tally

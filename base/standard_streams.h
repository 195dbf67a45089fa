// What each main of ours begins with.
#pragma once

namespace tally {

// A descriptor of 0, 1 and 2 that is closed would be taken by the next file we open, and a program would write into it. /dev/null is
// there from now on.
void KeepStandardStreamsOpen();

}  // namespace tally

// The keeper of a box: a process that --init leaves behind, with the box's mounts and its executor ready, so that --run pays for a warm run.
//
// Theory of operation. Mounts that no one but us sees need a process that holds them. So --init forks one off, which listens on
// FOLDER.socket for requests (messages.h): a --run's words, its environment and its streams, by client.h. It answers with what there is to
// tell and waits for the next. It ends by --cleanup, when nobody has asked for a while, and with the program when who asked is gone, of which the kernel tells it by
// a signal (fcntl(2), F_SETSIG). It can be killed at any time: a --run that finds no keeper makes its own sandbox.
//
// Its mounts are those of the moment of --init. Where a folder that is to be shown is another one for who asks than for the keeper,
// as after a later mount(8), the run is not the keeper's. The box's lock is held by who asks, all the time.
#pragma once

#include "front_ends/isolate/box.h"
#include "front_ends/isolate/options.h"

namespace tally::isolate {

// After Box::Make, by a process that ends soon and unlocks the box before. Returns at once; the keeper gets ready beside us. Nothing happens where TALLY_ISOLATE_KEEPER is "off".
void StartKeeper(const Box& box, const Options& options);
// Returns when it has ended. None may be there.
void EndKeeper(const Box& box);

}  // namespace tally::isolate

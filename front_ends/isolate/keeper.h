// The keeper of a box: a process that --init leaves behind, with the box's mounts and its executor ready, so that --run pays for a warm run.
//
// Theory of operation. Mounts that no one but us sees need a process that holds them. So --init forks one off, which listens on
// FOLDER.socket for requests (messages.h): a --run's words, its environment and its streams, by client.h. It answers with what there is to
// tell and waits for the next. It ends when nobody has asked for a while, and with the program when who asked is gone, of which the kernel tells it by
// a signal (fcntl(2), F_SETSIG). It can be killed at any time: a command that finds no keeper does all itself. SIGTERM, SIGINT
// and SIGHUP it takes between runs, and tidies up.
//
// Who evaluates makes a box, runs something in it and removes it, over and over. So --cleanup is the keeper's, too: it empties the box and puts
// its folders out of sight, under another name, for its mounts show them; and for some seconds it waits for an --init of the same words, which
// gets them back. Nothing tells that they are the same: what is in them is gone, their times are new, and where their size, mode or owner are
// other ones than when they were made, or where the file system counts the names that a folder has had, they are removed.
//
// Its mounts are those of the moment of --init. Where a folder that is to be shown is another one for who asks than for the keeper,
// as after a later mount(8), the run is not the keeper's. The box's lock is held by who asks, all the time.
#pragma once

#include <string>
#include <vector>

#include "front_ends/isolate/box.h"
#include "front_ends/isolate/options.h"

namespace tally::isolate {

// After Box::Make, by a process that ends soon and unlocks the box before. Returns at once; the keeper gets ready beside us. Nothing happens where TALLY_ISOLATE_KEEPER is "off".
// `words` are main's.
void StartKeeper(Box* box, const Options& options, const std::vector<std::string>& words);
// Returns when it has ended. None may be there.
void EndKeeper(const Box& box);

}  // namespace tally::isolate

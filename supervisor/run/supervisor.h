// Run: one program, once, inside limits. The way through a run is this function's body.
//
// Prepare does everything that can fail or is slow before there is a child; StartChild is the list of set-up
// steps; Watch waits and enforces; Judge decides. What the program did is the returned value.
// CannotExecute: the kernel refuses the program's file. SystemError: the host refused something; nothing of
// the run is left.
#pragma once

#include "supervisor/api/cannot_execute.h"
#include "supervisor/api/run_request.h"
#include "supervisor/api/run_result.h"
#include "supervisor/sandbox/sandbox.h"

namespace tally {

RunResult Run(const RunRequest& request, const Sandbox& sandbox);

// Pays once for what makes many runs cheaper: a caller that will run a batch calls it first.
void PrepareForManyRuns();

// What ended runs left to be done when nobody waits: processes to reap, roots to unmount. The next run does it; who waits for
// long in between calls this.
void PutAwayEndedRuns();

// Removes what runs keep for the next ones. At exit this happens by itself; a process that ends by _exit calls it.
void EndOfRuns();

}  // namespace tally

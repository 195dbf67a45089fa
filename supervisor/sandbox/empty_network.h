// A network namespace with nothing in it, made once and entered by every run whose sandbox shows /proc: in /proc/net a program
// would find this machine's addresses and connections. (Where there is no /proc, programs see nothing of a network, because
// the policy forbids sockets; where it permits them, each run has a namespace of its own.)
#pragma once

namespace tally {

// A descriptor for setns(2). In a user namespace it must be ours (private_mounts.h). SystemError where the host does not let
// us make one.
int EmptyNetwork();

}  // namespace tally

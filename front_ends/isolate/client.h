// The part of --init, --run and --cleanup that asks the box's keeper. It is all that most of them need of this executable, and it runs before
// libc is started.
//
// Theory of operation. On a virtual machine the start of libc is dear: it executes cpuid a few dozen times, each of which leaves the
// guest (two thirds of what fork and exec of an empty static program cost there), and with it come the pages of a large executable. So the entry point
// of the static executable is ours (TallyIsolateEntry): it looks for the box's number in main's words, locks the box, sends the words to
// the keeper as they lie in memory, and where the keeper serves them it writes what came of it and exits. In every other case it leaves
// things as they were, and libc and main start as always and do all of it, with the words for what is wrong.
//
// Nothing is decided here. Options are read by the keeper with main's own reader; that the number was guessed rightly, too. What this side
// knows better, how its process is and what folders it sees, it compares with what the keeper would show.
//
// Before libc there is no errno, no memory to be had, and none of libc's functions, not even memcpy: the build looks that none is called.
// Executables that are not static call the same from main.
#pragma once

#include <cstddef>
#include <cstdint>

namespace tally::isolate {

enum class Asked : std::uint8_t {
  kNot,          // yet
  kInVain,       // there is no keeper, or this is not for it
  kAnswered,     // but what a run came to could not be written: `answer`
  kKeeperGone,   // while the program ran
  kInterrupted,  // by `signal`; the keeper has ended the program, if it ran
};

struct Client {
  Asked asked = Asked::kNot;
  int signal = 0;
  const char* answer = nullptr;  // the last message's words (messages.h)
  std::size_t size = 0;
};
extern constinit Client client;

// Exits with the command's status where a keeper has served it and all is written; else `client` says what came of it. The strings of `argv`
// and of the environment behind it must lie where the kernel put them.
void AskKeeper(int argc, char** argv);

}  // namespace tally::isolate

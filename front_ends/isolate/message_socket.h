// The keeper's end of a conversation (messages.h): messages as lists of words. The caller's end has no libc (client.cc).
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/fd.h"

namespace tally::isolate {

using Words = std::vector<std::string>;

// What a message's bytes say.
Words Unpacked(std::string_view text);

// False: the other side is gone.
bool Send(int socket, const Words& words);

struct Received {
  Words words;  // none: the other side is gone
  std::vector<Fd> descriptors;
};
Received Receive(int socket);

}  // namespace tally::isolate

// What the server and its workers say to each other over a socket: a text, and open files.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/fd.h"

namespace tally::serve {

struct Message {
  std::string text;
  std::vector<Fd> files;
};

// Both wait. At most 16 files. False, and nothing: the other side is gone.
bool Send(int socket, std::string_view text, const std::vector<int>& files = {});
bool Receive(int socket, Message* message);

}  // namespace tally::serve

// Where a server of ours listens, as people write it: 127.0.0.1:9464, [::1]:9464, localhost:9464. Numbers only, no
// names: to look one up would need a network, and a static executable cannot.
#pragma once

#include <sys/socket.h>

#include <string>
#include <string_view>

#include "base/fd.h"

namespace tally {

struct ListenAddress {
  sockaddr_storage storage{};
  socklen_t size = 0;
};

// UserError says which form is expected. Port 0 is any that is free.
ListenAddress ParseListenAddress(std::string_view text);

// A socket that listens there, non-blocking. UserError when the address is taken or not this machine's.
Fd ListenOn(const std::string& text);

// Where it listens, in the same form.
std::string AddressOf(const Fd& socket);

}  // namespace tally

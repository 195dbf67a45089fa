#include "jobs/unheard.h"

#include <poll.h>
#include <unistd.h>

#include <array>

namespace tally {

void Unheard::MakeRoom() {
  std::array<char, 65536> lost;
  std::erase_if(held_, [&](Held& held) {
    // Not by O_NONBLOCK, which would be the solution's, too: it is of the open pipe, and not of a descriptor.
    for (pollfd end{held.end.get(), POLLIN, 0}; held.heard < kMostUnheard;) {
      if (::poll(&end, 1, 0) <= 0 || (end.revents & POLLIN) == 0) return false;  // a fifo's other side may still come
      const ssize_t n = ::read(held.end.get(), lost.data(), lost.size());
      if (n <= 0) return true;
      held.heard += static_cast<std::size_t>(n);
    }
    return true;
  });
}

}  // namespace tally

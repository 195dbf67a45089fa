// A name in the kernel's table of Unix sockets and in no folder: it goes with the socket, however its owner ends (unix(7)).
#pragma once

#include <sys/socket.h>
#include <sys/un.h>

#include <algorithm>
#include <cstddef>
#include <string_view>

namespace tally {

class AbstractAddress {
 public:
  // The first byte stays 0. What is too long is cut.
  explicit AbstractAddress(std::string_view name) : size_(std::min(name.size(), sizeof address_.sun_path - 1)) {
    address_.sun_family = AF_UNIX;
    std::copy_n(name.begin(), size_, address_.sun_path + 1);
  }
  [[nodiscard]] const sockaddr* get() const { return reinterpret_cast<const sockaddr*>(&address_); }
  [[nodiscard]] socklen_t size() const { return static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + 1 + size_); }

 private:
  sockaddr_un address_{};
  std::size_t size_;
};

}  // namespace tally

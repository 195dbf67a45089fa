// Brings connections to an address of this machine on to a port on loopback, both ways, until it ends: a server that
// listens on loopback alone is reached over a line that a test can cut. What comes in while the line is cut waits, as it
// would in a network.
#pragma once

#include <cstdint>
#include <string>
#include <thread>

#include "base/fd.h"

namespace tally {

class NetworkRelay {
 public:
  // Listens on ADDRESS:PORT for 127.0.0.1:PORT. Of each connection it takes so many bytes and then no more, as a broker
  // does that has no memory left; what the broker says goes on.
  NetworkRelay(const std::string& address, std::uint16_t port, std::uint64_t most = UINT64_MAX);
  ~NetworkRelay();
  NetworkRelay(const NetworkRelay&) = delete;
  NetworkRelay& operator=(const NetworkRelay&) = delete;

 private:
  void Serve();

  std::uint16_t port_;
  std::uint64_t most_;
  Fd listener_, stop_;
  std::thread thread_;
};

}  // namespace tally

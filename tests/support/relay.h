// Brings connections to an address of this machine on to a port on loopback, both ways, until it ends: a server that
// listens on loopback alone is reached over a line that a test can cut. What comes in while the line is cut waits, as it
// would in a network.
#pragma once

#include <cstdint>
#include <string>
#include <thread>

#include "base/fd.h"

namespace tally {

class Relay {
 public:
  // Listens on ADDRESS:PORT for 127.0.0.1:PORT.
  Relay(const std::string& address, std::uint16_t port);
  ~Relay();
  Relay(const Relay&) = delete;
  Relay& operator=(const Relay&) = delete;

 private:
  void Serve();

  std::uint16_t port_;
  Fd listener_, stop_;
  std::thread thread_;
};

}  // namespace tally

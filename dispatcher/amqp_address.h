// Where a broker is and who we are to it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "base/units.h"

namespace tally {

struct AmqpTls {
  std::string ca_file;      // "": the authorities that this machine trusts
  std::string certificate;  // of this client; "": none
  std::string key;          // of the certificate
  bool verify_peer = true;
  bool verify_host = true;
};

struct AmqpAddress {
  std::string host = "127.0.0.1";
  std::uint16_t port = 5672;
  std::string vhost = "/";
  std::string user = "guest";
  std::string password = "guest";
  std::optional<AmqpTls> tls;
  Nanoseconds connect_timeout = std::chrono::seconds(5);  // for each of connecting, login and the broker's replies
  Nanoseconds heartbeat = std::chrono::seconds(10);       // whole seconds; 0: none. Twice as long without a sign: gone
  std::string name = "tally";                             // as the broker lists the connection
  std::uint64_t most_body = 32 << 20;                     // larger bodies are thrown away as they come

  // "amqps://user@host:5671/vhost": for people, without the password.
  [[nodiscard]] std::string Text() const;
};

}  // namespace tally

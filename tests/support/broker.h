// A real broker (Debian's rabbitmq-server) for tests: on loopback, on ports of its own, in a folder of its own that goes
// with it; one Erlang scheduler, no plugins. It says itself when it is ready (NOTIFY_SOCKET), so nobody asks again and
// again. It dies with the tests, however they die. Tests share one, for its start takes seconds.
#pragma once

#include <sys/types.h>

#include <optional>
#include <string>

#include "base/fd.h"
#include "dispatcher/amqp_address.h"
#include "dispatcher/amqp_connection.h"
#include "tests/support/scratch_folder.h"

namespace tally {

class Broker {
 public:
  // Why there can be none here; nullopt where there can.
  static std::optional<std::string> WhyAbsent();
  // The one that is started when it is first asked for and ends with the tests.
  static Broker& Shared();

  Broker();
  ~Broker();
  Broker(const Broker&) = delete;
  Broker& operator=(const Broker&) = delete;

  [[nodiscard]] AmqpAddress address() const;
  [[nodiscard]] std::uint16_t port() const { return port_; }
  // The same by TLS: by its name alone, "localhost", and for those who trust the certificate that it made itself. Nothing
  // where there is no openssl to make one.
  [[nodiscard]] std::optional<AmqpAddress> tls_address() const;
  // SIGKILL, and gone when this returns; what was persistent is in its folder for the next Start().
  void Kill();
  void Start();
  // Messages that wait in a queue; nullopt when there is no such queue.
  [[nodiscard]] std::optional<std::uint32_t> MessagesIn(const std::string& queue) const;
  void DeleteQueue(const std::string& queue) const;

 private:
  void StartNameServer();
  void MakeCertificate();
  void AwaitReady(int notifications);

  ScratchFolder folder_;
  std::uint16_t port_, tls_port_, distribution_port_, name_server_port_;
  bool has_tls_ = false;
  std::string node_;
  pid_t broker_ = -1, name_server_ = -1;
};

// A port on loopback that nobody listens on now.
std::uint16_t FreePort();

}  // namespace tally

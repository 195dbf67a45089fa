// A connection that speaks something else than HTTP from now on. Closed on destruction, which comes before the daemon's.
#pragma once

#include <string>
#include <utility>

struct MHD_UpgradeResponseHandle;

namespace tally::serve {

class HttpUpgrade {
 public:
  // `received`: what came behind the call.
  HttpUpgrade(MHD_UpgradeResponseHandle* handle, int socket, std::string received) : handle_(handle), socket_(socket), received_(std::move(received)) {}
  HttpUpgrade(HttpUpgrade&& other) noexcept
      : handle_(std::exchange(other.handle_, nullptr)), socket_(std::exchange(other.socket_, -1)), received_(std::move(other.received_)) {}
  HttpUpgrade& operator=(HttpUpgrade&&) = delete;
  HttpUpgrade(const HttpUpgrade&) = delete;
  HttpUpgrade& operator=(const HttpUpgrade&) = delete;
  ~HttpUpgrade();

  // Does not block.
  [[nodiscard]] int socket() const { return socket_; }
  // Before what the socket has.
  [[nodiscard]] const std::string& received() const { return received_; }

 private:
  MHD_UpgradeResponseHandle* handle_;
  int socket_;
  std::string received_;
};

}  // namespace tally::serve

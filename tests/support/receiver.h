// An endpoint of metrics, good or bad in one of the ways that endpoints are, on a port of its own and in a thread.
#pragma once

#include <atomic>
#include <functional>
#include <mutex>
#include <nlohmann/json.hpp>
#include <string>
#include <thread>
#include <vector>

#include "base/fd.h"

namespace tally {

enum class Behaviour {
  kGood,
  kRefuses,  // nobody listens
  kHangs,    // takes the request and never answers
  kNeverAccepts,
  kResets,  // takes the request and resets the connection
  kFails,   // answers with status 500
};

class Receiver {
 public:
  explicit Receiver(Behaviour behaviour);
  ~Receiver();
  Receiver(const Receiver&) = delete;
  Receiver& operator=(const Receiver&) = delete;

  [[nodiscard]] std::string url() const { return "http://" + address_ + "/v1/deliveries"; }
  // What has come so far; requests that came but were not answered well are among them.
  [[nodiscard]] std::vector<nlohmann::json> deliveries() const;
  // Whether `count` have come within some seconds.
  [[nodiscard]] bool Waits(std::size_t count) const;

 private:
  struct Connection {
    Fd fd;
    std::string in;
  };
  void Serve();
  bool Read(Connection* connection);  // false: it is to be closed

  Behaviour behaviour_;
  std::string address_;
  Fd listener_, stop_;
  mutable std::mutex mutex_;
  std::vector<nlohmann::json> deliveries_;
  std::thread thread_;
};

// True as soon as `condition` is, false after some seconds.
bool Eventually(const std::function<bool()>& condition);

}  // namespace tally

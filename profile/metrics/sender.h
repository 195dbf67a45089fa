// Sends deliveries to the endpoint, one after the other, while the agent's loop goes on. A send that fails is tried
// once more after a pause, then logged and given up. Nothing is pushed back: when deliveries come faster than they go,
// the oldest that waits is dropped.
#pragma once

#include <poll.h>

#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/units.h"
#include "profile/metrics/config.h"
#include "profile/metrics/log.h"

namespace tally {

class Sender {
 public:
  // `done` hears of each delivery's end.
  Sender(const MetricsConfig& config, Log* log, std::function<void(bool sent)> done);
  ~Sender();
  Sender(const Sender&) = delete;
  Sender& operator=(const Sender&) = delete;

  void Send(std::uint64_t sequence, std::string json);
  // Does what can be done now without waiting.
  void Move(Nanoseconds now);
  // Until one of `fds` or of its own is ready, or the time is over.
  void Wait(const std::vector<pollfd>& fds, Nanoseconds longest);
  // When a second try is due.
  [[nodiscard]] std::optional<Nanoseconds> next() const { return retry_at_; }
  // Deliveries that have neither arrived nor been given up.
  [[nodiscard]] std::size_t waiting() const { return waiting_.size(); }

 private:
  struct MetricsDelivery {
    std::uint64_t sequence;
    std::string json;
    bool tried = false;
  };
  struct Curl;

  void Finish(Nanoseconds now, const std::string& failure);

  MetricsConfig config_;
  Log* log_;
  std::function<void(bool)> done_;
  std::deque<MetricsDelivery> waiting_;  // the first one may be on its way
  std::optional<Nanoseconds> retry_at_;
  std::unique_ptr<Curl> curl_;
};

}  // namespace tally

// Hangs up a connection on which the program may be waiting for ever, one second after a signal to end has come or the
// time is over: a broker without memory reads no more, and to send it something large ends only with the connection.
#pragma once

#include <chrono>
#include <mutex>
#include <optional>
#include <thread>

#include "base/fd.h"

namespace tally {

class SendDeadline {
 public:
  // `signals`: readable when one has come; borrowed, and not read.
  SendDeadline(int signals, std::optional<std::chrono::steady_clock::time_point> deadline);
  ~SendDeadline();
  SendDeadline(const SendDeadline&) = delete;
  SendDeadline& operator=(const SendDeadline&) = delete;

  // The connection's descriptor, from now until it is closed: -1 before that.
  void Watch(int connection);

 private:
  void Wait();

  int signals_;
  std::optional<std::chrono::steady_clock::time_point> deadline_;
  Fd stop_;
  std::mutex mutex_;
  int connection_ = -1;
  bool is_over_ = false;
  std::thread thread_;
};

}  // namespace tally

// One agent per machine looks at it. The lock is a socket's name in the abstract namespace: it works for root and for
// ordinary users alike, and the kernel drops it with its process, however that ends. It is known to one network
// namespace, so containers with networks of their own have a lock each.
#pragma once

#include <sys/types.h>

#include <optional>
#include <string>

#include "base/fd.h"

namespace tally {

class MachineLock {
 public:
  explicit MachineLock(const std::string& name);

  [[nodiscard]] bool IsOurs() const { return socket_.valid(); }
  // Whose it is, if it is not ours and he still lives.
  [[nodiscard]] std::optional<pid_t> holder() const { return holder_; }

 private:
  Fd socket_;
  std::optional<pid_t> holder_;
};

}  // namespace tally

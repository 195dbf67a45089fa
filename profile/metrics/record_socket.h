// Records of other programs that measure steps of their own while judging goes on, a training loop for one: datagrams of JSON to an abstract name.
//
//   {"timing": "forward_pass", "seconds": 0.0123}      a step took so long; "batch": INDEX, else the last one that was told
//   {"batch": 12, "name": "epoch 1, batch 12"}         what is done now; the name may be left out
//
// The name goes with the agent, and no file is made (unix(7)). The kernel says who sends: only this user and root are heard.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "base/fd.h"
#include "profile/metrics/record.h"

namespace tally {

class RecordSocket {
 public:
  // UserError: another agent has it.
  explicit RecordSocket(const std::string& name);

  struct Received {
    std::optional<MetricsRecord> record;  // with its time, and if it has one its batch; nullopt: `why` not
    bool has_batch = false;
    std::string why;
  };
  // nullopt: there is none now.
  std::optional<Received> Receive();
  [[nodiscard]] int fd() const { return socket_.get(); }

 private:
  Fd socket_;
};

}  // namespace tally

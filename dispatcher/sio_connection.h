// A connection to a sioworkersd: JSON objects in netstrings, both ways. Nothing here waits but Connect.
#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "base/fd.h"
#include "dispatcher/netstrings.h"

namespace tally {

struct SioMessage {
  nlohmann::json json;   // an object
  bool was_cut = false;  // some of it was nested deeper than we read, and is not there
};

class SioConnection {
 public:
  // SystemError: nobody answers there. At most ten seconds.
  SioConnection(const std::string& host, const std::string& port);

  [[nodiscard]] int fd() const { return socket_.get(); }
  [[nodiscard]] bool has_to_write() const { return !out_.empty(); }
  // The messages that have come whole. UserError, SystemError: the connection is of no use any more.
  std::vector<SioMessage> Read();
  void Write();
  // False: it is too long for the other side.
  bool Send(const nlohmann::json& message);

 private:
  Fd socket_;
  Netstrings in_;
  std::string out_;
  std::string nonsense_;  // that came behind messages which were heard
};

}  // namespace tally

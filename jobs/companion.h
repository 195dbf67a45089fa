// A process of ours beside a judging worker, which runs programs under a supervisor of its own: a supervisor watches one program, and where
// programs talk to each other there are several at a time. It is forked once and serves one request after the other, so that it keeps its
// sandbox. Answers are texts, requests values, in CBOR on their way: JSON's text is UTF-8, which paths need not be. The ends of pipes come with a
// request (SCM_RIGHTS over a socket).
#pragma once

#include <sys/types.h>

#include <functional>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "base/fd.h"
#include "jobs/interrupts.h"

namespace tally {

class Companion {
 public:
  // In that process: the answer to a request. The descriptors that it has not closed are closed before it is sent, so that the others read
  // their end.
  using Serve = std::function<std::string(const nlohmann::json& request, std::vector<Fd>& descriptors)>;
  // In that process, every 20 ms from an answer to the next request.
  using Between = std::function<void()>;

  // `name` is how messages call it: "the interactor".
  Companion(std::string name, Serve serve, Between between = nullptr);
  ~Companion();
  Companion(const Companion&) = delete;
  Companion& operator=(const Companion&) = delete;

  void Send(const nlohmann::json& request, const std::vector<int>& descriptors) const;
  // The answer. Interrupted where a signal asks for the end; SystemError where that process has failed. `meanwhile` is called every 20 ms.
  [[nodiscard]] std::string Wait(const Between& meanwhile = nullptr) const;

 private:
  void ServeAll(int socket) const;

  std::string name_;
  Serve serve_;
  Between between_;
  Fd socket_;
  pid_t process_ = -1;
  Interrupts interrupts_;
};

}  // namespace tally

// A worker in the test process, which evaluates nothing: it answers each message as the test says, and comes back when
// its broker does. Its queue is durable, for a real worker's is, and goes with it.
#pragma once

#include <functional>
#include <string>
#include <thread>
#include <vector>

#include "base/fd.h"
#include "dispatcher/amqp_address.h"
#include "dispatcher/amqp_message.h"

namespace tally {

class FakeWorker {
 public:
  // The bodies that answer a message, in order; called in the worker's thread. Messages with none stay unacknowledged.
  using Answers = std::function<std::vector<std::string>(const Message&)>;

  FakeWorker(AmqpAddress address, std::string routing_key, Answers answers,
             nlohmann::json arguments = nlohmann::json::object());
  ~FakeWorker();
  FakeWorker(const FakeWorker&) = delete;
  FakeWorker& operator=(const FakeWorker&) = delete;

 private:
  void Work();
  void Serve();

  AmqpAddress address_;
  std::string queue_, routing_key_;
  Answers answers_;
  nlohmann::json arguments_;
  Fd stop_, stopper_;  // a pipe: closing one end wakes whoever waits at the other
  std::thread thread_;
};

// An EvalResponse of a right, a wrong and a failed evaluation; `echo` is any JSON of the test's own.
std::string RightAnswer(const nlohmann::json& echo = nullptr);
std::string WrongAnswer();
std::string FailedAnswer(const std::string& message);

}  // namespace tally

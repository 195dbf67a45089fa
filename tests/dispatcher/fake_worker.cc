#include "tests/dispatcher/fake_worker.h"

#include <poll.h>

#include <cstdio>
#include <map>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "base/sys.h"
#include "dispatcher/amqp_connection.h"

namespace tally {

FakeWorker::FakeWorker(AmqpAddress address, std::string routing_key, Answers answers, nlohmann::json arguments)
    : address_(std::move(address)),
      queue_("fake." + routing_key),
      routing_key_(std::move(routing_key)),
      answers_(std::move(answers)),
      arguments_(std::move(arguments)) {
  AmqpConnection connection(address_);
  connection.Declare({.name = queue_, .durable = true, .arguments = arguments_});
  connection.Bind(queue_, "amq.topic", routing_key_);
  connection.Close();
  sys::Pipe pipe = sys::MakePipe();
  stop_ = std::move(pipe.read_end);
  stopper_ = std::move(pipe.write_end);
  thread_ = std::thread([this] { Work(); });
}

FakeWorker::~FakeWorker() {
  stopper_.Reset();
  thread_.join();
  try {
    AmqpConnection(address_).Delete(queue_);
  } catch (const std::exception& error) {
    std::printf("fake worker: %s\n", error.what());
  }
}

void FakeWorker::Work() {
  for (pollfd stop{stop_.get(), POLLIN, 0}; ::poll(&stop, 1, 0) == 0;) {
    try {
      return Serve();
    } catch (const std::exception&) {
      ::poll(&stop, 1, 200);  // the broker is away
    }
  }
}

void FakeWorker::Serve() {
  AmqpConnection connection(address_);
  connection.SetPrefetch(10);
  connection.Consume(queue_);
  // A request is acknowledged when the broker has its answers, or a broker that is killed would have neither.
  std::map<std::uint64_t, std::uint64_t> last_answers;  // of requests, by publication
  for (;;) {
    const std::optional<AmqpEvent> event = connection.Next(Nanoseconds(0));
    if (!event) {
      pollfd fds[] = {{stop_.get(), POLLIN, 0}, {connection.fd(), POLLIN, 0}};
      ::poll(fds, 2, 1000);
      if (fds[0].revents != 0) return;
      continue;
    }
    if (const auto* settled = std::get_if<Settled>(&*event)) {
      const auto found = last_answers.find(settled->publication);
      if (found != last_answers.end()) connection.Acknowledge(found->second);
    }
    const auto* delivery = std::get_if<Delivery>(&*event);
    if (delivery == nullptr) continue;
    std::uint64_t last = 0;
    for (const std::string& body : answers_(delivery->message)) {
      Message answer{{}, body};
      answer.properties.correlation_id = delivery->message.properties.correlation_id;
      last = connection.Publish(delivery->message.properties.reply_to, answer);
    }
    if (last != 0) last_answers[last] = delivery->tag;
  }
}

std::string RightAnswer(const nlohmann::json& echo) {
  return nlohmann::json{
      {"success", true},
      {"message", nullptr},
      {"result", {{"compilation", {{"compiling", true}, {"output", ""}}}, {"test", nullptr}, {"style", nullptr}}},
      {"echo", echo}}
      .dump();
}

std::string WrongAnswer() {
  return nlohmann::json{
      {"success", true},
      {"message", nullptr},
      {"result", {{"compilation", {{"compiling", false}, {"output", "no"}}}, {"test", nullptr}, {"style", nullptr}}}}
      .dump();
}

std::string FailedAnswer(const std::string& message) {
  return nlohmann::json{{"success", false}, {"message", message}, {"result", nullptr}}.dump();
}

}  // namespace tally

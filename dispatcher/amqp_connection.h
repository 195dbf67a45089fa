// A connection to a broker with one channel, on which publications are confirmed: the owner of what librabbitmq holds.
// Every call may wait for the broker, as long as connect_timeout says; who must not wait keeps a connection in a thread
// (broker_link.h). UserError: the broker refuses (amqp_error.h). BrokerGone: it is not there, or not any more. After
// either, the connection is good for nothing but to be destroyed.
#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/units.h"
#include "dispatcher/amqp_address.h"
#include "dispatcher/amqp_error.h"
#include "dispatcher/amqp_library.h"
#include "dispatcher/amqp_message.h"

namespace tally {

struct QueueDeclaration {
  std::string name;  // "": the broker thinks of one
  bool passive = false;  // ask only: UserError when there is none
  bool durable = false;
  bool exclusive = false;  // ends with the connection
  bool auto_delete = false;
  nlohmann::json arguments = nlohmann::json::object();  // {"x-expires": 1800000}
};

struct DeclaredQueue {
  std::string name;
  std::uint32_t messages = 0, consumers = 0;
};

class AmqpConnection {
 public:
  explicit AmqpConnection(const AmqpAddress& address);
  ~AmqpConnection();
  AmqpConnection(const AmqpConnection&) = delete;
  AmqpConnection& operator=(const AmqpConnection&) = delete;

  DeclaredQueue Declare(const QueueDeclaration& queue);
  void Bind(const std::string& queue, const std::string& exchange, const std::string& routing_key);
  void Delete(const std::string& queue);
  // So many deliveries at once that are not acknowledged: of each consumer, or of all together. The latter is "global" in the protocol;
  // quorum queues do not have it, nor does a RabbitMQ 4 that forbids what is deprecated: BrokerComplained, now or by Consume.
  enum class Prefetch { kEach, kTogether };
  void SetPrefetch(std::uint16_t count, Prefetch prefetch = Prefetch::kEach);
  void Consume(const std::string& queue);
  // No new deliveries after those that are on their way already.
  void CancelConsumers();

  // To the queue of that name, through the default exchange. Returns a number that Settled will name.
  std::uint64_t Publish(const std::string& queue, const Message& message) { return PublishTo("", queue, message); }
  std::uint64_t PublishTo(const std::string& exchange, const std::string& routing_key, const Message& message);
  void Acknowledge(std::uint64_t delivery_tag);

  // The next thing that the broker tells, waiting for it so long; zero: what is there already. Also sends and expects
  // heartbeats, so it has to be called at least every `heartbeat() / 2`.
  std::optional<AmqpEvent> Next(Nanoseconds timeout);
  // To poll: when it is readable and Next() was called with zero until it had nothing more, there is something again.
  [[nodiscard]] int fd() const;
  [[nodiscard]] Nanoseconds heartbeat() const;
  [[nodiscard]] std::size_t unsettled() const { return publications_.size(); }

  // Says good-bye; whoever just destroys a connection hangs up.
  void Close() noexcept;

 private:
  struct Destroy {
    void operator()(amqp_connection_state_t state) const { amqp_destroy_connection(state); }
  };
  struct Publication {
    std::uint64_t number;
    std::string routing_key, correlation_id;
    bool returned;
  };
  struct Consumer {
    std::string tag, queue;
    bool is_cancelled = false;  // what was on its way still names it
  };
  // Content comes as a method, a header and pieces of the body.
  struct Content {
    enum class Stage { kNone, kHeader, kBody } stage = Stage::kNone;
    bool is_return = false;
    std::string routing_key;  // of a return
    Delivery delivery;
    std::uint64_t left = 0;
  };

  amqp_socket_t* MakeSocket(const AmqpAddress& address);
  void LogIn(const AmqpAddress& address);
  void CheckRpc(const std::string& what);
  std::optional<amqp_frame_t> NextFrame(Nanoseconds timeout);
  void TakeFrame(const amqp_frame_t& frame);
  void TakeMethod(const amqp_method_t& method);
  void TakeHeader(const amqp_frame_t& frame);
  void TakeBody(const amqp_frame_t& frame);
  void EndContent();
  void Settle(std::uint64_t number, bool multiple, bool taken);
  [[nodiscard]] std::string QueueOf(const std::string& consumer_tag) const;

  std::string where_;
  std::uint64_t most_body_;
  std::unique_ptr<std::remove_pointer_t<amqp_connection_state_t>, Destroy> state_;
  std::vector<Consumer> consumers_;
  std::uint64_t published_ = 0;
  std::deque<Publication> publications_;
  Content content_;
  std::deque<AmqpEvent> events_;
};

}  // namespace tally

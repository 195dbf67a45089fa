// The worker's line to its broker: a thread that keeps an AmqpConnection, so that nothing that waits for the broker (a
// name server, a handshake, a full socket) holds the worker up. It connects for ever, with back-off; declares the queues;
// tells what happens as events, and does what it is told by commands. What belongs to a connection that is lost (its
// deliveries' tags) is worth nothing afterwards; `connection` numbers them.
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <variant>
#include <vector>

#include "base/fd.h"
#include "base/units.h"
#include "dispatcher/amqp_connection.h"

namespace tally {

struct LinkSettings {
  AmqpAddress address;
  std::string password_file;  // "": the address has it
  Nanoseconds retry_at_most{};
  std::uint16_t prefetch = 1;
  struct Queue {
    QueueDeclaration declaration;
    std::string exchange;  // it is bound to, by its own name as routing key
  };
  std::vector<Queue> queues;  // to consume from
  std::vector<QueueDeclaration> others;  // to be there
};

// Events.
struct LinkUp {
  std::uint64_t connection;
};
struct LinkDown {
  std::string reason;
  bool refused;  // by a broker that is there
  bool at_login;  // whose user, password or virtual host it was
  Nanoseconds retry_after;
};
struct LinkDelivery {
  std::uint64_t connection;
  Delivery delivery;
};
struct LinkSettled {
  std::uint64_t ticket;
  Settled::Outcome outcome;
};
struct LinkCancelled {};  // no more deliveries will come
using LinkEvent = std::variant<LinkUp, LinkDown, LinkDelivery, LinkSettled, LinkCancelled, Blocked>;

class BrokerLink {
 public:
  explicit BrokerLink(LinkSettings settings);
  // Hangs up. Waits for a call that waits for the broker.
  ~BrokerLink();
  BrokerLink(const BrokerLink&) = delete;
  BrokerLink& operator=(const BrokerLink&) = delete;

  // Readable when there are events.
  [[nodiscard]] int fd() const { return events_ready_.get(); }
  std::vector<LinkEvent> Take();

  // These concern one connection, and are forgotten when it is not that one any more.
  struct Publication {
    std::uint64_t connection, ticket;  // the outcome names the ticket
    std::string queue;
    Message message;
  };
  void Publish(Publication publication);
  void Acknowledge(std::uint64_t connection, std::uint64_t delivery_tag);
  // Drops it, so that the broker gives out again what was not acknowledged.
  void Drop(std::uint64_t connection);

  void CancelConsumers();
  // No deliveries for now, and on from there.
  void Pause(bool paused);
  // After what was told before, says good-bye to the broker, and Take has nothing more to tell.
  void Close();

 private:
  struct Acknowledgement {
    std::uint64_t connection, tag;
  };
  struct Dropping {
    std::uint64_t connection;
  };
  struct Cancelling {};
  struct Pausing {
    bool paused;
  };
  struct Closing {};
  using Command = std::variant<Publication, Acknowledgement, Dropping, Cancelling, Pausing, Closing>;

  // One connection's life.
  struct Session {
    std::uint64_t number;
    AmqpConnection& connection;
    std::map<std::uint64_t, std::uint64_t> tickets;  // by publication
    bool blocked = false;           // the broker takes no publications now
    std::deque<Publication> held;  // until it does
  };

  void Run();
  void ConnectAndServe();
  void StartConsuming(AmqpConnection* connection);
  void Serve(Session* session);
  void Tell(Session* session, AmqpEvent event);
  // False: the connection is to be ended.
  bool Do(Session* session, Command command);
  void PublishNow(Session* session, Publication publication);
  void Cancel(Session* session);
  void Push(LinkEvent event);
  void Order(Command command);
  std::deque<Command> TakeCommands();
  // True: to be closed.
  bool WaitBeforeRetry(Nanoseconds time);
  void WaitForNews(const Session& session);
  Nanoseconds NextPause();

  LinkSettings settings_;
  std::uint64_t connections_ = 0;
  unsigned failures_ = 0;  // in a row
  bool closing_ = false, cancelled_ = false, paused_ = false;
  bool shares_prefetch_ = true;  // until the broker says that it has no such thing
  Fd events_ready_, commands_ready_;
  std::mutex mutex_;
  std::vector<LinkEvent> events_;
  std::deque<Command> commands_;
  std::thread thread_;
};

}  // namespace tally

// Messages as AMQP carries them, and what a broker tells a connection. Values of ours: no type of librabbitmq appears
// here, and none of its memory is borrowed.
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <variant>

namespace tally {

struct MessageProperties {
  // "": the message has none.
  std::string content_type, content_encoding, correlation_id, reply_to, expiration, message_id, type, app_id;
  std::string user_id;  // who published it: a broker holds everybody to the name that they logged in by
  bool persistent = true;
  std::optional<std::uint8_t> priority;
  std::optional<std::uint64_t> timestamp;
  // An object. Times become numbers; what JSON has no word for is left out.
  nlohmann::json headers = nlohmann::json::object();
};

struct Message {
  MessageProperties properties;
  std::string body;
};

// A message for this consumer, to be acknowledged by its tag.
struct Delivery {
  std::uint64_t tag = 0;
  bool redelivered = false;  // somebody got it before and did not acknowledge it
  std::string queue;         // that it was consumed from
  Message message;
  std::uint64_t size = 0;  // of the body
  bool too_large = false;  // the body was larger than the connection reads, and thrown away as it came
};

// What became of a publication.
struct Settled {
  enum class Outcome {
    kTaken,     // it is the broker's now, on its disk if it is persistent
    kReturned,  // no queue wants it
    kRefused,   // the broker could not take it
  };
  std::uint64_t publication = 0;
  Outcome outcome = Outcome::kTaken;
};

// The broker takes no publications for now (its memory or disk is full), or takes them again.
struct Blocked {
  bool blocked = false;
  std::string reason;
};

// The queue that was consumed from is gone.
struct ConsumerCancelled {
  std::string queue;
};

using AmqpEvent = std::variant<Delivery, Settled, Blocked, ConsumerCancelled>;

}  // namespace tally

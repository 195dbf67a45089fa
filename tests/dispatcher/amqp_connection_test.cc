// The connection against a real broker: what is published arrives as it was, and every publication has an outcome.
#include "dispatcher/amqp_connection.h"

#include "base/error.h"
#include "tests/support/broker.h"
#include "tests/support/catch.h"
#include "tests/support/skip.h"

namespace tally {
namespace {

constexpr Nanoseconds kPatience = std::chrono::seconds(20);

template <typename Event>
Event Await(AmqpConnection& connection) {
  const std::optional<AmqpEvent> event = connection.Next(kPatience);
  REQUIRE(event.has_value());
  REQUIRE(std::holds_alternative<Event>(*event));
  return std::get<Event>(*event);
}

TEST_CASE("connection: a message arrives with its properties and headers, whatever its size", "[amqp]") {
  if (const auto reason = Broker::WhyAbsent()) TALLY_SKIP(*reason);
  AmqpConnection connection(Broker::Shared().address());
  const std::string queue = connection.Declare({.exclusive = true}).name;
  connection.SetPrefetch(1);
  connection.Consume(queue);
  for (const std::size_t size : {0u, 5u, 1u << 20}) {
    Message sent;
    sent.properties.correlation_id = "seventeen";
    sent.properties.reply_to = "somewhere";
    sent.properties.content_type = "application/json";
    sent.properties.headers = {{"x-tally-tries", 3}, {"nested", {{"list", {1, "two", nullptr, true}}}}};
    sent.body = std::string(size, 'a');
    const std::uint64_t publication = connection.Publish(queue, sent);

    std::optional<Delivery> got;
    std::optional<Settled> settled;
    while (!got || !settled) {
      const std::optional<AmqpEvent> event = connection.Next(kPatience);
      REQUIRE(event.has_value());
      if (const auto* one = std::get_if<Delivery>(&*event)) got = *one;
      if (const auto* one = std::get_if<Settled>(&*event)) settled = *one;
    }
    CHECK(settled->publication == publication);
    CHECK(settled->outcome == Settled::Outcome::kTaken);
    CHECK(got->queue == queue);
    CHECK_FALSE(got->redelivered);
    CHECK_FALSE(got->too_large);
    CHECK(got->message.body == sent.body);
    CHECK(got->message.properties.correlation_id == "seventeen");
    CHECK(got->message.properties.reply_to == "somewhere");
    CHECK(got->message.properties.content_type == "application/json");
    CHECK(got->message.properties.persistent);
    CHECK(got->message.properties.headers == sent.properties.headers);
    connection.Acknowledge(got->tag);
  }
  connection.Close();
}

TEST_CASE("connection: a publication that no queue wants is told, and is told apart from the others", "[amqp]") {
  if (const auto reason = Broker::WhyAbsent()) TALLY_SKIP(*reason);
  AmqpConnection connection(Broker::Shared().address());
  const std::string queue = connection.Declare({.exclusive = true}).name;
  Message message;
  message.body = "x";
  const std::uint64_t first = connection.Publish(queue, message);
  const std::uint64_t nowhere = connection.Publish("no-such-queue", message);
  const std::uint64_t last = connection.Publish(queue, message);
  std::map<std::uint64_t, Settled::Outcome> outcomes;
  for (int i = 0; i < 3; ++i) {
    const auto settled = Await<Settled>(connection);
    outcomes[settled.publication] = settled.outcome;
  }
  CHECK(outcomes[first] == Settled::Outcome::kTaken);
  CHECK(outcomes[nowhere] == Settled::Outcome::kReturned);
  CHECK(outcomes[last] == Settled::Outcome::kTaken);
  CHECK(connection.unsettled() == 0);
}

TEST_CASE("connection: a body above the limit is thrown away as it comes, and the next one is read", "[amqp]") {
  if (const auto reason = Broker::WhyAbsent()) TALLY_SKIP(*reason);
  AmqpAddress address = Broker::Shared().address();
  address.most_body = 1 << 20;
  AmqpConnection connection(address);
  const std::string queue = connection.Declare({.exclusive = true}).name;
  Message large, small;
  large.body = std::string((1 << 20) + 1, 'a');
  large.properties.correlation_id = "large";
  small.body = "small";
  connection.Publish(queue, large);
  connection.Publish(queue, small);
  Await<Settled>(connection);
  Await<Settled>(connection);
  connection.Consume(queue);
  const auto first = Await<Delivery>(connection);
  CHECK(first.too_large);
  CHECK(first.size == large.body.size());
  CHECK(first.message.body.empty());
  CHECK(first.message.properties.correlation_id == "large");
  CHECK(Await<Delivery>(connection).message.body == "small");
}

TEST_CASE("connection: a message that nobody acknowledged comes again, and says so", "[amqp]") {
  if (const auto reason = Broker::WhyAbsent()) TALLY_SKIP(*reason);
  const AmqpAddress address = Broker::Shared().address();
  const std::string queue = "redelivered";
  {
    AmqpConnection connection(address);
    connection.Declare({.name = queue});
    connection.Publish(queue, {{}, "again"});
    connection.Consume(queue);
    Await<Settled>(connection);
    CHECK_FALSE(Await<Delivery>(connection).redelivered);
  }
  AmqpConnection connection(address);
  connection.Consume(queue);
  const auto second = Await<Delivery>(connection);
  CHECK(second.redelivered);
  CHECK(second.message.body == "again");
  connection.Acknowledge(second.tag);
  connection.Delete(queue);
}

TEST_CASE("connection: what the broker refuses is a sentence, and an absent broker another kind of failure", "[amqp]") {
  if (const auto reason = Broker::WhyAbsent()) TALLY_SKIP(*reason);
  AmqpAddress address = Broker::Shared().address();
  SECTION("a wrong password, which is not repeated") {
    address.password = "not-this-one";
    CHECK_THROWS_AS(AmqpConnection(address), UserError);
    CHECK_THROWS_WITH(AmqpConnection(address), HasPart("ACCESS_REFUSED") &&
                                                   !HasPart("not-this-one"));
  }
  SECTION("a virtual host that is not there") {
    address.vhost = "elsewhere";
    CHECK_THROWS_AS(AmqpConnection(address), UserError);
    CHECK_THROWS_WITH(AmqpConnection(address), HasPart("elsewhere"));
  }
  SECTION("a queue that somebody declared with other arguments") {
    AmqpConnection other(address);
    const std::string queue = "other-arguments";
    other.Declare({.name = queue, .arguments = {{"x-expires", 60000}}});
    CHECK_THROWS_WITH(AmqpConnection(address).Declare({.name = queue, .arguments = {{"x-expires", 70000}}}),
                      HasPart("x-expires"));
    other.Delete(queue);
  }
  SECTION("nobody there") {
    address.port = FreePort();
    CHECK_THROWS_AS(AmqpConnection(address), BrokerGone);
  }
}

TEST_CASE("connection: by TLS to a broker that is who it says, and to no other", "[amqp]") {
  if (const auto reason = Broker::WhyAbsent()) TALLY_SKIP(*reason);
  const std::optional<AmqpAddress> found = Broker::Shared().tls_address();
  if (!found) TALLY_SKIP("openssl, which makes the broker's certificate, is not installed");
  AmqpAddress address = *found;
  SECTION("a certificate that we trust, of this name") {
    AmqpConnection connection(address);
    const std::string queue = connection.Declare({.exclusive = true}).name;
    connection.Consume(queue);
    connection.Publish(queue, {{}, std::string(1 << 20, 'a')});
    std::optional<Delivery> got;
    while (!got) {
      const std::optional<AmqpEvent> event = connection.Next(kPatience);
      REQUIRE(event.has_value());
      if (const auto* one = std::get_if<Delivery>(&*event)) got = *one;
    }
    CHECK(got->message.body == std::string(1 << 20, 'a'));
  }
  SECTION("a certificate that nobody vouches for") {
    address.tls->ca_file.clear();
    CHECK_THROWS_AS(AmqpConnection(address), UserError);
    address.tls->verify_peer = address.tls->verify_host = false;
    CHECK_NOTHROW(AmqpConnection(address));
  }
  SECTION("a certificate of another name") {
    address.host = "127.0.0.1";
    CHECK_THROWS_AS(AmqpConnection(address), UserError);
    address.tls->verify_host = false;
    CHECK_NOTHROW(AmqpConnection(address));
  }
  SECTION("a file of certificates that is not there") {
    address.tls->ca_file = "/nowhere.pem";
    CHECK_THROWS_WITH(AmqpConnection(address), Catch::Matchers::EndsWith("the certificates in /nowhere.pem cannot be read"));
  }
}

}  // namespace
}  // namespace tally

#include "dispatcher/amqp_connection.h"

#include <fmt/format.h>
#include <openssl/ssl.h>
#include <sys/time.h>

#include <algorithm>

#include "base/error.h"
#include "dispatcher/amqp_library.h"
#include "dispatcher/amqp_properties.h"
#include "dispatcher/amqp_table.h"

namespace tally {
namespace {

constexpr amqp_channel_t kChannel = 1;
constexpr int kFrameSize = 128 << 10;

timeval TimevalOf(Nanoseconds time) {
  const auto microseconds = std::chrono::duration_cast<std::chrono::microseconds>(time).count();
  return {microseconds / 1'000'000, microseconds % 1'000'000};
}

// Borrowed: librabbitmq writes to none of it.
amqp_bytes_t BytesOf(const std::string& text) { return {text.size(), const_cast<char*>(text.data())}; }

void UseTls(amqp_socket_t* socket, const AmqpTls& tls, const std::string& where) {
  if (tls.ca_file.empty()) {
    ::SSL_CTX_set_default_verify_paths(static_cast<SSL_CTX*>(amqp_ssl_socket_get_context(socket)));
  } else if (amqp_ssl_socket_set_cacert(socket, tls.ca_file.c_str()) != AMQP_STATUS_OK) {
    throw UserError(fmt::format("{}: the certificates in {} cannot be read", where, tls.ca_file));
  }
  if (!tls.certificate.empty() &&
      amqp_ssl_socket_set_key(socket, tls.certificate.c_str(), tls.key.c_str()) != AMQP_STATUS_OK) {
    throw UserError(fmt::format("{}: the certificate {} and the key {} cannot be read, or do not belong together",
                                where, tls.certificate, tls.key));
  }
  amqp_ssl_socket_set_verify_peer(socket, tls.verify_peer ? 1 : 0);
  amqp_ssl_socket_set_verify_hostname(socket, tls.verify_host ? 1 : 0);
  amqp_ssl_socket_set_ssl_versions(socket, AMQP_TLSv1_2, AMQP_TLSvLATEST);
}

}  // namespace

std::string AmqpAddress::Text() const {
  return fmt::format("{}://{}@{}:{}{}{}", tls ? "amqps" : "amqp", user, host, port, vhost.starts_with('/') ? "" : "/",
                     vhost);
}

AmqpConnection::AmqpConnection(const AmqpAddress& address)
    : where_(address.Text()), most_body_(address.most_body), state_(amqp_new_connection()) {
  if (!state_) throw SystemError("amqp_new_connection", 0);
  timeval timeout = TimevalOf(address.connect_timeout);
  amqp_socket_t* const socket = MakeSocket(address);
  amqp_set_handshake_timeout(state_.get(), &timeout);
  CheckStatus(amqp_socket_open_noblock(socket, address.host.c_str(), address.port, &timeout), where_);
  LogIn(address);
  amqp_set_rpc_timeout(state_.get(), &timeout);
  amqp_channel_open(state_.get(), kChannel);
  CheckRpc("open a channel");
  amqp_confirm_select(state_.get(), kChannel);
  CheckRpc("ask for confirmations");
}

AmqpConnection::~AmqpConnection() = default;

amqp_socket_t* AmqpConnection::MakeSocket(const AmqpAddress& address) {
  amqp_socket_t* const socket = address.tls ? amqp_ssl_socket_new(state_.get()) : amqp_tcp_socket_new(state_.get());
  if (socket == nullptr) throw SystemError("make a socket for " + where_, 0);
  if (address.tls) UseTls(socket, *address.tls, where_);
  return socket;
}

void AmqpConnection::LogIn(const AmqpAddress& address) {
  const AmqpTable properties({{"connection_name", address.name},
                              {"product", "tally"},
                              {"version", TALLY_VERSION},
                              {"capabilities",
                               {{"authentication_failure_close", true},
                                {"consumer_cancel_notify", true},
                                {"connection.blocked", true}}}});
  const amqp_table_t table = properties.get();
  const int heartbeat = static_cast<int>(std::chrono::duration_cast<std::chrono::seconds>(address.heartbeat).count());
  const amqp_rpc_reply_t reply = amqp_login_with_properties(state_.get(), address.vhost.c_str(), 0, kFrameSize, heartbeat, &table, AMQP_SASL_METHOD_PLAIN,
                                                            address.user.c_str(), address.password.c_str());
  try {
    CheckReply(reply, where_);
  } catch (const UserError& error) {
    if (reply.reply_type == AMQP_RESPONSE_SERVER_EXCEPTION) throw LoginRefused(error.what());
    throw;
  }
}

void AmqpConnection::CheckRpc(const std::string& what) { CheckReply(amqp_get_rpc_reply(state_.get()), what); }

DeclaredQueue AmqpConnection::Declare(const QueueDeclaration& queue) {
  const AmqpTable arguments(queue.arguments);
  const auto* ok = amqp_queue_declare(state_.get(), kChannel, BytesOf(queue.name), queue.passive, queue.durable,
                                      queue.exclusive, queue.auto_delete, arguments.get());
  CheckRpc(fmt::format("queue {}", queue.name));
  return {TextOf(ok->queue), ok->message_count, ok->consumer_count};
}

void AmqpConnection::Bind(const std::string& queue, const std::string& exchange, const std::string& routing_key) {
  amqp_queue_bind(state_.get(), kChannel, BytesOf(queue), BytesOf(exchange), BytesOf(routing_key), amqp_empty_table);
  CheckRpc(fmt::format("bind queue {} to {} by {}", queue, exchange, routing_key));
}

void AmqpConnection::Delete(const std::string& queue) {
  amqp_queue_delete(state_.get(), kChannel, BytesOf(queue), false, false);
  CheckRpc(fmt::format("delete queue {}", queue));
}

void AmqpConnection::SetPrefetch(std::uint16_t count, Prefetch prefetch) {
  amqp_basic_qos(state_.get(), kChannel, 0, count, prefetch == Prefetch::kTogether);
  CheckRpc("set the prefetch count");
}

void AmqpConnection::Consume(const std::string& queue) {
  const auto* ok = amqp_basic_consume(state_.get(), kChannel, BytesOf(queue), amqp_empty_bytes, false, false, false,
                                      amqp_empty_table);
  CheckRpc(fmt::format("consume from queue {}", queue));
  consumers_.push_back({TextOf(ok->consumer_tag), queue});
}

void AmqpConnection::CancelConsumers() {
  for (Consumer& consumer : consumers_) {
    if (std::exchange(consumer.is_cancelled, true)) continue;
    amqp_basic_cancel(state_.get(), kChannel, BytesOf(consumer.tag));
    CheckRpc(fmt::format("stop consuming from queue {}", consumer.queue));
  }
}

std::uint64_t AmqpConnection::PublishTo(const std::string& exchange, const std::string& routing_key,
                                        const Message& message) {
  const WireProperties properties(message.properties);
  CheckStatus(amqp_basic_publish(state_.get(), kChannel, BytesOf(exchange), BytesOf(routing_key), true, false,
                                 &properties.get(), BytesOf(message.body)),
              fmt::format("publish to {}", routing_key));
  publications_.push_back({++published_, routing_key, message.properties.correlation_id, false});
  return published_;
}

void AmqpConnection::Acknowledge(std::uint64_t delivery_tag) {
  CheckStatus(amqp_basic_ack(state_.get(), kChannel, delivery_tag, false), "acknowledge");
}

std::optional<AmqpEvent> AmqpConnection::Next(Nanoseconds timeout) {
  const auto until = std::chrono::steady_clock::now() + timeout;
  while (events_.empty()) {
    const auto left = std::max<Nanoseconds>(until - std::chrono::steady_clock::now(), Nanoseconds(0));
    const std::optional<amqp_frame_t> frame = NextFrame(left);
    if (!frame) return std::nullopt;
    TakeFrame(*frame);
    // The frame lay in a pool that grows until somebody says that nothing in it is needed.
    amqp_maybe_release_buffers(state_.get());
  }
  AmqpEvent event = std::move(events_.front());
  events_.pop_front();
  return event;
}

std::optional<amqp_frame_t> AmqpConnection::NextFrame(Nanoseconds timeout) {
  const timeval time = TimevalOf(timeout);
  amqp_frame_t frame;
  const int status = amqp_simple_wait_frame_noblock(state_.get(), &frame, &time);
  if (status == AMQP_STATUS_TIMEOUT) return std::nullopt;
  CheckStatus(status, where_);
  return frame;
}

void AmqpConnection::TakeFrame(const amqp_frame_t& frame) {
  switch (frame.frame_type) {
    case AMQP_FRAME_METHOD:
      return TakeMethod(frame.payload.method);
    case AMQP_FRAME_HEADER:
      return TakeHeader(frame);
    case AMQP_FRAME_BODY:
      return TakeBody(frame);
    default:
      return;  // a heartbeat
  }
}

void AmqpConnection::TakeMethod(const amqp_method_t& method) {
  switch (method.id) {
    case AMQP_BASIC_DELIVER_METHOD: {
      const auto* deliver = static_cast<const amqp_basic_deliver_t*>(method.decoded);
      content_ = {};
      content_.stage = Content::Stage::kHeader;
      content_.delivery.tag = deliver->delivery_tag;
      content_.delivery.redelivered = deliver->redelivered != 0;
      content_.delivery.queue = QueueOf(TextOf(deliver->consumer_tag));
      return;
    }
    case AMQP_BASIC_RETURN_METHOD:
      content_ = {};
      content_.stage = Content::Stage::kHeader;
      content_.is_return = true;
      content_.routing_key = TextOf(static_cast<const amqp_basic_return_t*>(method.decoded)->routing_key);
      return;
    case AMQP_BASIC_ACK_METHOD: {
      const auto* ack = static_cast<const amqp_basic_ack_t*>(method.decoded);
      return Settle(ack->delivery_tag, ack->multiple != 0, true);
    }
    case AMQP_BASIC_NACK_METHOD: {
      const auto* nack = static_cast<const amqp_basic_nack_t*>(method.decoded);
      return Settle(nack->delivery_tag, nack->multiple != 0, false);
    }
    case AMQP_BASIC_CANCEL_METHOD:
      events_.push_back(
          ConsumerCancelled{QueueOf(TextOf(static_cast<const amqp_basic_cancel_t*>(method.decoded)->consumer_tag))});
      return;
    case AMQP_CONNECTION_BLOCKED_METHOD:
      events_.push_back(Blocked{true, TextOf(static_cast<const amqp_connection_blocked_t*>(method.decoded)->reason)});
      return;
    case AMQP_CONNECTION_UNBLOCKED_METHOD:
      events_.push_back(Blocked{false, ""});
      return;
    case AMQP_CHANNEL_CLOSE_METHOD:
    case AMQP_CONNECTION_CLOSE_METHOD:
      ThrowComplaint(ComplaintIn(method), where_);
    default:
      return;
  }
}

void AmqpConnection::TakeHeader(const amqp_frame_t& frame) {
  if (content_.stage != Content::Stage::kHeader) return;
  const auto* properties = static_cast<const amqp_basic_properties_t*>(frame.payload.properties.decoded);
  Delivery& delivery = content_.delivery;
  delivery.message.properties = PropertiesOf(*properties);
  delivery.size = content_.left = frame.payload.properties.body_size;
  delivery.too_large = delivery.size > most_body_;
  if (!delivery.too_large && !content_.is_return) delivery.message.body.reserve(delivery.size);
  content_.stage = Content::Stage::kBody;
  if (content_.left == 0) EndContent();
}

void AmqpConnection::TakeBody(const amqp_frame_t& frame) {
  if (content_.stage != Content::Stage::kBody) return;
  const amqp_bytes_t piece = frame.payload.body_fragment;
  content_.left -= std::min<std::uint64_t>(content_.left, piece.len);
  if (!content_.delivery.too_large && !content_.is_return) {
    content_.delivery.message.body.append(static_cast<const char*>(piece.bytes), piece.len);
  }
  if (content_.left == 0) EndContent();
}

void AmqpConnection::EndContent() {
  Content content = std::exchange(content_, {});
  if (!content.is_return) {
    events_.push_back(std::move(content.delivery));
    return;
  }
  // A return names no publication, but its confirmation comes later; and returns come in order.
  const std::string& correlation_id = content.delivery.message.properties.correlation_id;
  const auto found = std::find_if(publications_.begin(), publications_.end(), [&](const Publication& one) {
    return !one.returned && one.routing_key == content.routing_key && one.correlation_id == correlation_id;
  });
  if (found != publications_.end()) found->returned = true;
}

void AmqpConnection::Settle(std::uint64_t number, bool multiple, bool taken) {
  for (auto one = publications_.begin(); one != publications_.end();) {
    if (one->number > number || (!multiple && one->number != number)) {
      ++one;
      continue;
    }
    const auto outcome = !taken          ? Settled::Outcome::kRefused
                         : one->returned ? Settled::Outcome::kReturned
                                         : Settled::Outcome::kTaken;
    events_.push_back(Settled{one->number, outcome});
    one = publications_.erase(one);
  }
}

std::string AmqpConnection::QueueOf(const std::string& consumer_tag) const {
  for (const Consumer& consumer : consumers_) {
    if (consumer.tag == consumer_tag) return consumer.queue;
  }
  return "";
}

int AmqpConnection::fd() const { return amqp_get_sockfd(state_.get()); }

Nanoseconds AmqpConnection::heartbeat() const { return std::chrono::seconds(amqp_get_heartbeat(state_.get())); }

void AmqpConnection::Close() noexcept {
  amqp_connection_close(state_.get(), AMQP_REPLY_SUCCESS);
}

}  // namespace tally

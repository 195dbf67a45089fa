#include "dispatcher/amqp_error.h"

#include <fmt/format.h>

#include "dispatcher/amqp_table.h"

namespace tally {

bool BrokerComplaint::IsRefusal() const {
  switch (code) {
    case AMQP_ACCESS_REFUSED:
    case AMQP_NOT_FOUND:
    case AMQP_PRECONDITION_FAILED:
    case AMQP_INVALID_PATH:
    case AMQP_NOT_ALLOWED:
      return true;
    default:
      return false;
  }
}

BrokerComplaint ComplaintIn(const amqp_method_t& method) {
  if (method.id == AMQP_CONNECTION_CLOSE_METHOD) {
    const auto* close = static_cast<const amqp_connection_close_t*>(method.decoded);
    return {close->reply_code, TextOf(close->reply_text)};
  }
  if (method.id == AMQP_CHANNEL_CLOSE_METHOD) {
    const auto* close = static_cast<const amqp_channel_close_t*>(method.decoded);
    return {close->reply_code, TextOf(close->reply_text)};
  }
  return {0, fmt::format("method {:#x}", method.id)};
}

void ThrowComplaint(const BrokerComplaint& complaint, const std::string& what) {
  const std::string sentence = fmt::format("{}: the broker says {}", what, complaint.text);
  if (complaint.IsRefusal()) throw UserError(sentence);
  throw BrokerComplained(sentence);
}

void CheckReply(const amqp_rpc_reply_t& reply, const std::string& what) {
  switch (reply.reply_type) {
    case AMQP_RESPONSE_NORMAL:
      return;
    case AMQP_RESPONSE_SERVER_EXCEPTION:
      ThrowComplaint(ComplaintIn(reply.reply), what);
    case AMQP_RESPONSE_LIBRARY_EXCEPTION:
      CheckStatus(reply.library_error, what);
      break;
    case AMQP_RESPONSE_NONE:
      break;
  }
  throw BrokerGone(fmt::format("{}: the connection ended", what));
}

void CheckStatus(int status, const std::string& what) {
  if (status == AMQP_STATUS_OK) return;
  const std::string sentence = fmt::format("{}: {}", what, amqp_error_string2(status));
  switch (status) {
    case AMQP_STATUS_INCOMPATIBLE_AMQP_VERSION:
    case AMQP_STATUS_BAD_AMQP_DATA:
    case AMQP_STATUS_BROKER_UNSUPPORTED_SASL_METHOD:
    case AMQP_STATUS_SSL_HOSTNAME_VERIFY_FAILED:
    case AMQP_STATUS_SSL_PEER_VERIFY_FAILED:
      throw UserError(sentence);
    default:
      throw BrokerGone(sentence);
  }
}

}  // namespace tally

#include "dispatcher/amqp_properties.h"

#include <array>

namespace tally {
namespace {

constexpr std::uint8_t kPersistent = 2;

struct TextField {
  amqp_flags_t flag;
  amqp_bytes_t amqp_basic_properties_t::*wire;
  std::string MessageProperties::*ours;
};

constexpr std::array<TextField, 9> kTexts{{
    {AMQP_BASIC_CONTENT_TYPE_FLAG, &amqp_basic_properties_t::content_type, &MessageProperties::content_type},
    {AMQP_BASIC_CONTENT_ENCODING_FLAG, &amqp_basic_properties_t::content_encoding,
     &MessageProperties::content_encoding},
    {AMQP_BASIC_CORRELATION_ID_FLAG, &amqp_basic_properties_t::correlation_id, &MessageProperties::correlation_id},
    {AMQP_BASIC_REPLY_TO_FLAG, &amqp_basic_properties_t::reply_to, &MessageProperties::reply_to},
    {AMQP_BASIC_EXPIRATION_FLAG, &amqp_basic_properties_t::expiration, &MessageProperties::expiration},
    {AMQP_BASIC_MESSAGE_ID_FLAG, &amqp_basic_properties_t::message_id, &MessageProperties::message_id},
    {AMQP_BASIC_TYPE_FLAG, &amqp_basic_properties_t::type, &MessageProperties::type},
    {AMQP_BASIC_USER_ID_FLAG, &amqp_basic_properties_t::user_id, &MessageProperties::user_id},
    {AMQP_BASIC_APP_ID_FLAG, &amqp_basic_properties_t::app_id, &MessageProperties::app_id},
}};

}  // namespace

MessageProperties PropertiesOf(const amqp_basic_properties_t& wire) {
  MessageProperties out;
  for (const TextField& field : kTexts) {
    if ((wire._flags & field.flag) == 0) continue;
    const amqp_bytes_t bytes = wire.*field.wire;
    (out.*field.ours).assign(static_cast<const char*>(bytes.bytes), bytes.len);
  }
  out.persistent = (wire._flags & AMQP_BASIC_DELIVERY_MODE_FLAG) != 0 && wire.delivery_mode == kPersistent;
  if ((wire._flags & AMQP_BASIC_PRIORITY_FLAG) != 0) out.priority = wire.priority;
  if ((wire._flags & AMQP_BASIC_TIMESTAMP_FLAG) != 0) out.timestamp = wire.timestamp;
  if ((wire._flags & AMQP_BASIC_HEADERS_FLAG) != 0) out.headers = JsonOf(wire.headers);
  return out;
}

WireProperties::WireProperties(const MessageProperties& properties) : headers_(properties.headers) {
  for (const TextField& field : kTexts) {
    const std::string& text = properties.*field.ours;
    if (text.empty()) continue;
    wire_._flags |= field.flag;
    wire_.*field.wire = {text.size(), const_cast<char*>(text.data())};
  }
  if (properties.persistent) {
    wire_._flags |= AMQP_BASIC_DELIVERY_MODE_FLAG;
    wire_.delivery_mode = kPersistent;
  }
  if (properties.priority) {
    wire_._flags |= AMQP_BASIC_PRIORITY_FLAG;
    wire_.priority = *properties.priority;
  }
  if (properties.timestamp) {
    wire_._flags |= AMQP_BASIC_TIMESTAMP_FLAG;
    wire_.timestamp = *properties.timestamp;
  }
  if (!properties.headers.empty()) {
    wire_._flags |= AMQP_BASIC_HEADERS_FLAG;
    wire_.headers = headers_.get();
  }
}

}  // namespace tally

// The properties of a message, between our form and librabbitmq's.
#pragma once

#include "dispatcher/amqp_library.h"
#include "dispatcher/amqp_message.h"
#include "dispatcher/amqp_table.h"

namespace tally {

MessageProperties PropertiesOf(const amqp_basic_properties_t& wire);

// Borrows the texts of what it is made from.
class WireProperties {
 public:
  explicit WireProperties(const MessageProperties& properties);
  [[nodiscard]] const amqp_basic_properties_t& get() const { return wire_; }

 private:
  AmqpTable headers_;
  amqp_basic_properties_t wire_{};
};

}  // namespace tally

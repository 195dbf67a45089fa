// AMQP tables (headers, arguments) as JSON objects, and back.
#pragma once

#include <deque>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "dispatcher/amqp_library.h"

namespace tally {

inline std::string TextOf(amqp_bytes_t bytes) { return {static_cast<const char*>(bytes.bytes), bytes.len}; }
nlohmann::json JsonOf(const amqp_table_t& table);

// Owns what an amqp_table_t points to. Numbers without fraction are sent as signed ones of 64 bits.
class AmqpTable {
 public:
  explicit AmqpTable(const nlohmann::json& object) : table_(Table(object)) {}
  AmqpTable(const AmqpTable&) = delete;
  AmqpTable& operator=(const AmqpTable&) = delete;
  [[nodiscard]] amqp_table_t get() const { return table_; }

 private:
  amqp_table_t Table(const nlohmann::json& object);
  amqp_field_value_t Value(const nlohmann::json& value);
  amqp_bytes_t Keep(const std::string& text);

  // Deques, whose elements stay where they are.
  std::deque<std::string> texts_;
  std::deque<std::vector<amqp_table_entry_t>> entries_;
  std::deque<std::vector<amqp_field_value_t>> lists_;
  amqp_table_t table_;
};

}  // namespace tally

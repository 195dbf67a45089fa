#include "dispatcher/amqp_table.h"

#include <optional>

namespace tally {
namespace {

using Json = nlohmann::json;

// Headers that somebody nested deeper are no headers that anybody reads; and the stack ends somewhere.
constexpr int kDeepest = 16;

std::optional<Json> JsonOfValue(const amqp_field_value_t& value, int depth);

Json JsonOfTable(const amqp_table_t& table, int depth) {
  Json object = Json::object();
  for (int i = 0; i < table.num_entries; ++i) {
    if (auto value = JsonOfValue(table.entries[i].value, depth)) {
      object[TextOf(table.entries[i].key)] = *std::move(value);
    }
  }
  return object;
}

std::optional<Json> JsonOfValue(const amqp_field_value_t& value, int depth) {
  if (depth > kDeepest) return std::nullopt;
  switch (value.kind) {
    case AMQP_FIELD_KIND_BOOLEAN:
      return value.value.boolean != 0;
    case AMQP_FIELD_KIND_I8:
      return value.value.i8;
    case AMQP_FIELD_KIND_U8:
      return value.value.u8;
    case AMQP_FIELD_KIND_I16:
      return value.value.i16;
    case AMQP_FIELD_KIND_U16:
      return value.value.u16;
    case AMQP_FIELD_KIND_I32:
      return value.value.i32;
    case AMQP_FIELD_KIND_U32:
      return value.value.u32;
    case AMQP_FIELD_KIND_I64:
      return value.value.i64;
    case AMQP_FIELD_KIND_U64:
    case AMQP_FIELD_KIND_TIMESTAMP:
      return value.value.u64;
    case AMQP_FIELD_KIND_F32:
      return value.value.f32;
    case AMQP_FIELD_KIND_F64:
      return value.value.f64;
    case AMQP_FIELD_KIND_UTF8:
    case AMQP_FIELD_KIND_BYTES:
      return TextOf(value.value.bytes);
    case AMQP_FIELD_KIND_TABLE:
      return JsonOfTable(value.value.table, depth + 1);
    case AMQP_FIELD_KIND_VOID:
      return Json();
    case AMQP_FIELD_KIND_ARRAY: {
      Json list = Json::array();
      for (int i = 0; i < value.value.array.num_entries; ++i) {
        if (auto item = JsonOfValue(value.value.array.entries[i], depth + 1)) list.push_back(*std::move(item));
      }
      return list;
    }
    default:
      return std::nullopt;
  }
}

}  // namespace

Json JsonOf(const amqp_table_t& table) { return JsonOfTable(table, 0); }

amqp_bytes_t AmqpTable::Keep(const std::string& text) {
  std::string& kept = texts_.emplace_back(text);
  return {kept.size(), kept.data()};
}

amqp_table_t AmqpTable::Table(const Json& object) {
  auto& entries = entries_.emplace_back();
  for (const auto& [key, value] : object.items()) entries.push_back({Keep(key), Value(value)});
  return {static_cast<int>(entries.size()), entries.data()};
}

amqp_field_value_t AmqpTable::Value(const Json& value) {
  amqp_field_value_t out{};
  if (value.is_boolean()) {
    out.kind = AMQP_FIELD_KIND_BOOLEAN;
    out.value.boolean = value.get<bool>() ? 1 : 0;
  } else if (value.is_number_integer()) {
    out.kind = AMQP_FIELD_KIND_I64;
    out.value.i64 = value.get<std::int64_t>();
  } else if (value.is_number()) {
    out.kind = AMQP_FIELD_KIND_F64;
    out.value.f64 = value.get<double>();
  } else if (value.is_string()) {
    out.kind = AMQP_FIELD_KIND_UTF8;
    out.value.bytes = Keep(value.get_ref<const std::string&>());
  } else if (value.is_object()) {
    out.kind = AMQP_FIELD_KIND_TABLE;
    out.value.table = Table(value);
  } else if (value.is_array()) {
    auto& list = lists_.emplace_back();
    for (const Json& item : value) list.push_back(Value(item));
    out.kind = AMQP_FIELD_KIND_ARRAY;
    out.value.array = {static_cast<int>(list.size()), list.data()};
  } else {
    out.kind = AMQP_FIELD_KIND_VOID;
  }
  return out;
}

}  // namespace tally

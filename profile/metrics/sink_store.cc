#include "profile/metrics/sink_store.h"

#include <fmt/format.h>
#include <sqlite3.h>

#include <chrono>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "profile/metrics/sqlite_statement.h"

namespace tally {
namespace {

using nlohmann::json;

constexpr int kSchema = 1;
constexpr int kBusyMs = 2000;
constexpr const char* kTables = R"(
  CREATE TABLE IF NOT EXISTS deliveries (
    id INTEGER PRIMARY KEY, received_ms INTEGER NOT NULL, host TEXT NOT NULL, agent TEXT NOT NULL, label TEXT NOT NULL,
    sequence INTEGER NOT NULL, UNIQUE (agent, sequence));
  CREATE TABLE IF NOT EXISTS batches (
    agent TEXT NOT NULL, batch INTEGER NOT NULL, name TEXT NOT NULL, PRIMARY KEY (agent, batch)) WITHOUT ROWID;
  CREATE TABLE IF NOT EXISTS measurements (
    delivery INTEGER NOT NULL REFERENCES deliveries (id), time_ms INTEGER NOT NULL, batch INTEGER NOT NULL,
    name TEXT NOT NULL, instance TEXT NOT NULL, unit TEXT NOT NULL, value REAL NOT NULL);
  CREATE TABLE IF NOT EXISTS timings (
    delivery INTEGER NOT NULL REFERENCES deliveries (id), time_ms INTEGER NOT NULL, batch INTEGER NOT NULL,
    name TEXT NOT NULL, seconds REAL NOT NULL);
  CREATE TABLE IF NOT EXISTS not_measured (
    delivery INTEGER NOT NULL REFERENCES deliveries (id), name TEXT NOT NULL, instance TEXT NOT NULL, reason TEXT NOT NULL);
  CREATE INDEX IF NOT EXISTS measurements_by_name ON measurements (name, instance, time_ms);
)";

// Rolled back unless it came to its end.
class Transaction {
 public:
  explicit Transaction(sqlite3* database) : database_(database) { SqliteStatement(database, "BEGIN IMMEDIATE").Run(); }
  ~Transaction() {
    if (!done_) sqlite3_exec(database_, "ROLLBACK", nullptr, nullptr, nullptr);
  }
  Transaction(const Transaction&) = delete;
  Transaction& operator=(const Transaction&) = delete;
  void Commit() {
    SqliteStatement(database_, "COMMIT").Run();
    done_ = true;
  }

 private:
  sqlite3* database_;
  bool done_ = false;
};

[[noreturn]] void NoDelivery(const std::string& what) {
  throw UserError("this is no delivery of tally-metrics-1: " + what);
}

json Parse(std::string_view text) {
  // Depth is cheap to ask for and dear to hold.
  const auto shallow = [](int depth, json::parse_event_t, json&) {
    if (depth > 8) NoDelivery("nested too deep");
    return true;
  };
  json parsed = json::parse(text, shallow, false);
  if (!parsed.is_object() || parsed.value("format", json()) != "tally-metrics-1")
    NoDelivery("\"format\" is another one");
  return parsed;
}

class Writer {
 public:
  Writer(sqlite3* database, const json& delivery) : database_(database), delivery_(delivery) {}

  // False: it is here already.
  bool Write() {
    const auto now = std::chrono::system_clock::now().time_since_epoch();
    SqliteStatement head(
        database_, "INSERT OR IGNORE INTO deliveries (received_ms, host, agent, label, sequence) VALUES (?,?,?,?,?)");
    const auto agent = delivery_.at("agent").get<std::string>();
    head.Run(std::int64_t{std::chrono::duration_cast<std::chrono::milliseconds>(now).count()},
             delivery_.at("host").get<std::string>(), agent, delivery_.at("label").get<std::string>(),
             delivery_.at("sequence").get<std::int64_t>());
    if (sqlite3_changes(database_) == 0) return false;
    id_ = sqlite3_last_insert_rowid(database_);
    SqliteStatement batch(database_, "INSERT OR REPLACE INTO batches VALUES (?,?,?)");
    for (const auto& [index, name] : delivery_.at("batches").items()) {
      batch.Run(agent, std::int64_t{std::stoll(index)}, name.get<std::string>());
    }
    WriteMeasurements();
    SqliteStatement timing(database_, "INSERT INTO timings VALUES (?,?,?,?,?)");
    for (const json& one : delivery_.at("timings")) {
      timing.Run(id_, one.at("time_ms").get<std::int64_t>(), one.at("batch").get<std::int64_t>(),
                 one.at("name").get<std::string>(), one.at("seconds").get<double>());
    }
    SqliteStatement failed(database_, "INSERT INTO not_measured VALUES (?,?,?,?)");
    for (const json& one : delivery_.at("not_measured")) {
      failed.Run(id_, one.at("name").get<std::string>(), one.at("instance").get<std::string>(),
                 one.at("reason").get<std::string>());
    }
    return true;
  }

 private:
  void WriteMeasurements() {
    const json& samples = delivery_.at("samples");
    const json& times = samples.at("time_ms");
    const json& batches = samples.at("batch");
    if (!times.is_array() || !batches.is_array() || batches.size() != times.size())
      NoDelivery("samples without their times");
    SqliteStatement row(database_, "INSERT INTO measurements VALUES (?,?,?,?,?,?,?)");
    for (const json& series : samples.at("series")) {
      const auto name = series.at("name").get<std::string>(), instance = series.at("instance").get<std::string>(),
                 unit = series.at("unit").get<std::string>();
      const json& values = series.at("values");
      if (!values.is_array() || values.size() != times.size()) NoDelivery("a series without its times");
      for (std::size_t i = 0; i < values.size(); ++i) {
        if (values[i].is_null()) continue;  // was not measured
        row.Run(id_, times[i].get<std::int64_t>(), batches[i].get<std::int64_t>(), name, instance, unit,
                values[i].get<double>());
      }
    }
  }

  sqlite3* database_;
  const json& delivery_;
  std::int64_t id_ = 0;
};

}  // namespace

void SinkStore::Close::operator()(sqlite3* database) const { sqlite3_close(database); }

SinkStore::SinkStore(const std::string& path, Access access) : path_(path) {
  sqlite3* database = nullptr;
  // A reader opens it for writing, too, where it may: the last one to close a write-ahead log is to remove it.
  const int flags = access == Access::kWrite ? SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE : SQLITE_OPEN_READWRITE;
  const int code = sqlite3_open_v2(path.c_str(), &database, flags, nullptr);
  database_.reset(database);
  const auto fail = [&] { throw UserError(fmt::format("{}: {}", path, sqlite3_errmsg(database))); };
  if (code != SQLITE_OK) fail();
  sqlite3_busy_timeout(database, kBusyMs);
  try {
    SqliteStatement version(database, "PRAGMA user_version");
    version.Step();
    const auto schema = version.Integer(0);
    SqliteStatement tables(database, "SELECT count(*) FROM sqlite_schema");
    tables.Step();
    const bool is_new = schema == 0 && tables.Integer(0) == 0;
    if (schema != kSchema && !(is_new && access == Access::kWrite)) {
      throw UserError(fmt::format("{}: is a database, but not one of tally metrics-sink", path));
    }
  } catch (const SystemError&) {
    fail();
  }
  if (access == Access::kRead) return;
  const std::string prepare =
      fmt::format("PRAGMA journal_mode=WAL; PRAGMA synchronous=NORMAL; {} PRAGMA user_version={};", kTables, kSchema);
  if (sqlite3_exec(database, prepare.c_str(), nullptr, nullptr, nullptr) != SQLITE_OK) fail();
}

bool SinkStore::Add(std::string_view text) {
  const json delivery = Parse(text);
  Transaction transaction(database_.get());
  bool added = false;
  try {
    added = Writer(database_.get(), delivery).Write();
  } catch (const json::exception& error) {
    NoDelivery("a key is missing or of another type");
  } catch (const std::logic_error&) {
    NoDelivery("the index of a batch is no number");
  }
  transaction.Commit();
  return added;
}

std::vector<SeriesSummary> SinkStore::Summarize(const char* query) const {
  std::vector<SeriesSummary> out;
  SqliteStatement rows(database_.get(), query);
  while (rows.Step()) {
    out.push_back({rows.Text(0), rows.Text(1), rows.Text(2), static_cast<std::uint64_t>(rows.Integer(3)), rows.Real(4),
                   rows.Real(5), rows.Real(6), rows.Real(7)});
  }
  return out;
}

StoreSummary SinkStore::Summary() const {
  StoreSummary out;
  SqliteStatement head(database_.get(), "SELECT count(*), count(DISTINCT agent) FROM deliveries");
  head.Step();
  out.deliveries = static_cast<std::uint64_t>(head.Integer(0));
  out.agents = static_cast<std::uint64_t>(head.Integer(1));
  out.series = Summarize(
      "SELECT name, instance, unit, count(*), min(value), avg(value), max(value), (SELECT value FROM measurements AS "
      "other "
      "WHERE other.name = one.name AND other.instance = one.instance ORDER BY time_ms DESC LIMIT 1) "
      "FROM measurements AS one GROUP BY name, instance ORDER BY name, length(instance), instance");
  out.timings = Summarize(
      "SELECT name, '', 's', count(*), min(seconds), avg(seconds), max(seconds), (SELECT seconds FROM timings AS other "
      "WHERE other.name = one.name ORDER BY time_ms DESC LIMIT 1) FROM timings AS one GROUP BY name ORDER BY name");
  return out;
}

}  // namespace tally

// One prepared statement of SQLite: move-only, finalized on destruction. A failure is a SystemError that names the file
// and what SQLite says.
#pragma once

#include <fmt/format.h>
#include <sqlite3.h>

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "base/error.h"

namespace tally {

class SqliteStatement {
 public:
  SqliteStatement(sqlite3* database, std::string_view sql) : database_(database) {
    sqlite3_stmt* statement = nullptr;
    Check(sqlite3_prepare_v2(database, sql.data(), static_cast<int>(sql.size()), &statement, nullptr));
    statement_.reset(statement);
  }

  // Parameters in their order. Texts are copied.
  template <typename... Values>
  void Run(const Values&... values) {
    sqlite3_reset(statement_.get());
    int at = 0;
    (Bind(++at, values), ...);
    Step();
  }
  // True: there is a row to read.
  bool Step() {
    const int code = sqlite3_step(statement_.get());
    if (code == SQLITE_ROW) return true;
    if (code != SQLITE_DONE) Check(code);
    return false;
  }
  [[nodiscard]] std::string Text(int column) const {
    const auto* const text = reinterpret_cast<const char*>(sqlite3_column_text(statement_.get(), column));
    return text != nullptr ? text : "";
  }
  [[nodiscard]] double Real(int column) const { return sqlite3_column_double(statement_.get(), column); }
  [[nodiscard]] std::int64_t Integer(int column) const { return sqlite3_column_int64(statement_.get(), column); }

 private:
  struct Finalize {
    void operator()(sqlite3_stmt* statement) const { sqlite3_finalize(statement); }
  };

  void Check(int code) const {
    if (code != SQLITE_OK) {
      throw SystemError(
          fmt::format("SQLite, {}: {}", sqlite3_db_filename(database_, "main"), sqlite3_errmsg(database_)), 0);
    }
  }
  void Bind(int at, std::int64_t value) { Check(sqlite3_bind_int64(statement_.get(), at, value)); }
  void Bind(int at, double value) { Check(sqlite3_bind_double(statement_.get(), at, value)); }
  void Bind(int at, const std::string& value) {
    Check(sqlite3_bind_text64(statement_.get(), at, value.data(), value.size(), SQLITE_TRANSIENT, SQLITE_UTF8));
  }

  sqlite3* database_;
  std::unique_ptr<sqlite3_stmt, Finalize> statement_;
};

}  // namespace tally

// The sink's SQLite file: what deliveries hold, in five tables (docs/metrics.md, "The database"). One delivery is one
// transaction; one that comes twice, because its sender did not hear the answer, is stored once.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

struct sqlite3;

namespace tally {

struct SeriesSummary {
  std::string name, instance, unit;
  std::uint64_t count = 0;
  double least = 0, mean = 0, most = 0, last = 0;
};

struct StoreSummary {
  std::uint64_t deliveries = 0, agents = 0;
  std::vector<SeriesSummary> series;   // by name
  std::vector<SeriesSummary> timings;  // in seconds
};

class SinkStore {
 public:
  enum class Access { kWrite, kRead };

  // UserError: it cannot be opened, or is no database of ours.
  SinkStore(const std::string& path, Access access);

  // UserError: this is no delivery. False: it is here already. SystemError: the file cannot be written.
  bool Add(std::string_view json);
  [[nodiscard]] StoreSummary Summary() const;

 private:
  struct Close {
    void operator()(sqlite3* database) const;
  };
  [[nodiscard]] std::vector<SeriesSummary> Summarize(const char* query) const;

  std::string path_;
  std::unique_ptr<sqlite3, Close> database_;
};

}  // namespace tally

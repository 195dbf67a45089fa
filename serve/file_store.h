// Files that clients keep here between requests: one of the store's each, by an id that nobody guesses, up to a size altogether. They go with the
// server.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "base/temporary_directory.h"
#include "base/units.h"

namespace tally::serve {

// For a file in `folder`, which workers write as well.
std::string NewId();
bool IsId(std::string_view text);

class FileStore {
 public:
  explicit FileStore(Bytes most) : most_(most) {}

  [[nodiscard]] const std::string& folder() const { return folder_.path(); }
  // UserError: there is no room.
  std::string Add(const std::string& name, std::string_view content);
  // A worker has written it into the folder. UserError: there is no room; it is gone then.
  void Register(const std::string& id, const std::string& name);
  [[nodiscard]] bool Has(const std::string& id) const { return files_.contains(id); }
  [[nodiscard]] std::optional<std::string> Read(const std::string& id) const;
  [[nodiscard]] const std::string& NameOf(const std::string& id) const { return files_.at(id).name; }
  bool Remove(const std::string& id);
  // A worker has written it, and nobody will ask for it.
  void Discard(const std::string& id);
  // Ids and names.
  [[nodiscard]] std::map<std::string, std::string> All() const;
  [[nodiscard]] std::uint64_t used() const { return used_; }

 private:
  struct Entry {
    std::string name;
    std::uint64_t size;
  };
  [[nodiscard]] std::string PathOf(const std::string& id) const { return folder_.File(id); }

  Bytes most_;
  TemporaryDirectory folder_;
  std::map<std::string, Entry> files_;
  std::uint64_t used_ = 0;
};

}  // namespace tally::serve

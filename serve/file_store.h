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

// For a file that a worker makes.
std::string NewId();
bool IsId(std::string_view text);

class FileStore {
 public:
  explicit FileStore(Bytes most) : most_(most) {}

  [[nodiscard]] const std::string& folder() const { return folder_.path(); }
  // UserError: there is no room.
  std::string Add(const std::string& name, std::string_view content);
  // Where worker number `worker` puts what it makes; it is there.
  [[nodiscard]] std::string FolderOf(std::size_t worker) const;
  // A worker told of it: out of its folder, and nobody's yet. Not there: nothing.
  void Take(const std::string& id, std::size_t worker);
  // A worker is gone, and what it made and told nobody of with it.
  void EmptyFolderOf(std::size_t worker);
  // What was taken. UserError: there is no room; it is gone then.
  void Register(const std::string& id, const std::string& name);
  [[nodiscard]] bool Has(const std::string& id) const { return files_.contains(id); }
  [[nodiscard]] std::optional<std::string> Read(const std::string& id) const;
  [[nodiscard]] const std::string& NameOf(const std::string& id) const { return files_.at(id).name; }
  bool Remove(const std::string& id);
  // What was taken, and nobody will ask for.
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

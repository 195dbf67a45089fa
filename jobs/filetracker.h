// Filetracker paths on the embedded local store: a directory, no server.
//
// A name starts with '/', has no "..", and may end in "@VERSION"; a version is the file's time of change in
// whole seconds (facts of the filetracker protocol 2). The store keeps files as DIRECTORY/files/NAME, plain and
// uncompressed, as filetracker's own cache does, so that either can read the other's.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace tally {

struct FiletrackerName {
  std::string path;  // "/problems/1/in"
  std::optional<std::int64_t> version;

  // UserError says which rule `text` breaks.
  static FiletrackerName Parse(std::string_view text);
  [[nodiscard]] std::string Versioned() const;
};

class LocalStore {
 public:
  // FILETRACKER_DIR, else ~/.filetracker-store.
  LocalStore();
  explicit LocalStore(std::string directory) : directory_(std::move(directory)) {}

  [[nodiscard]] bool Has(const FiletrackerName& name) const;
  // The file's place on disk; not to be changed there. UserError when there is none, or its version differs.
  [[nodiscard]] std::string Find(const FiletrackerName& name) const;
  // Copies `local_path` in, atomically; returns the name with the version it got.
  FiletrackerName Put(const FiletrackerName& name, const std::string& local_path) const;

  [[nodiscard]] const std::string& directory() const { return directory_; }

 private:
  [[nodiscard]] std::string PathOf(const FiletrackerName& name) const { return directory_ + "/files" + name.path; }
  std::string directory_;
};

}  // namespace tally

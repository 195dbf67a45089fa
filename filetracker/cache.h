// The local copies: FOLDER/files/NAME, plain, whose time of change is the version, as filetracker's own client keeps them. A file is there whole
// or not at all; nobody changes one in place, for others have links to it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "base/fd.h"
#include "base/units.h"

namespace tally::filetracker {

class Cache {
 public:
  // FILETRACKER_DIR, else ~/.filetracker-store. UserError: there is no such folder, and none can be made.
  explicit Cache(std::string folder = "");

  [[nodiscard]] std::string PathOf(const std::string& name) const { return folder_ + "/files" + name; }
  [[nodiscard]] std::optional<std::int64_t> VersionOf(const std::string& name) const;
  // One process at a time gets or puts a file of this name; ends with the owner.
  [[nodiscard]] Fd Lock(const std::string& name) const;

  // A file without a name, or one beside `name`'s place.
  [[nodiscard]] Fd Scratch() const;
  class NewFile {
   public:
    NewFile(const Cache& cache, const std::string& name);
    ~NewFile();
    NewFile(const NewFile&) = delete;
    NewFile& operator=(const NewFile&) = delete;
    [[nodiscard]] int fd() const { return fd_.get(); }
    void Commit(std::int64_t version);

   private:
    std::string path_, temporary_;
    Fd fd_;
  };
  // It was asked for just now, so it is not the first to go.
  void NoteUse(const std::string& name) const;
  void Remove(const std::string& name) const;

  // Removes what was not used for longest, until what is left is half of `most`; nothing where less than `most` is there. Files used in the last
  // ten minutes stay.
  void Clean(Bytes most) const;
  // The same, once a minute, with FILETRACKER_CACHE_SIZE (10 GiB).
  void CleanNowAndThen() const;

 private:
  void MakeFolderOf(const std::string& path) const;
  std::string folder_;
};

}  // namespace tally::filetracker

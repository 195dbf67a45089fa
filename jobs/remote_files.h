// Files of a filetracker server, through tally-filetracker, which lies beside our executable and brings the libraries that we do without.
#pragma once

#include <string>

namespace tally {

class RemoteFiles {
 public:
  // `url` "": there is no server.
  explicit RemoteFiles(std::string url = "") : url_(std::move(url)) {}
  [[nodiscard]] bool is_there() const { return !url_.empty(); }

  // The local path of a name, which is in the cache by then; it is not to be changed there. UserError: the server does not have it.
  [[nodiscard]] std::string Fetch(const std::string& name) const;
  // Uploads a file; its versioned name.
  [[nodiscard]] std::string Put(const std::string& name, const std::string& local_path) const;

 private:
  [[nodiscard]] std::string Ask(const std::string& what, const std::string& name, const std::string& file) const;

  std::string url_;
};

}  // namespace tally

// A filetracker server, protocol 2, and the cache in front of it.
//
// GET /files/PATH gives the newest version, which is its Last-Modified; PUT /files/PATH?last_modified=DATE keeps what is there if that is
// newer, and says what is there then; DELETE and GET /list/PATH likewise. Bodies are gzip. Sources: the filetracker server's documentation
// and its answers (docs/jobs.md, "Remote files").
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "filetracker/cache.h"
#include "filetracker/http_client.h"

namespace tally::filetracker {

// "/problems/1/in", and @VERSION.
struct Name {
  std::string path;
  std::int64_t version = -1;  // none
  static Name Parse(const std::string& text);  // UserError
};

class Remote {
 public:
  Remote(std::string url, const Cache& cache, HttpPatience patience = {});

  // In the cache by the time this returns. UserError: it is not there, or in another version; SystemError: the server fails.
  Name Get(const Name& name);
  // A local file, which may be one of the cache's own. `version`: -1 for now.
  Name Put(const Name& name, const std::string& local_path);
  std::int64_t VersionOf(const std::string& path);
  void Delete(const Name& name);
  std::vector<std::string> List(const std::string& path);
  // UserError where it speaks no protocol of ours.
  std::vector<int> ProtocolVersions();

 private:
  [[nodiscard]] std::string UrlOf(const std::string& path, std::int64_t version = -1) const;
  Name Download(const Name& name);

  std::string url_;
  const Cache& cache_;
  HttpClient http_;
};

}  // namespace tally::filetracker

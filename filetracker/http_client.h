// HTTP as a filetracker server speaks it, by libcurl. What is worth another try (no connection, one that broke, a server's 5xx) is tried
// again with growing pauses; a download goes on where it broke off, if the server can and the file is still the same.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>

namespace tally::filetracker {

struct HttpAnswer {
  long status = 0;
  std::map<std::string, std::string> headers;  // names in lower case
  std::string body;                            // of requests that keep none in a file, at most 1 MiB

  [[nodiscard]] std::string Header(const std::string& name) const {
    const auto found = headers.find(name);
    return found == headers.end() ? "" : found->second;
  }
};

struct HttpPatience {
  int tries = 6;
  long first_pause_ms = 200;   // doubled each time, and a quarter more or less by chance
  long slowest_seconds = 30;   // with less than a byte a second it is given up
};

class HttpClient {
 public:
  explicit HttpClient(HttpPatience patience);
  ~HttpClient();
  HttpClient(const HttpClient&) = delete;
  HttpClient& operator=(const HttpClient&) = delete;

  // Each: SystemError when the last try failed, with what it met.
  HttpAnswer Get(const std::string& url);
  // Head and no body, by GET that is ended behind the head: HEAD is not what servers of this kind answer right.
  HttpAnswer Head(const std::string& url);
  HttpAnswer Delete(const std::string& url);
  // The body as it comes over the wire, into the descriptor `file` (empty, seekable).
  HttpAnswer Download(const std::string& url, int file);
  HttpAnswer Upload(const std::string& url, int file, std::uint64_t size, const std::map<std::string, std::string>& headers);

 private:
  struct State;
  struct Transfer;
  // `note_failure`: of a try that will be followed by another.
  HttpAnswer Try(const std::function<Transfer()>& make, const std::function<void(const Transfer&)>& note_failure = nullptr);
  HttpAnswer Perform(Transfer* transfer);

  HttpPatience patience_;
  std::unique_ptr<State> state_;
};

// For the path of a URL: '/' stays.
std::string EscapedPath(std::string_view path);
std::string EscapedValue(std::string_view value);

}  // namespace tally::filetracker

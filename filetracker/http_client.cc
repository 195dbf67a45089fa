#include "filetracker/http_client.h"

#include <curl/curl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <chrono>
#include <random>
#include <thread>

#include "base/error.h"

namespace tally::filetracker {
namespace {

constexpr std::size_t kMostKept = 1 << 20;
constexpr long kConnectSeconds = 10;

std::string Lower(std::string_view text) {
  std::string out(text);
  std::transform(out.begin(), out.end(), out.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return out;
}

std::string_view Trimmed(std::string_view text) {
  while (!text.empty() && std::isspace(static_cast<unsigned char>(text.front())) != 0) text.remove_prefix(1);
  while (!text.empty() && std::isspace(static_cast<unsigned char>(text.back())) != 0) text.remove_suffix(1);
  return text;
}

std::string Escaped(std::string_view text, std::string_view kept) {
  std::string out;
  for (const char c : text) {
    const bool plain = std::isalnum(static_cast<unsigned char>(c)) != 0 || kept.find(c) != std::string_view::npos;
    out += plain ? std::string(1, c) : fmt::format("%{:02X}", static_cast<unsigned char>(c));
  }
  return out;
}

struct FreeList {
  void operator()(curl_slist* list) const { ::curl_slist_free_all(list); }
};

}  // namespace

struct HttpClient::State {
  CURL* curl = nullptr;
  std::minstd_rand chance{std::random_device{}()};
  State() {
    ::curl_global_init(CURL_GLOBAL_DEFAULT);
    curl = ::curl_easy_init();
    if (curl == nullptr) throw SystemError("curl_easy_init", 0);
  }
  ~State() { ::curl_easy_cleanup(curl); }
  State(const State&) = delete;
  State& operator=(const State&) = delete;
};

// One try, and what libcurl tells while it lasts.
struct HttpClient::Transfer {
  std::string method, url;
  bool head_only = false;
  int to = -1;               // where the body goes
  std::uint64_t resume = 0;  // bytes that are there already
  std::string validator;     // of what those are a part
  int from = -1;             // what is sent
  std::uint64_t size = 0;
  std::map<std::string, std::string> send;

  HttpAnswer answer;
  std::uint64_t written = 0;
  bool failed_to_write = false;

  // Of the file that we have a part of, and the rest (RFC 9110, 15.3.7).
  [[nodiscard]] bool IsAskedPart() const {
    return resume > 0 && answer.Header("last-modified") == validator && answer.Header("content-range").starts_with(fmt::format("bytes {}-", resume));
  }
  [[nodiscard]] bool IsOtherPart() const { return to >= 0 && answer.status == 206 && !IsAskedPart(); }

  static std::size_t OnHeader(char* data, std::size_t one, std::size_t count, void* self) {
    auto& transfer = *static_cast<Transfer*>(self);
    const std::string_view line(data, one * count);
    if (line.starts_with("HTTP/")) {
      transfer.answer.headers.clear();  // of another answer, which led here
      const std::size_t space = line.find(' ');
      transfer.answer.status = space == std::string_view::npos ? 0 : std::strtol(line.data() + space, nullptr, 10);
    } else if (const std::size_t colon = line.find(':'); colon != std::string_view::npos) {
      transfer.answer.headers[Lower(line.substr(0, colon))] = Trimmed(line.substr(colon + 1));
    }
    return one * count;
  }

  static std::size_t OnBody(char* data, std::size_t one, std::size_t count, void* self) {
    auto& transfer = *static_cast<Transfer*>(self);
    const std::size_t size = one * count;
    if (transfer.head_only) return 0;  // that is all
    if (transfer.IsOtherPart()) return 0;
    const bool is_file = transfer.to >= 0 && (transfer.answer.status == 200 || transfer.answer.status == 206);
    if (!is_file) {
      transfer.answer.body.append(data, std::min(size, kMostKept - std::min(kMostKept, transfer.answer.body.size())));
      return size;
    }
    // From the beginning, though we asked for the rest: then that is what we have.
    if (transfer.written == 0 && transfer.resume > 0 && transfer.answer.status == 200) {
      transfer.resume = 0;
      if (::ftruncate(transfer.to, 0) != 0) return 0;
    }
    for (std::size_t done = 0; done < size;) {
      const ssize_t n = ::pwrite(transfer.to, data + done, size - done, static_cast<off_t>(transfer.resume + transfer.written));
      if (n < 0) {
        transfer.failed_to_write = true;
        return 0;
      }
      done += static_cast<std::size_t>(n);
      transfer.written += static_cast<std::uint64_t>(n);
    }
    return size;
  }

  static std::size_t OnSend(char* data, std::size_t one, std::size_t count, void* self) {
    auto& transfer = *static_cast<Transfer*>(self);
    const ssize_t n = ::pread(transfer.from, data, one * count, static_cast<off_t>(transfer.written));
    if (n < 0) return CURL_READFUNC_ABORT;
    transfer.written += static_cast<std::uint64_t>(n);
    return static_cast<std::size_t>(n);
  }
};

HttpClient::HttpClient(HttpPatience patience) : patience_(patience), state_(std::make_unique<State>()) {}
HttpClient::~HttpClient() = default;

HttpAnswer HttpClient::Perform(Transfer* t) {
  CURL* const curl = state_->curl;
  ::curl_easy_reset(curl);
  std::unique_ptr<curl_slist, FreeList> headers;
  const auto add = [&headers](const std::string& line) { headers.reset(::curl_slist_append(headers.release(), line.c_str())); };
  for (const auto& [name, value] : t->send) add(name + ": " + value);
  if (t->resume > 0) {
    add(fmt::format("Range: bytes={}-", t->resume));
    if (!t->validator.empty()) add("If-Range: " + t->validator);
  }
  if (t->method == "PUT") add("Expect:");
  ::curl_easy_setopt(curl, CURLOPT_URL, t->url.c_str());
  ::curl_easy_setopt(curl, CURLOPT_PROTOCOLS_STR, "http,https");
  ::curl_easy_setopt(curl, CURLOPT_REDIR_PROTOCOLS_STR, "http,https");
  ::curl_easy_setopt(curl, CURLOPT_FOLLOWLOCATION, t->method == "GET" ? 1L : 0L);
  ::curl_easy_setopt(curl, CURLOPT_MAXREDIRS, 5L);
  ::curl_easy_setopt(curl, CURLOPT_NOSIGNAL, 1L);
  ::curl_easy_setopt(curl, CURLOPT_CONNECTTIMEOUT, kConnectSeconds);
  ::curl_easy_setopt(curl, CURLOPT_LOW_SPEED_LIMIT, 1L);
  ::curl_easy_setopt(curl, CURLOPT_LOW_SPEED_TIME, patience_.slowest_seconds);
  ::curl_easy_setopt(curl, CURLOPT_HTTPHEADER, headers.get());
  ::curl_easy_setopt(curl, CURLOPT_USERAGENT, "tally-filetracker/" TALLY_VERSION);
  ::curl_easy_setopt(curl, CURLOPT_HEADERFUNCTION, &Transfer::OnHeader);
  ::curl_easy_setopt(curl, CURLOPT_HEADERDATA, t);
  ::curl_easy_setopt(curl, CURLOPT_WRITEFUNCTION, &Transfer::OnBody);
  ::curl_easy_setopt(curl, CURLOPT_WRITEDATA, t);
  if (t->method == "PUT") {
    ::curl_easy_setopt(curl, CURLOPT_UPLOAD, 1L);
    ::curl_easy_setopt(curl, CURLOPT_READFUNCTION, &Transfer::OnSend);
    ::curl_easy_setopt(curl, CURLOPT_READDATA, t);
    ::curl_easy_setopt(curl, CURLOPT_INFILESIZE_LARGE, static_cast<curl_off_t>(t->size));
  } else if (t->method != "GET") {
    ::curl_easy_setopt(curl, CURLOPT_CUSTOMREQUEST, t->method.c_str());
  }
  const CURLcode code = ::curl_easy_perform(curl);
  const bool enough = t->head_only && code == CURLE_WRITE_ERROR;
  if (t->IsOtherPart()) throw SystemError("the server sends another part than it was asked for", 0);
  if (t->failed_to_write) throw SystemError("write what is downloaded", errno);
  if (code != CURLE_OK && !enough) throw SystemError(::curl_easy_strerror(code), 0);
  return t->answer;
}

HttpAnswer HttpClient::Try(const std::function<Transfer()>& make, const std::function<void(const Transfer&)>& note_failure) {
  long pause = patience_.first_pause_ms;
  for (int left = patience_.tries;; --left) {
    Transfer transfer = make();
    std::string why;
    try {
      HttpAnswer answer = Perform(&transfer);
      const bool is_passing = answer.status >= 500 || answer.status == 429 || (answer.status == 416 && transfer.resume > 0);
      if (!is_passing) return answer;
      why = fmt::format("the server says {}", answer.status);
    } catch (const SystemError& error) {
      if (transfer.failed_to_write) throw;
      why = error.what();
    }
    if (left <= 1) throw SystemError(fmt::format("{} {}: {}", transfer.method, transfer.url, why), 0);
    if (note_failure) note_failure(transfer);
    const long spread = std::max(1L, pause / 2);
    std::this_thread::sleep_for(std::chrono::milliseconds(pause - spread / 2 + static_cast<long>(state_->chance() % static_cast<unsigned long>(spread))));
    pause *= 2;
  }
}

HttpAnswer HttpClient::Get(const std::string& url) {
  return Try([&] { return Transfer{.method = "GET", .url = url}; });
}

HttpAnswer HttpClient::Head(const std::string& url) {
  return Try([&] { return Transfer{.method = "GET", .url = url, .head_only = true}; });
}

HttpAnswer HttpClient::Delete(const std::string& url) {
  return Try([&] { return Transfer{.method = "DELETE", .url = url}; });
}

HttpAnswer HttpClient::Download(const std::string& url, int file) {
  std::string validator;  // of the file that a part of is there
  const auto make = [&] {
    const off_t there = validator.empty() ? 0 : ::lseek(file, 0, SEEK_END);
    if (there <= 0 && ::ftruncate(file, 0) != 0) throw SystemError("empty the file of a download", errno);
    return Transfer{.method = "GET", .url = url, .to = file, .resume = static_cast<std::uint64_t>(std::max<off_t>(there, 0)), .validator = validator};
  };
  const auto note_failure = [&](const Transfer& transfer) {
    const bool has_part = transfer.answer.status == 200 || (transfer.answer.status == 206 && !transfer.IsOtherPart());
    validator = has_part ? transfer.answer.Header("last-modified") : "";
  };
  return Try(make, note_failure);
}

HttpAnswer HttpClient::Upload(const std::string& url, int file, std::uint64_t size, const std::map<std::string, std::string>& headers) {
  return Try([&] { return Transfer{.method = "PUT", .url = url, .from = file, .size = size, .send = headers}; });
}

std::string EscapedPath(std::string_view path) { return Escaped(path, "/-._~"); }
std::string EscapedValue(std::string_view value) { return Escaped(value, "-._~"); }

}  // namespace tally::filetracker

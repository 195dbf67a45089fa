#include "profile/metrics/sender.h"

#include <curl/curl.h>
#include <fmt/format.h>

#include <algorithm>

#include "base/error.h"

namespace tally {
namespace {

constexpr std::size_t kMostWaiting = 16;

// What a receiver says is not kept, and not all of it is listened to.
constexpr std::size_t kLongestAnswer = 1 << 20;

std::size_t Discard(char*, std::size_t size, std::size_t count, void* heard) {
  std::size_t& total = *static_cast<std::size_t*>(heard);
  total += size * count;
  return total > kLongestAnswer ? 0 : size * count;
}

long Ms(Nanoseconds time) { return static_cast<long>(std::chrono::ceil<Milliseconds>(time).count()); }

bool IsLoopback(const std::string& endpoint) {
  const std::size_t scheme = endpoint.find("//");
  if (scheme == std::string::npos) return false;
  const std::string host = endpoint.substr(scheme + 2);
  return host.starts_with("127.") || host.starts_with("localhost:") || host.starts_with("localhost/") ||
         host.starts_with("[::1]");
}

}  // namespace

// Deliveries go over one handle, which keeps its connection.
struct Sender::Curl {
  explicit Curl(const MetricsConfig& config) {
    if (multi == nullptr || easy == nullptr) throw SystemError("start libcurl", 0);
    headers = curl_slist_append(headers, "Content-Type: application/json");
    headers = curl_slist_append(headers, "Expect:");  // a receiver that never says "continue" would cost a second
    curl_easy_setopt(easy, CURLOPT_URL, config.endpoint.c_str());
    curl_easy_setopt(easy, CURLOPT_PROTOCOLS_STR, "http,https");
    curl_easy_setopt(easy, CURLOPT_HTTPHEADER, headers);
    curl_easy_setopt(easy, CURLOPT_USERAGENT, "tally-metrics/" TALLY_VERSION);
    curl_easy_setopt(easy, CURLOPT_TIMEOUT_MS, Ms(config.send_timeout));
    curl_easy_setopt(easy, CURLOPT_NOSIGNAL, 1L);
    curl_easy_setopt(easy, CURLOPT_ERRORBUFFER, error);
    curl_easy_setopt(easy, CURLOPT_WRITEFUNCTION, Discard);
    curl_easy_setopt(easy, CURLOPT_WRITEDATA, &heard);
    if (IsLoopback(config.endpoint)) curl_easy_setopt(easy, CURLOPT_PROXY, "");
  }
  ~Curl() {
    if (on_its_way) curl_multi_remove_handle(multi, easy);
    curl_easy_cleanup(easy);
    curl_multi_cleanup(multi);
    curl_slist_free_all(headers);
  }
  Curl(const Curl&) = delete;
  Curl& operator=(const Curl&) = delete;

  void Start(const std::string& json) {
    heard = 0;
    error[0] = '\0';
    curl_easy_setopt(easy, CURLOPT_POSTFIELDS, json.data());
    curl_easy_setopt(easy, CURLOPT_POSTFIELDSIZE_LARGE, static_cast<curl_off_t>(json.size()));
    curl_multi_add_handle(multi, easy);
    on_its_way = true;
  }

  // nullopt while it is on its way; then "" or what went wrong.
  std::optional<std::string> Result() {
    int running = 0, left = 0;
    curl_multi_perform(multi, &running);
    const CURLMsg* const message = curl_multi_info_read(multi, &left);
    if (message == nullptr || message->msg != CURLMSG_DONE) return std::nullopt;
    const CURLcode code = message->data.result;
    curl_multi_remove_handle(multi, easy);
    on_its_way = false;
    if (code != CURLE_OK) return error[0] != '\0' ? error : curl_easy_strerror(code);
    long status = 0;
    curl_easy_getinfo(easy, CURLINFO_RESPONSE_CODE, &status);
    return status >= 200 && status < 300 ? "" : fmt::format("the receiver answers with status {}", status);
  }

  CURLM* multi = curl_multi_init();
  CURL* easy = curl_easy_init();
  curl_slist* headers = nullptr;
  char error[CURL_ERROR_SIZE] = {};
  std::size_t heard = 0;
  bool on_its_way = false;
};

Sender::Sender(const MetricsConfig& config, Log* log, std::function<void(bool)> done)
    : config_(config), log_(log), done_(std::move(done)), curl_(std::make_unique<Curl>(config)) {}

Sender::~Sender() = default;

void Sender::Send(std::uint64_t sequence, std::string json) {
  if (config_.endpoint.empty()) return;
  if (waiting_.size() >= kMostWaiting) {
    const auto oldest = waiting_.begin() + 1;  // not the one that is on its way
    log_->Say(fmt::format("delivery {} is dropped: {} others wait to be sent", oldest->sequence, kMostWaiting));
    waiting_.erase(oldest);
    done_(false);
  }
  waiting_.push_back({sequence, std::move(json)});
}

void Sender::Move(Nanoseconds now) {
  if (curl_->on_its_way) {
    const std::optional<std::string> result = curl_->Result();
    if (!result) return;
    Finish(now, *result);
  }
  if (waiting_.empty() || (retry_at_ && now < *retry_at_)) return;
  retry_at_.reset();
  curl_->Start(waiting_.front().json);
  if (const std::optional<std::string> result = curl_->Result()) Finish(now, *result);
}

void Sender::Finish(Nanoseconds now, const std::string& failure) {
  MetricsDelivery& delivery = waiting_.front();
  if (!failure.empty() && !delivery.tried) {
    log_->Say(fmt::format("delivery {} was not sent: {}; it is tried once more", delivery.sequence, failure));
    delivery.tried = true;
    retry_at_ = now + config_.retry_after;
    return;
  }
  if (!failure.empty())
    log_->Say(fmt::format("delivery {} was not sent: {}; it is given up", delivery.sequence, failure));
  waiting_.pop_front();
  done_(failure.empty());
}

void Sender::Wait(const std::vector<pollfd>& fds, Nanoseconds longest) {
  std::vector<curl_waitfd> also;
  for (const pollfd& fd : fds) {
    short events = 0;
    if ((fd.events & POLLIN) != 0) events |= CURL_WAIT_POLLIN;
    if ((fd.events & POLLOUT) != 0) events |= CURL_WAIT_POLLOUT;
    also.push_back({fd.fd, events, 0});
  }
  const long ms = std::clamp(Ms(longest), 0L, 60'000L);
  curl_multi_poll(curl_->multi, also.data(), static_cast<unsigned>(also.size()), static_cast<int>(ms), nullptr);
}

}  // namespace tally

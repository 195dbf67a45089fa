#include "base/http_request.h"

#include <algorithm>
#include <charconv>
#include <optional>

namespace tally {
namespace {

constexpr std::string_view kLineEnd = "\r\n";
constexpr std::string_view kHeadEnd = "\r\n\r\n";

HttpParse Refused(int status, std::string reason) {
  HttpParse out;
  out.state = HttpParse::State::kRefused;
  out.status = status;
  out.reason = std::move(reason);
  return out;
}

std::string Lower(std::string_view text) {
  std::string out(text);
  for (char& c : out) c = static_cast<char>(c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c);
  return out;
}

std::string_view Trimmed(std::string_view text) {
  while (!text.empty() && (text.front() == ' ' || text.front() == '\t')) text.remove_prefix(1);
  while (!text.empty() && (text.back() == ' ' || text.back() == '\t')) text.remove_suffix(1);
  return text;
}

// What HTTP calls a token: names of methods and headers.
bool IsToken(std::string_view text) {
  constexpr std::string_view kOthers = "!#$%&'*+-.^_`|~";
  return !text.empty() && std::all_of(text.begin(), text.end(), [&](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
           kOthers.find(c) != kOthers.npos;
  });
}

bool IsPrintable(std::string_view text) {
  return std::all_of(text.begin(), text.end(), [](unsigned char c) { return (c >= ' ' && c != 127) || c == '\t'; });
}

std::string_view NextLine(std::string_view* head) {
  const std::size_t end = std::min(head->find(kLineEnd), head->size());
  const std::string_view line = head->substr(0, end);
  head->remove_prefix(std::min(end + kLineEnd.size(), head->size()));
  return line;
}

// False when it is no request line of a version we speak.
bool ReadRequestLine(std::string_view line, HttpRequest* request) {
  const std::size_t first = line.find(' '), last = line.rfind(' ');
  if (first == std::string_view::npos || first == last) return false;
  const std::string_view target = line.substr(first + 1, last - first - 1), version = line.substr(last + 1);
  if (!IsToken(line.substr(0, first)) || target.empty() || target.front() != '/') return false;
  if (!IsPrintable(target) || target.find_first_of(" \t") != std::string_view::npos) return false;
  if (version != "HTTP/1.1" && version != "HTTP/1.0") return false;
  request->method = line.substr(0, first);
  request->target = target;
  request->keep_alive = version == "HTTP/1.1";
  return true;
}

struct Headers {
  std::optional<std::size_t> length;
  bool expects = false;
};

// nullopt, or why the request is refused.
std::optional<HttpParse> ReadHeader(std::string_view line, Headers* headers, HttpRequest* request) {
  const std::size_t colon = line.find(':');
  if (colon == std::string_view::npos || !IsToken(line.substr(0, colon)) || !IsPrintable(line)) {
    return Refused(400, "a header that is none");
  }
  const std::string name = Lower(line.substr(0, colon));
  const std::string_view value = Trimmed(line.substr(colon + 1));
  if (name == "content-length") {
    std::size_t length = 0;
    const auto parsed = std::from_chars(value.data(), value.data() + value.size(), length);
    if (parsed.ec == std::errc::result_out_of_range) return Refused(413, "the body is too large");
    if (parsed.ec != std::errc() || parsed.ptr != value.data() + value.size() || headers->length) {
      return Refused(400, "a Content-Length that is none");
    }
    headers->length = length;
  } else if (name == "transfer-encoding") {
    return Refused(411, "send the body with a Content-Length");
  } else if (name == "content-type") {
    request->content_type = Lower(Trimmed(value.substr(0, value.find(';'))));
  } else if (name == "connection") {
    const std::string word = Lower(value);
    if (word == "close") request->keep_alive = false;
    if (word == "keep-alive") request->keep_alive = true;
  } else if (name == "expect") {
    if (Lower(value) != "100-continue") return Refused(417, "only 100-continue can be expected");
    headers->expects = true;
  }
  return std::nullopt;
}

}  // namespace

HttpParse ParseHttpRequest(std::string_view bytes, const HttpLimits& limits) {
  HttpParse out;
  const std::size_t head_end = bytes.substr(0, limits.head + kHeadEnd.size()).find(kHeadEnd);
  if (head_end == std::string_view::npos) {
    if (bytes.size() > limits.head) return Refused(431, "the headers are too large");
    return out;
  }
  std::string_view head = bytes.substr(0, head_end);
  if (!ReadRequestLine(NextLine(&head), &out.request)) return Refused(400, "this is no HTTP/1.1 request");
  Headers headers;
  while (!head.empty()) {
    if (auto refused = ReadHeader(NextLine(&head), &headers, &out.request)) return *refused;
  }
  const std::size_t length = headers.length.value_or(0);
  if (length > limits.body) return Refused(413, "the body is too large");
  const std::size_t body = head_end + kHeadEnd.size();
  if (bytes.size() - body < length) {
    out.wants_continue = headers.expects && bytes.size() == body;
    return out;
  }
  out.state = HttpParse::State::kComplete;
  out.request.body = bytes.substr(body, length);
  out.size = body + length;
  return out;
}

}  // namespace tally

#include "filetracker/remote.h"

#include <curl/curl.h>
#include <fcntl.h>
#include <fmt/chrono.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <charconv>
#include <ctime>
#include <nlohmann/json.hpp>
#include <utility>

#include "base/error.h"
#include "base/lines.h"
#include "base/sys.h"
#include "filetracker/gzip.h"

namespace tally::filetracker {
namespace {

constexpr long kFound = 200, kMissing = 404;

// RFC 2822, as these servers write it.
std::string Date(std::int64_t version) {
  const std::time_t time = version;
  std::tm utc{};
  ::gmtime_r(&time, &utc);
  static constexpr const char* kDays[] = {"Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"};
  static constexpr const char* kMonths[] = {"Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"};
  return fmt::format("{}, {:02} {} {} {:02}:{:02}:{:02} -0000", kDays[utc.tm_wday], utc.tm_mday, kMonths[utc.tm_mon], utc.tm_year + 1900, utc.tm_hour, utc.tm_min, utc.tm_sec);
}

std::int64_t VersionIn(const HttpAnswer& answer, const std::string& path) {
  const std::string text = answer.Header("last-modified");
  const std::time_t time = text.empty() ? -1 : ::curl_getdate(text.c_str(), nullptr);
  if (time < 0) throw SystemError(fmt::format("filetracker: the server tells no version of {} (Last-Modified: \"{}\")", path, text), 0);
  return time;
}

std::optional<std::uint64_t> SizeIn(const HttpAnswer& answer) {
  const std::string text = answer.Header("logical-size");
  std::uint64_t size = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), size);
  return error == std::errc() && end == text.data() + text.size() ? std::optional(size) : std::nullopt;
}

[[noreturn]] void Refuse(const std::string& what, const std::string& path, const HttpAnswer& answer) {
  if (answer.status == kMissing) throw UserError(fmt::format("filetracker file {} is not on the server", path));
  throw SystemError(fmt::format("filetracker: {} {}: the server says {}", what, path, answer.status), 0);
}

void Verify(const HttpAnswer& answer, const Sums& sums, const std::string& path) {
  const auto differs = [&](const char* header, const std::string& ours) {
    const std::string theirs = answer.Header(header);
    if (!theirs.empty() && theirs != ours) throw SystemError(fmt::format("filetracker: {} arrived damaged: {} {} instead of {}", path, header, ours, theirs), 0);
  };
  differs("logical-size", std::to_string(sums.size));
  differs("sha256-checksum", sums.sha256);
}

}  // namespace

Name Name::Parse(const std::string& text) {
  Name name;
  const std::size_t at = text.find('@');
  name.path = text.substr(0, at);
  if (!name.path.starts_with('/') || name.path.ends_with('/')) throw UserError(fmt::format("\"{}\" is not a filetracker path: expected /NAME or /NAME@VERSION", text));
  if ((name.path + "/").find("/../") != std::string::npos || (name.path + "/").find("/./") != std::string::npos || name.path.find("//") != std::string::npos) {
    throw UserError(fmt::format("\"{}\" is not a filetracker path: it has .. or an empty name", text));
  }
  if (at == std::string::npos) return name;
  const char* const end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data() + at + 1, end, name.version);
  if (error != std::errc() || stop != end || name.version < 0) throw UserError(fmt::format("\"{}\" is not a filetracker path: the version after @ must be a number", text));
  return name;
}

Remote::Remote(std::string url, const Cache& cache, HttpPatience patience) : url_(std::move(url)), cache_(cache), http_(patience) {
  while (url_.ends_with('/')) url_.pop_back();
  if (!url_.starts_with("http://") && !url_.starts_with("https://")) throw UserError(fmt::format("\"{}\" is no filetracker server: expected http://HOST:PORT", url_));
}

std::string Remote::UrlOf(const std::string& path, std::int64_t version) const {
  const std::string url = url_ + "/files" + EscapedPath(path);
  return version < 0 ? url : url + "?last_modified=" + EscapedValue(Date(version));
}

Name Remote::Get(const Name& name) {
  const Fd lock = cache_.Lock(name.path);
  const std::optional<std::int64_t> cached = cache_.VersionOf(name.path);
  const bool is_here = cached && (name.version >= 0 ? *cached == name.version : *cached == VersionOf(name.path));
  if (is_here) {
    cache_.NoteUse(name.path);
    return {name.path, *cached};
  }
  return Download(name);
}

Name Remote::Download(const Name& name) {
  const Fd received = cache_.Scratch();
  const HttpAnswer answer = http_.Download(UrlOf(name.path), received.get());
  if (answer.status != kFound && answer.status != 206) Refuse("get", name.path, answer);
  const std::int64_t version = VersionIn(answer, name.path);
  if (name.version >= 0 && version != name.version) {
    throw UserError(fmt::format("filetracker file {} is wanted in version {}, but the server has version {}", name.path, name.version, version));
  }
  Cache::NewFile file(cache_, name.path);
  Verify(answer, answer.Header("content-encoding") == "gzip" ? Decompress(received.get(), file.fd(), SizeIn(answer)) : Copy(received.get(), file.fd()), name.path);
  file.Commit(version);
  cache_.CleanNowAndThen();
  return {name.path, version};
}

Name Remote::Put(const Name& name, const std::string& local_path) {
  const Fd source = sys::Open(local_path, O_RDONLY), packed = cache_.Scratch();
  const Fd lock = cache_.Lock(name.path);
  const Sums sums = Compress(source.get(), packed.get());
  const auto size = static_cast<std::uint64_t>(sys::Stat(packed.get(), "what is uploaded").st_size);
  const std::int64_t wanted = name.version >= 0 ? name.version : std::time(nullptr);
  const HttpAnswer answer = http_.Upload(UrlOf(name.path, wanted), packed.get(), size,
                                         {{"Content-Encoding", "gzip"}, {"SHA256-Checksum", sums.sha256}, {"Logical-Size", std::to_string(sums.size)}});
  if (answer.status != kFound) Refuse("put", name.path, answer);
  const std::int64_t version = VersionIn(answer, name.path);
  if (version != wanted) return {name.path, version};  // a newer one is there, and stays
  Cache::NewFile file(cache_, name.path);
  Copy(source.get(), file.fd());
  file.Commit(version);
  cache_.CleanNowAndThen();
  return {name.path, version};
}

std::int64_t Remote::VersionOf(const std::string& path) {
  const HttpAnswer answer = http_.Head(UrlOf(path));
  if (answer.status != kFound) Refuse("look up", path, answer);
  return VersionIn(answer, path);
}

void Remote::Delete(const Name& name) {
  const Fd lock = cache_.Lock(name.path);
  const HttpAnswer answer = http_.Delete(UrlOf(name.path, name.version >= 0 ? name.version : std::time(nullptr)));
  if (answer.status != kFound) Refuse("delete", name.path, answer);
  cache_.Remove(name.path);
}

std::vector<std::string> Remote::List(const std::string& path) {
  const HttpAnswer answer = http_.Get(fmt::format("{}/list{}?last_modified={}", url_, EscapedPath(path), EscapedValue(Date(std::time(nullptr)))));
  if (answer.status == 400) throw UserError(fmt::format("{} is no folder on the server", path));
  if (answer.status != kFound) Refuse("list", path, answer);
  return LinesOf(answer.body);
}

std::vector<int> Remote::ProtocolVersions() {
  const HttpAnswer answer = http_.Get(url_ + "/version/");
  if (answer.status == kMissing) throw UserError(fmt::format("{} speaks filetracker's protocol 1; expected 2", url_));
  const nlohmann::json versions = nlohmann::json::parse(answer.body, nullptr, false);
  if (!versions.is_object() || !versions.contains("protocol_versions")) throw UserError(fmt::format("{} is no filetracker server: it says \"{}\"", url_, answer.body.substr(0, 80)));
  return versions["protocol_versions"].get<std::vector<int>>();
}

}  // namespace tally::filetracker

#include "evaluation/report_channel.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>

#include "base/error.h"
#include "base/sys.h"
#include "base/units.h"

namespace tally {
namespace {

constexpr const char* kTampered = "something that is not the test framework wrote into the report";

// More than an answer can carry. Runners leave texts out long before.
constexpr Bytes kLongestReport = Bytes::MiB(64);

std::string NewSecret() {
  std::array<unsigned char, 16> bytes{};
  if (::getrandom(bytes.data(), bytes.size(), 0) != static_cast<ssize_t>(bytes.size())) throw SystemError("getrandom", errno);
  std::string text;
  for (const unsigned char byte : bytes) text += fmt::format("{:02x}", byte);
  return text;
}

// Lines of the request must stay lines, whatever a test's name is. A name with a line end cannot be skipped by it.
std::string OneLine(std::string text) {
  for (char& c : text) {
    if (c == '\n') c = ' ';
  }
  return text;
}

std::string RequestText(const std::string& secret, const ChannelRequest& request) {
  std::string text = secret + "\n";
  for (const auto& [key, value] : request.keys) text += fmt::format("{} {}\n", key, OneLine(value));
  for (const auto& [path, content] : request.files) {
    text += fmt::format("file {} {}\n", content.size(), path);
    text += content;
    text += '\n';
  }
  return text + "end\n";
}

bool IsKind(std::string_view word) {
  return !word.empty() && word.find_first_not_of("abcdefghijklmnopqrstuvwxyz") == std::string_view::npos;
}

}  // namespace

const std::string* ChannelReport::Find(std::string_view kind) const {
  const std::string* found = nullptr;
  for (const ChannelRecord& record : records) {
    if (record.kind == kind) found = &record.payload;
  }
  return found;
}

ReportChannel::ReportChannel(const ChannelRequest& request)
    : secret_(NewSecret()), fd_(::memfd_create("report", MFD_CLOEXEC | MFD_ALLOW_SEALING)) {
  if (!fd_.valid()) throw SystemError("memfd_create for a report", errno);
  const std::string text = RequestText(secret_, request);
  sent_ = text.size();
  sys::WriteAll(fd_.get(), text, "report channel");
  ::lseek(fd_.get(), 0, SEEK_SET);
  // Every record goes to the end, whoever writes; so nobody can write over another's.
  ::fcntl(fd_.get(), F_SETFL, O_APPEND);
}

ChannelReport ReportChannel::Read() const {
  ::lseek(fd_.get(), 0, SEEK_SET);
  const std::size_t most = std::max(kLongestReport.count, sent_);
  const std::string content = sys::ReadAll(fd_.get(), "report channel", most + 1);
  if (content.size() > most) return {{}, fmt::format("the report is longer than {} MiB", kLongestReport.count >> 20)};
  // Our own request, as it was: nobody took it.
  if (content.size() == sent_ && content.rfind(secret_ + "\n", 0) == 0) return {{}, ""};
  return ParseChannel(secret_, content);
}

ChannelReport ParseChannel(std::string_view secret, std::string_view content) {
  ChannelReport report;
  const auto tampered = [&report] {
    report.records.clear();
    report.fault = kTampered;
    return report;
  };
  while (!content.empty()) {
    const std::size_t line_end = content.find('\n');
    const bool over = !report.records.empty() && report.records.back().kind == "done";
    if (over || line_end == std::string_view::npos || content.substr(0, secret.size()) != secret) return tampered();
    const std::string_view head = content.substr(0, line_end);
    const std::size_t space = head.rfind(' ');
    if (head.size() < secret.size() + 2 || head[secret.size()] != ' ' || space <= secret.size()) return tampered();
    const std::string_view kind = head.substr(secret.size() + 1, space - secret.size() - 1);
    std::size_t size = 0;
    const auto [end, error] = std::from_chars(head.data() + space + 1, head.data() + head.size(), size);
    content.remove_prefix(line_end + 1);
    if (error != std::errc() || end != head.data() + head.size() || !IsKind(kind) || size >= content.size() ||
        content[size] != '\n') {
      return tampered();
    }
    report.records.push_back({std::string(kind), std::string(content.substr(0, size))});
    content.remove_prefix(size + 1);
  }
  return report;
}

}  // namespace tally

#include "profile/metrics/record_socket.h"

#include <fmt/format.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cmath>
#include <cstring>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "profile/metrics/abstract_address.h"

namespace tally {
namespace {

using Json = nlohmann::json;

constexpr std::size_t kLongest = 4096;
constexpr double kMostSeconds = 1e6;

// "" or what is wrong.
std::string ReadTiming(const Json& json, MetricsRecord* record) {
  record->kind = MetricsRecord::Kind::kTiming;
  const Json& seconds = json.value("seconds", Json());
  if (!json["timing"].is_string() || json["timing"].get_ref<const std::string&>().empty()) return "timing: expected a name";
  if (!seconds.is_number()) return "seconds: expected a number";
  const double value = seconds.get<double>();
  if (!(value >= 0 && value <= kMostSeconds)) return fmt::format("seconds: found {}; expected 0 to {}", seconds.dump(), kMostSeconds);
  record->nanoseconds = std::llround(value * 1e9);
  record->SetName(json["timing"].get_ref<const std::string&>());
  return "";
}

std::string ReadBatch(const Json& json, MetricsRecord* record) {
  const Json& name = json.value("name", Json(""));
  if (!name.is_string()) return "name: expected a text";
  record->SetName(name.get_ref<const std::string&>());
  return "";
}

RecordSocket::Received Read(std::string_view text) {
  RecordSocket::Received received;
  const Json json = Json::parse(text, nullptr, false);
  MetricsRecord record;
  record.unix_ms = UnixMs();
  if (!json.is_object() || (!json.contains("timing") && !json.contains("batch"))) {
    received.why = R"(expected an object with "timing" or "batch")";
    return received;
  }
  received.has_batch = json.contains("batch");
  if (received.has_batch) {
    if (!json["batch"].is_number_unsigned()) {
      received.why = "batch: expected a whole number, 0 or more";
      return received;
    }
    record.batch = json["batch"];
  }
  received.why = json.contains("timing") ? ReadTiming(json, &record) : ReadBatch(json, &record);
  if (received.why.empty()) received.record = record;
  return received;
}

bool IsHeard(const msghdr& header) {
  for (cmsghdr* c = CMSG_FIRSTHDR(&header); c != nullptr; c = CMSG_NXTHDR(const_cast<msghdr*>(&header), c)) {
    if (c->cmsg_level != SOL_SOCKET || c->cmsg_type != SCM_CREDENTIALS) continue;
    ucred sender{};
    std::memcpy(&sender, CMSG_DATA(c), sizeof sender);
    return sender.uid == ::geteuid() || sender.uid == 0;
  }
  return false;
}

}  // namespace

RecordSocket::RecordSocket(const std::string& name) : socket_(::socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0)) {
  if (!socket_.valid()) throw SystemError("socket for records", errno);
  const int on = 1;
  if (::setsockopt(socket_.get(), SOL_SOCKET, SO_PASSCRED, &on, sizeof on) != 0) throw SystemError("setsockopt(SO_PASSCRED)", errno);
  const AbstractAddress address(name);
  if (::bind(socket_.get(), address.get(), address.size()) != 0) throw UserError(fmt::format("records: {}: {}", name, ErrnoText(errno)));
}

std::optional<RecordSocket::Received> RecordSocket::Receive() {
  std::array<char, kLongest> text;
  alignas(cmsghdr) std::array<char, CMSG_SPACE(sizeof(ucred))> control{};
  iovec data{text.data(), text.size()};
  msghdr header{};
  header.msg_iov = &data;
  header.msg_iovlen = 1;
  header.msg_control = control.data();
  header.msg_controllen = control.size();
  ssize_t n;
  do {
    n = ::recvmsg(socket_.get(), &header, MSG_DONTWAIT | MSG_CMSG_CLOEXEC);
  } while (n < 0 && errno == EINTR);
  if (n < 0) return std::nullopt;
  if (!IsHeard(header)) return Received{.why = "it came from another user"};
  if ((header.msg_flags & MSG_TRUNC) != 0) return Received{.why = fmt::format("longer than {} bytes", kLongest)};
  return Read({text.data(), static_cast<std::size_t>(n)});
}

}  // namespace tally

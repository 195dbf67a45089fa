#include "serve/message.h"

#include <sys/socket.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdint>
#include <cstring>

namespace tally::serve {
namespace {

constexpr std::size_t kMostFiles = 16;

bool SendAll(int socket, std::string_view text) {
  while (!text.empty()) {
    const ssize_t n = ::send(socket, text.data(), text.size(), MSG_NOSIGNAL);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return false;
    text.remove_prefix(static_cast<std::size_t>(n));
  }
  return true;
}

bool ReceiveAll(int socket, char* data, std::size_t size) {
  while (size > 0) {
    const ssize_t n = ::recv(socket, data, size, 0);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return false;
    data += n;
    size -= static_cast<std::size_t>(n);
  }
  return true;
}

}  // namespace

// The length first, and with it the files. In one call, so that who waits for it is woken once.
bool Send(int socket, std::string_view text, const std::vector<int>& files) {
  std::uint64_t size = text.size();
  iovec parts[] = {{&size, sizeof size}, {const_cast<char*>(text.data()), text.size()}};
  alignas(cmsghdr) std::array<char, CMSG_SPACE(kMostFiles * sizeof(int))> control{};
  msghdr message{};
  message.msg_iov = parts;
  message.msg_iovlen = 2;
  if (!files.empty() && files.size() <= kMostFiles) {
    message.msg_control = control.data();
    message.msg_controllen = CMSG_SPACE(files.size() * sizeof(int));
    cmsghdr* const header = CMSG_FIRSTHDR(&message);
    header->cmsg_level = SOL_SOCKET;
    header->cmsg_type = SCM_RIGHTS;
    header->cmsg_len = CMSG_LEN(files.size() * sizeof(int));
    std::memcpy(CMSG_DATA(header), files.data(), files.size() * sizeof(int));
  }
  ssize_t n = 0;
  while ((n = ::sendmsg(socket, &message, MSG_NOSIGNAL)) < 0 && errno == EINTR) {
  }
  constexpr auto kHead = static_cast<ssize_t>(sizeof size);
  return n >= kHead && SendAll(socket, text.substr(static_cast<std::size_t>(n - kHead)));
}

void MessageReader::Reset() { *this = MessageReader(); }

MessageReader::State MessageReader::Read(int socket) {
  constexpr std::size_t kPart = 1 << 20;
  if (head_ == sizeof size_ && received_ == size_) Reset();
  while (head_ < sizeof size_) {
    const ssize_t n = ::recv(socket, reinterpret_cast<char*>(&size_) + head_, sizeof size_ - head_, MSG_DONTWAIT);
    if (n < 0 && errno == EINTR) continue;
    if (n < 0 && errno == EAGAIN) return State::kPartial;
    if (n <= 0) return State::kGone;
    head_ += static_cast<std::size_t>(n);
  }
  for (std::size_t part = 0; received_ < size_ && part < kPart;) {
    const std::size_t wanted = std::min<std::uint64_t>(size_ - received_, kPart);
    if (text_.size() < received_ + wanted) text_.resize(received_ + wanted);
    const ssize_t n = ::recv(socket, text_.data() + received_, wanted, MSG_DONTWAIT);
    if (n < 0 && errno == EINTR) continue;
    if (n < 0 && errno == EAGAIN) return State::kPartial;
    if (n <= 0) return State::kGone;
    received_ += static_cast<std::size_t>(n);
    part += static_cast<std::size_t>(n);
  }
  if (received_ < size_) return State::kPartial;
  text_.resize(size_);
  return State::kWhole;
}

bool Receive(int socket, Message* out) {
  std::uint64_t size = 0;
  iovec part{&size, sizeof size};
  alignas(cmsghdr) std::array<char, CMSG_SPACE(kMostFiles * sizeof(int))> control{};
  msghdr message{};
  message.msg_iov = &part;
  message.msg_iovlen = 1;
  message.msg_control = control.data();
  message.msg_controllen = control.size();
  ssize_t n = 0;
  while ((n = ::recvmsg(socket, &message, MSG_CMSG_CLOEXEC | MSG_WAITALL)) < 0 && errno == EINTR) {
  }
  if (n != sizeof size) return false;
  out->files.clear();
  if (const cmsghdr* const header = CMSG_FIRSTHDR(&message); header != nullptr && header->cmsg_type == SCM_RIGHTS) {
    std::array<int, kMostFiles> numbers{};
    const std::size_t count = (header->cmsg_len - CMSG_LEN(0)) / sizeof(int);
    std::memcpy(numbers.data(), CMSG_DATA(header), count * sizeof(int));
    for (std::size_t i = 0; i < count; ++i) out->files.emplace_back(numbers.at(i));
  }
  out->text.resize(size);
  return ReceiveAll(socket, out->text.data(), size);
}

}  // namespace tally::serve

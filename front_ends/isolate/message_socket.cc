#include "front_ends/isolate/message_socket.h"

#include <sys/socket.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>

#include "front_ends/isolate/messages.h"

namespace tally::isolate {
namespace {

std::string Packed(const Words& words) {
  std::string text;
  for (const std::string& word : words) text.append(word).push_back('\0');
  return text;
}

}  // namespace

Words Unpacked(std::string_view text) {
  Words words;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\0'), text.size());
    words.emplace_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return words;
}

bool Send(int socket, const Words& words) {
  const std::string text = Packed(words);
  return ::send(socket, text.data(), text.size(), MSG_NOSIGNAL) == static_cast<ssize_t>(text.size());
}

Received Receive(int socket) {
  // Pages that no message has reached cost nothing; most are short.
  static std::array<char, kLongestMessage> text;
  iovec part{text.data(), text.size()};
  alignas(cmsghdr) std::array<char, CMSG_SPACE(3 * sizeof(int))> control{};
  msghdr message{};
  message.msg_iov = &part;
  message.msg_iovlen = 1;
  message.msg_control = control.data();
  message.msg_controllen = control.size();
  ssize_t size = 0;
  while ((size = ::recvmsg(socket, &message, MSG_CMSG_CLOEXEC)) < 0 && errno == EINTR) {
  }
  Received received;
  if (size <= 0) return received;
  received.words = Unpacked({text.data(), static_cast<std::size_t>(size)});
  const cmsghdr* const header = CMSG_FIRSTHDR(&message);
  if (header == nullptr || header->cmsg_type != SCM_RIGHTS) return received;
  std::array<int, (sizeof control - CMSG_LEN(0)) / sizeof(int)> numbers{};  // one more than are asked for has room
  const std::size_t count = (header->cmsg_len - CMSG_LEN(0)) / sizeof(int);
  std::memcpy(numbers.data(), CMSG_DATA(header), count * sizeof(int));
  for (std::size_t i = 0; i < count; ++i) received.descriptors.emplace_back(numbers.at(i));
  return received;
}

}  // namespace tally::isolate

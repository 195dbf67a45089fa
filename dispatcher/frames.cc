#include "dispatcher/frames.h"

#include <sys/socket.h>

#include <cerrno>
#include <cstring>

#include "base/error.h"

namespace tally {
namespace {

// False: the end came first.
bool ReceiveAll(int socket, void* to, std::size_t size) {
  for (std::size_t done = 0; done < size;) {
    const ssize_t n = ::recv(socket, static_cast<char*>(to) + done, size - done, 0);
    if (n < 0 && errno == EINTR) continue;
    if (n < 0 && errno != ECONNRESET) throw SystemError("recv from the worker", errno);
    if (n <= 0) return false;
    done += static_cast<std::size_t>(n);
  }
  return true;
}

void SendAll(int socket, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t n = ::send(socket, bytes.data(), bytes.size(), MSG_NOSIGNAL);
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) throw SystemError("send to the worker", errno);
    bytes.remove_prefix(static_cast<std::size_t>(n));
  }
}

}  // namespace

std::string HeadOf(FrameKind kind, std::size_t size) {
  const FrameHead head{kind, 0, size};
  std::string bytes(sizeof head, '\0');
  std::memcpy(bytes.data(), &head, sizeof head);
  return bytes;
}

std::optional<Frame> ReceiveFrame(int socket) {
  FrameHead head;
  if (!ReceiveAll(socket, &head, sizeof head)) return std::nullopt;
  Frame frame{head.kind, std::string(head.size, '\0')};
  if (!ReceiveAll(socket, frame.body.data(), frame.body.size())) return std::nullopt;
  return frame;
}

void SendFrame(int socket, FrameKind kind, std::string_view body) {
  SendAll(socket, HeadOf(kind, body.size()));
  SendAll(socket, body);
}

std::optional<Frame> FrameBuffer::Take() {
  FrameHead head;
  if (bytes_.size() < sizeof head) return std::nullopt;
  std::memcpy(&head, bytes_.data(), sizeof head);
  if (bytes_.size() < sizeof head + head.size) return std::nullopt;
  Frame frame{head.kind, bytes_.substr(sizeof head, head.size)};
  bytes_.erase(0, sizeof head + head.size);
  if (bytes_.empty()) bytes_ = std::string();  // gives a large answer's memory back
  return frame;
}

}  // namespace tally

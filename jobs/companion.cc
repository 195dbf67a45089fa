#include "jobs/companion.h"

#include <poll.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstddef>
#include <cstring>
#include <nlohmann/json.hpp>
#include <optional>
#include <utility>

#include "base/error.h"
#include "supervisor/run/process_executor.h"

namespace tally {
namespace {

using nlohmann::json;

constexpr std::size_t kMostText = 1 << 20;  // of a message
constexpr std::size_t kMostDescriptors = 64;
constexpr int kTickMs = 20;

constexpr std::nullptr_t kGoodbye = nullptr;  // as a request

// One message, and descriptors with it.
void SendTo(int socket, const std::string& text, const std::vector<int>& fds, const std::string& name) {
  iovec data{const_cast<char*>(text.data()), text.size()};
  alignas(cmsghdr) std::array<char, CMSG_SPACE(kMostDescriptors * sizeof(int))> control{};
  msghdr message{};
  message.msg_iov = &data;
  message.msg_iovlen = 1;
  if (fds.size() > kMostDescriptors) throw SystemError("send descriptors to the process of " + name, EMSGSIZE);
  if (!fds.empty()) {
    message.msg_control = control.data();
    message.msg_controllen = CMSG_SPACE(fds.size() * sizeof(int));
    cmsghdr* const head = CMSG_FIRSTHDR(&message);
    head->cmsg_level = SOL_SOCKET;
    head->cmsg_type = SCM_RIGHTS;
    head->cmsg_len = CMSG_LEN(fds.size() * sizeof(int));
    std::memcpy(CMSG_DATA(head), fds.data(), fds.size() * sizeof(int));
  }
  if (::sendmsg(socket, &message, MSG_NOSIGNAL) != static_cast<ssize_t>(text.size())) throw SystemError("sendmsg to the process of " + name, errno);
}

// nullopt: the other side is gone.
std::optional<std::string> Receive(int socket, std::vector<Fd>* fds) {
  std::string text(kMostText, '\0');
  iovec data{text.data(), text.size()};
  alignas(cmsghdr) std::array<char, CMSG_SPACE(kMostDescriptors * sizeof(int))> control{};
  msghdr message{};
  message.msg_iov = &data;
  message.msg_iovlen = 1;
  message.msg_control = control.data();
  message.msg_controllen = control.size();
  ssize_t n = -1;
  do n = ::recvmsg(socket, &message, MSG_CMSG_CLOEXEC);
  while (n < 0 && errno == EINTR);
  if (n <= 0) return std::nullopt;
  if (const cmsghdr* const head = CMSG_FIRSTHDR(&message); head != nullptr && fds != nullptr) {
    const std::size_t count = (head->cmsg_len - CMSG_LEN(0)) / sizeof(int);
    for (std::size_t i = 0; i < count; ++i) {
      int fd = -1;
      std::memcpy(&fd, CMSG_DATA(head) + i * sizeof(int), sizeof fd);
      fds->emplace_back(fd);
    }
  }
  text.resize(static_cast<std::size_t>(n));
  return text;
}

}  // namespace

Companion::Companion(std::string name, Serve serve, Between between) : name_(std::move(name)), serve_(std::move(serve)), between_(std::move(between)) {
  int ends[2];
  if (::socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) != 0) throw SystemError("socketpair", errno);
  Fd ours(ends[0]), theirs(ends[1]);
  process_ = ::fork();
  if (process_ < 0) throw SystemError("fork the process of " + name_, errno);
  if (process_ == 0) {
    ours.Reset();
    interrupts_.Close();
    ServeAll(theirs.get());
    ProcessExecutor().RetireAll();
    ::_exit(0);
  }
  socket_ = std::move(ours);
}

// By a word of its own: the processes of other workers hold our end too, so it may be open for longer. Who is still busy with a run that
// nobody waits for any more is told by a signal, which ends the run.
Companion::~Companion() {
  try {
    Send(kGoodbye, {});
  } catch (const std::exception&) {  // it is gone
  }
  socket_.Reset();
  constexpr int kPatienceMs = 200;
  const Fd process(static_cast<int>(::syscall(SYS_pidfd_open, process_, 0)));
  pollfd end{process.get(), POLLIN, 0};
  if (::poll(&end, 1, kPatienceMs) == 0) ::kill(process_, SIGTERM);
  ::waitpid(process_, nullptr, 0);
}

void Companion::ServeAll(int socket) const {
  try {
    for (bool has_served = false;; has_served = true) {
      pollfd next{socket, POLLIN, 0};
      while (has_served && between_ && ::poll(&next, 1, kTickMs) == 0) between_();
      std::vector<Fd> descriptors;
      const std::optional<std::string> text = Receive(socket, &descriptors);
      const json request = text ? json::from_cbor(*text) : json(kGoodbye);
      if (request.is_null()) return;
      const std::string answer = serve_(request, descriptors);
      descriptors.clear();
      SendTo(socket, answer, {}, name_);
    }
  } catch (...) {  // interrupted, or nobody is there to read: the other side sees that we ended
  }
}

void Companion::Send(const json& request, const std::vector<int>& descriptors) const {
  std::string text;
  json::to_cbor(request, text);
  SendTo(socket_.get(), text, descriptors, name_);
}

std::string Companion::Wait(const Between& meanwhile) const {
  for (pollfd fds[] = {{socket_.get(), POLLIN, 0}, {interrupts_.fd(), POLLIN, 0}}; fds[0].revents == 0;) {
    const int ready = ::poll(fds, 2, meanwhile ? kTickMs : -1);
    if (ready < 0 && errno != EINTR) throw SystemError("poll", errno);
    if (const int signal = fds[1].revents != 0 ? interrupts_.Take() : 0; signal != 0) throw Interrupted{signal};
    if (ready == 0) meanwhile();
  }
  std::optional<std::string> text = Receive(socket_.get(), nullptr);
  if (!text) throw SystemError("the process of " + name_ + " ended early", 0);
  return std::move(*text);
}

}  // namespace tally

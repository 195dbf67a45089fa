#include "front_ends/isolate/keeper.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <signal.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "base/fd.h"
#include "base/sys.h"
#include "front_ends/isolate/box_run.h"
#include "supervisor/run/process_executor.h"

namespace tally::isolate {
namespace {

constexpr int kIdleMilliseconds = 10 * 60 * 1000;
constexpr std::size_t kLongestMessage = 160 << 10;  // a socket's buffer has room for it (net.core.wmem_default)

// ---- messages: a list of words, each with a NUL behind it, of which the first says what it is

using Words = std::vector<std::string>;

std::string Packed(const Words& words) {
  std::string text;
  for (const std::string& word : words) text.append(word).push_back('\0');
  return text;
}

Words Unpacked(std::string_view text) {
  Words words;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\0'), text.size());
    words.emplace_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return words;
}

// Streams travel with a request. False: it cannot be sent.
bool Send(int socket, const std::string& text, const std::vector<int>& descriptors = {}) {
  iovec part{const_cast<char*>(text.data()), text.size()};
  alignas(cmsghdr) std::array<char, CMSG_SPACE(3 * sizeof(int))> control{};
  msghdr message{};
  message.msg_iov = &part;
  message.msg_iovlen = 1;
  if (!descriptors.empty()) {
    message.msg_control = control.data();
    message.msg_controllen = CMSG_SPACE(descriptors.size() * sizeof(int));
    cmsghdr* const header = CMSG_FIRSTHDR(&message);
    header->cmsg_level = SOL_SOCKET;
    header->cmsg_type = SCM_RIGHTS;
    header->cmsg_len = CMSG_LEN(descriptors.size() * sizeof(int));
    std::memcpy(CMSG_DATA(header), descriptors.data(), descriptors.size() * sizeof(int));
  }
  return ::sendmsg(socket, &message, MSG_NOSIGNAL) == static_cast<ssize_t>(text.size());
}

struct Received {
  Words words;  // none: the other side is gone
  std::vector<Fd> descriptors;
};

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
  std::array<int, 3> numbers{};
  const std::size_t count = (header->cmsg_len - CMSG_LEN(0)) / sizeof(int);
  std::memcpy(numbers.data(), CMSG_DATA(header), count * sizeof(int));
  for (std::size_t i = 0; i < count; ++i) received.descriptors.emplace_back(numbers.at(i));
  return received;
}

// ---- where it listens

std::optional<sockaddr_un> AddressOf(const Box& box) {
  const std::string path = box.folder() + ".socket";
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  if (path.size() >= sizeof address.sun_path) return std::nullopt;  // then there is no keeper
  std::memcpy(address.sun_path, path.c_str(), path.size() + 1);
  return address;
}

const sockaddr* Generic(const sockaddr_un& address) { return reinterpret_cast<const sockaddr*>(&address); }

Fd Connect(const Box& box) {
  const auto address = AddressOf(box);
  if (!address) return Fd();
  Fd socket(::socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0));
  return ::connect(socket.get(), Generic(*address), sizeof *address) == 0 ? std::move(socket) : Fd();
}

// Of who listens, that is the --init that began to (unix(7), SO_PEERCRED).
std::optional<ucred> Peer(int socket) {
  ucred peer{};
  socklen_t size = sizeof peer;
  if (::getsockopt(socket, SOL_SOCKET, SO_PEERCRED, &peer, &size) != 0 || peer.uid != ::geteuid()) return std::nullopt;
  return peer;
}

// A program of an ordinary user's is that user, too, but has a number in a namespace of its own behind ours (proc_pid_status(5), NSpid).
bool IsBesideUs(const ucred& peer) {
  struct stat own {}, its {};
  if (::stat("/proc/self/ns/pid", &own) == 0 && ::stat(fmt::format("/proc/{}/ns/pid", peer.pid).c_str(), &its) == 0) return own.st_ino == its.st_ino;
  // An ordinary user's keeper is in a user namespace, where that is closed to it.
  const std::string status = sys::TryReadFile(fmt::format("/proc/{}/status", peer.pid)).value_or("");
  constexpr std::string_view kKey = "\nNSpid:\t";
  const std::size_t begin = status.find(kKey);
  if (begin == std::string::npos) return false;
  const std::string_view numbers = std::string_view(status).substr(begin + kKey.size(), status.find('\n', begin + 1) - begin - kKey.size());
  return numbers == std::to_string(peer.pid);
}

// While this lives SIGTERM and its kin wait, and are seen by Await.
class HeldSignals {
 public:
  HeldSignals() {
    sigset_t set;
    ::sigemptyset(&set);
    for (const int signal : {SIGTERM, SIGINT, SIGHUP}) ::sigaddset(&set, signal);
    ::sigprocmask(SIG_BLOCK, &set, &before_);
    fd_ = Fd(::signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK));
  }
  ~HeldSignals() { ::sigprocmask(SIG_SETMASK, &before_, nullptr); }
  HeldSignals(const HeldSignals&) = delete;
  HeldSignals& operator=(const HeldSignals&) = delete;

  // Until there is something to read; the signal that came first, or 0.
  [[nodiscard]] int Await(int socket) const {
    pollfd fds[] = {{socket, POLLIN, 0}, {fd_.get(), POLLIN, 0}};
    while (::poll(fds, 2, -1) < 0 && errno == EINTR) {
    }
    signalfd_siginfo info{};
    if (fds[0].revents != 0 || ::read(fd_.get(), &info, sizeof info) != sizeof info) return 0;
    return static_cast<int>(info.ssi_signo);
  }

 private:
  sigset_t before_{};
  Fd fd_;
};

// ---- the keeper's side

// A keeper that says kBegins has begun, and must not be gone after that.
constexpr std::string_view kRun = "run", kEnd = "end", kNotHere = "not here", kBegins = "begins";

class Keeper {
 public:
  Keeper(const Box& box, Fd listener) : runs_(box), listener_(std::move(listener)) {}

  void Prepare(const Options& options) { runs_.PrepareFirst(options); }

  // Until --cleanup, or until nobody has asked for a while.
  void Serve() {
    for (;;) {
      pollfd waiting{listener_.get(), POLLIN, 0};
      const int ready = ::poll(&waiting, 1, kIdleMilliseconds);
      if (ready < 0 && errno == EINTR) continue;
      if (ready <= 0) return;
      const Fd client(::accept4(listener_.get(), nullptr, nullptr, SOCK_CLOEXEC));
      const std::optional<ucred> peer = client.valid() ? Peer(client.get()) : std::nullopt;
      if (!peer || !IsBesideUs(*peer)) continue;
      const Received request = Receive(client.get());
      if (request.words.empty()) continue;
      if (request.words.front() == kEnd) return;
      if (request.words.front() == kRun) Answer(client.get(), request);
      ProcessExecutor().RetireRuns();
    }
  }

 private:
  // "run", the folders that are to be shown, how many words, the words, and the environment.
  void Answer(int client, const Received& request) {
    const Words& all = request.words;
    if (all.size() < 3 || request.descriptors.size() != 3) return;
    const auto count = static_cast<std::size_t>(std::strtoul(all[2].c_str(), nullptr, 10));
    if (count > all.size() - 3) return;
    Words words(all.begin() + 3, all.begin() + 3 + static_cast<std::ptrdiff_t>(count));
    ::clearenv();
    for (std::size_t i = 3 + count; i < all.size(); ++i) ::putenv(const_cast<char*>(all[i].c_str()));
    EndWith(client);
    const Outcome outcome = Run(client, &words, all[1], request.descriptors);
    ::fcntl(client, F_SETFL, 0);
    Send(client, outcome.line.empty() ? Packed({std::string(kNotHere)}) : Packed({std::to_string(outcome.status), outcome.complaint, outcome.line, outcome.meta}));
    ::clearenv();
  }

  // Without a line: not for us.
  Outcome Run(int client, Words* words, const std::string& shown, const std::vector<Fd>& streams) {
    std::vector<char*> argv;
    for (std::string& word : *words) argv.push_back(word.data());
    argv.push_back(nullptr);
    try {
      const Options options = ParseOptions(static_cast<int>(words->size()), argv.data());
      if (!runs_.Shows(options, shown)) return {};
      Send(client, Packed({std::string(kBegins)}));
      return runs_.Run(options, {streams[0].get(), streams[1].get(), streams[2].get()}, shown);
    } catch (const std::exception& error) {
      return Failed(error.what());
    }
  }

  // When who asks is gone we go, too, and the program with us.
  static void EndWith(int client) {
    ::fcntl(client, F_SETOWN, ::getpid());
    ::fcntl(client, F_SETSIG, SIGTERM);
    ::fcntl(client, F_SETFL, O_ASYNC);
    // It may have gone before that.
    pollfd gone{client, POLLIN | POLLRDHUP, 0};
    if (::poll(&gone, 1, 0) > 0) ::raise(SIGTERM);
  }

  BoxRuns runs_;
  Fd listener_;
};

// Of the caller of --init nothing stays open, or who reads what it prints would wait for us; nor does the box's lock.
void LeaveCaller(int listener) {
  ::setsid();
  const Fd null(::open("/dev/null", O_RDWR | O_CLOEXEC));
  for (int fd = 0; fd <= 2; ++fd) ::dup2(null.get(), fd);
  ::close_range(3, static_cast<unsigned>(listener) - 1, 0);
  ::close_range(static_cast<unsigned>(listener) + 1, ~0U, 0);
  if (::chdir("/") != 0) ::_exit(kExitSystemError);
}

[[noreturn]] void BeKeeper(const Box& box, const Options& options, Fd listener) {
  try {
    Keeper keeper(box, std::move(listener));
    keeper.Prepare(options);
    keeper.Serve();
    ProcessExecutor().RetireAll();
  } catch (const std::exception&) {  // runs do without us, and say what is wrong
  } catch (const Interrupted&) {
    ProcessExecutor().RetireAll();
  }
  ::_exit(0);
}

Outcome AsOutcome(const Words& answer) { return {std::atoi(answer[0].c_str()), answer[1], answer[2], answer[3]}; }

}  // namespace

void StartKeeper(const Box& box, const Options& options) {
  const char* const wanted = std::getenv("TALLY_ISOLATE_KEEPER");
  const auto address = AddressOf(box);
  if (!address || (wanted != nullptr && std::string_view(wanted) == "off")) return;
  Fd listener(::socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0));
  ::unlink(address->sun_path);
  const mode_t before = ::umask(0177);
  const bool listens = ::bind(listener.get(), Generic(*address), sizeof *address) == 0 && ::listen(listener.get(), 8) == 0;
  ::umask(before);
  if (!listens) return;
  if (::fork() != 0) return;  // we end at once, and leave an orphan, which is nobody's to wait for
  LeaveCaller(listener.get());
  BeKeeper(box, options, std::move(listener));
}

std::optional<Outcome> AskKeeper(const Box& box, const Options& options, int argc, const char* const* argv) {
  if (options.inherit_descriptors) return std::nullopt;
  Words request{std::string(kRun), FoldersShown(options, box), std::to_string(argc)};
  request.insert(request.end(), argv, argv + argc);
  for (char** entry = ::environ; *entry != nullptr; ++entry) request.emplace_back(*entry);
  const std::string text = Packed(request);
  if (text.size() > kLongestMessage) return std::nullopt;
  const Fd keeper = Connect(box);  // which waits for our words from then on
  if (!keeper.valid() || !Peer(keeper.get()) || !Send(keeper.get(), text, {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO})) return std::nullopt;
  // A keeper whose caller does not listen any more ends its program, tidies up, and is gone.
  const HeldSignals held;
  const auto receive = [&]() -> Words {
    const int signal = held.Await(keeper.get());
    if (signal == 0) return Receive(keeper.get()).words;
    ::shutdown(keeper.get(), SHUT_WR);
    while (!Receive(keeper.get()).words.empty()) {
    }
    throw Interrupted{signal};
  };
  const Words begins = receive();
  if (begins.empty() || begins.front() != kBegins) return begins.size() == 4 ? std::optional(AsOutcome(begins)) : std::nullopt;
  const Words answer = receive();
  if (answer.size() != 4) return Failed(fmt::format("the keeper of box {} ended while the program ran", box.folder()));
  return AsOutcome(answer);
}

void EndKeeper(const Box& box) {
  if (const Fd keeper = Connect(box); keeper.valid() && Peer(keeper.get())) {
    if (Send(keeper.get(), Packed({std::string(kEnd)}))) Receive(keeper.get());
  }
  if (const auto address = AddressOf(box)) ::unlink(address->sun_path);
}

}  // namespace tally::isolate

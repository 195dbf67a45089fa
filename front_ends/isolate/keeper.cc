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

#include <array>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/descriptor_signal.h"
#include "base/error.h"
#include "base/fd.h"
#include "base/sys.h"
#include "front_ends/isolate/box_run.h"
#include "front_ends/isolate/message_socket.h"
#include "front_ends/isolate/messages.h"
#include "supervisor/run/process_executor.h"

namespace tally::isolate {
namespace {

constexpr int kIdleMilliseconds = 10 * 60 * 1000, kHiddenMilliseconds = 5000;
constexpr int kLongestSilence = 1000;  // ms, of who has connected: a command asks at once

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

// ---- the keeper's side

// TALLY_ISOLATE_KEEPER, of the caller.
bool IsWanted() {
  const char* const wanted = std::getenv("TALLY_ISOLATE_KEEPER");
  return wanted == nullptr || std::string_view(wanted) != "off";
}

// They wait from now on: during a run Watch reads them, and between runs Serve. One that a client's end has sent when its run was over already must
// not end the next one.
Fd SignalsThatEnd() {
  sigset_t signals;
  ::sigemptyset(&signals);
  for (const int signal : {SIGTERM, SIGINT, SIGHUP}) {
    if (!sys::IsIgnored(signal)) ::sigaddset(&signals, signal);
  }
  ::sigprocmask(SIG_BLOCK, &signals, nullptr);
  return Fd(::signalfd(-1, &signals, SFD_CLOEXEC | SFD_NONBLOCK));
}

class Keeper {
 public:
  // `options` and `words` are --init's.
  Keeper(Box* box, const Options& options, const Words& words, Fd listener)
      : box_(*box), options_(options), words_(words), runs_(*box), listener_(std::move(listener)) {}

  void Prepare() {
    if (const auto address = AddressOf(box_)) ::lstat(address->sun_path, &socket_);
    runs_.PrepareFirst(options_);
    box_.GetReadyToHide();
  }

  // Until another --init or --cleanup, until nobody has asked for a while, or until a signal.
  void Serve() {
    while (!is_over_) {
      std::array<pollfd, 2> waiting{{{listener_.get(), POLLIN, 0}, {signals_.get(), POLLIN, 0}}};
      const int ready = ::poll(waiting.data(), waiting.size(), is_hidden_ ? kHiddenMilliseconds : kIdleMilliseconds);
      if (ready < 0 && errno == EINTR) continue;
      if (ready <= 0 || (waiting[1].revents != 0 && HasToLeave())) return Leave();
      if (waiting[0].revents == 0) continue;
      const Fd client(::accept4(listener_.get(), nullptr, nullptr, SOCK_CLOEXEC));
      const std::optional<ucred> peer = client.valid() ? Peer(client.get()) : std::nullopt;
      if (!peer || !IsBesideUs(*peer)) continue;
      pollfd asking{client.get(), POLLIN, 0};
      if (::poll(&asking, 1, kLongestSilence) <= 0) continue;
      const Received request = Receive(client.get());
      if (request.words.empty()) continue;
      if (request.words.front() == kEnd) return;
      if (request.words.front() == kDo) Answer(client.get(), request);
      ProcessExecutor().RetireRuns();
    }
  }

 private:
  void Answer(int client, const Received& request) {
    const Words& all = request.words;
    if (all.size() < 2 || request.descriptors.size() != 3) return;
    const auto count = static_cast<std::size_t>(std::strtoul(all[1].c_str(), nullptr, 10));
    if (count > all.size() - 2) return;
    const Words words(all.begin() + 2, all.begin() + 2 + static_cast<std::ptrdiff_t>(count));
    ::clearenv();
    for (std::size_t i = 2 + count; i < all.size(); ++i) ::putenv(const_cast<char*>(all[i].c_str()));
    const std::optional<Options> options = ReadOptions(words);
    if (!options || !Do(client, *options, words, request.descriptors)) Send(client, {kNotHere});
    ::clearenv();
  }

  // What tells of a client's descriptor came late: its run is over.
  [[nodiscard]] bool HasToLeave() const {
    signalfd_siginfo signal{};
    return ::read(signals_.get(), &signal, sizeof signal) == sizeof signal && !TellsOfDescriptor(signal);
  }

  // Who has asked meanwhile waits for our end, and then does all itself.
  void Leave() const {
    if (is_hidden_) box_.RemoveHidden();
    // Where the root was removed, another keeper may listen there.
    const auto address = AddressOf(box_);
    if (struct stat now {}; address && ::lstat(address->sun_path, &now) == 0 && now.st_dev == socket_.st_dev && now.st_ino == socket_.st_ino) ::unlink(address->sun_path);
  }

  // False: not for us.
  bool Do(int client, const Options& options, const Words& words, const std::vector<Fd>& streams) {
    switch (options.command) {
      case Command::kRun:
        if (is_hidden_) return false;
        if (const Shown shown = ShownBy(options, box_); Agree(client, options.meta, shown)) Run(client, options, shown, streams);
        return true;
      case Command::kCleanup:
        is_over_ = !IsWanted() || (!is_hidden_ && !box_.Hide());
        is_hidden_ = !is_over_;
        return !is_over_ && Send(client, {kDone, "0", "", "", ""});
      default:
        is_over_ = !IsWanted() || words != words_ || !box_.Show() || !Agree(client, "", ShownBy(options_, box_));
        is_hidden_ = is_hidden_ && is_over_;
        return !is_over_ && Send(client, {kDone, "0", box_.folder() + "\n", "", ""});
    }
  }

  // The caller finds the same.
  static bool Agree(int client, const std::string& meta, const Shown& shown) {
    Words begins{kBegins, meta};
    for (const std::uint64_t number : shown.caller) begins.push_back(std::to_string(number));
    for (const auto& [path, device, inode] : shown.folders) begins.insert(begins.end(), {path, std::to_string(device), std::to_string(inode)});
    return Send(client, begins) && Receive(client).words == Words{kGo};
  }

  void Run(int client, const Options& options, const Shown& shown, const std::vector<Fd>& streams) {
    EndWith(client);
    Outcome outcome;
    try {
      outcome = runs_.Run(options, {streams[0].get(), streams[1].get(), streams[2].get()}, shown);
    } catch (const std::exception& error) {
      outcome = Failed(error.what());
    }
    ::fcntl(client, F_SETFL, 0);
    Send(client, {kDone, std::to_string(outcome.status), "", LinesOf(options, outcome, kByKeeper, streams[2].get()), outcome.meta});
  }

  // Nothing: not for us. What is wrong with the words main says itself.
  [[nodiscard]] std::optional<Options> ReadOptions(Words words) const {
    std::vector<char*> argv;
    for (std::string& word : words) argv.push_back(word.data());
    argv.push_back(nullptr);
    try {
      Options options = ParseOptions(static_cast<int>(words.size()), argv.data());
      const bool is_ours = options.box == options_.box && options.as_user == options_.as_user && options.as_group == options_.as_group;
      const bool is_ours_to_do = options.command == Command::kRun || options.command == Command::kInit || options.command == Command::kCleanup;
      if (is_ours && is_ours_to_do && !options.inherit_descriptors) return options;
    } catch (const UserError&) {  // main finds the same
    }
    return std::nullopt;
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

  Box& box_;
  const Options& options_;
  const Words words_;
  BoxRuns runs_;
  Fd listener_;
  Fd signals_ = SignalsThatEnd();
  struct stat socket_ {};  // where it listens
  bool is_hidden_ = false;  // the box is
  bool is_over_ = false;
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

[[noreturn]] void BeKeeper(Box* box, const Options& options, const Words& words, Fd listener) {
  try {
    Keeper keeper(box, options, words, std::move(listener));
    keeper.Prepare();
    keeper.Serve();
    ProcessExecutor().RetireAll();
  } catch (const std::exception&) {  // runs do without us, and say what is wrong
  } catch (const Interrupted&) {
    ProcessExecutor().RetireAll();
  }
  ::_exit(0);
}

}  // namespace

void StartKeeper(Box* box, const Options& options, const Words& words) {
  const auto address = AddressOf(*box);
  if (!address || !IsWanted()) return;
  Fd listener(::socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0));
  ::unlink(address->sun_path);
  const mode_t before = ::umask(0177);
  const bool listens = ::bind(listener.get(), Generic(*address), sizeof *address) == 0 && ::listen(listener.get(), 8) == 0;
  ::umask(before);
  if (!listens) return;
  if (::fork() != 0) return;  // we end at once, and leave an orphan, which is nobody's to wait for
  LeaveCaller(listener.get());
  BeKeeper(box, options, words, std::move(listener));
}

void EndKeeper(const Box& box) {
  if (const Fd keeper = Connect(box); keeper.valid() && Peer(keeper.get())) {
    if (Send(keeper.get(), {kEnd})) Receive(keeper.get());
  }
  if (const auto address = AddressOf(box)) ::unlink(address->sun_path);
}

}  // namespace tally::isolate

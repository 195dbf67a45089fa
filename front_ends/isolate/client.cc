#include "front_ends/isolate/client.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/file.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/un.h>
#include <unistd.h>

#include <cerrno>

#include "base/raw_call.h"
#include "front_ends/isolate/before_libc.h"
#include "front_ends/isolate/main_words.h"
#include "front_ends/isolate/messages.h"

namespace tally::isolate {

constinit Client client;

namespace {

using namespace before_libc;

// As WriteFileOrStream does. False: it is not written, and main will say why.
bool WriteMeta(const char* path, const char* content) {
  if (*path == '\0') return true;
  struct stat status;
  const bool is_there = Stat(path, &status) == 0;
  if (is_there && S_ISFIFO(status.st_mode) && *content == '\0') return true;
  if (is_there && !S_ISREG(status.st_mode)) {
    // Main waits for a pipe's reader, where signals end it.
    const Descriptor stream(Open(path, O_WRONLY | O_APPEND | O_NOCTTY | O_NONBLOCK));
    return stream.valid() && RawCall(SYS_fcntl, stream.number(), F_SETFL, O_APPEND) == 0 && WriteAll(stream.number(), content);
  }
  if (Behind(path, "/dev/") != nullptr || Behind(path, "/proc/") != nullptr) return false;
  Text temporary;
  temporary.Add(path).Add(".tmp-").Add(static_cast<std::uint64_t>(RawCall(SYS_getpid)));
  if (!temporary.fits()) return false;
  const Descriptor file(Open(temporary.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_APPEND, 0666));
  if (!file.valid()) return false;
  if (WriteAll(file.number(), content) && RawCall(SYS_rename, Address(temporary.c_str()), Address(path)) == 0) return true;
  RawCall(SYS_unlink, Address(temporary.c_str()));
  return false;
}

struct SignalAction {  // as the kernel has it
  void (*handler)(int);
  std::uint64_t flags, restorer, mask;
};

void Ignore(std::uint64_t signal) {
  SignalAction action;
  action.handler = SIG_IGN;
  action.flags = action.restorer = action.mask = 0;
  RawCall(SYS_rt_sigaction, signal, Address(&action), 0, sizeof action.mask);
}

// ---- the conversation

char received[kLongestMessage];  // pages that no message has reached cost nothing

std::int64_t Connect(const char* path) {
  sockaddr_un address;
  address.sun_family = AF_UNIX;
  const std::size_t size = Length(path);
  if (size >= sizeof address.sun_path) return -ENAMETOOLONG;
  for (std::size_t i = 0; i <= size; ++i) address.sun_path[i] = path[i];
  const std::int64_t socket = RawCall(SYS_socket, AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0);
  const std::size_t length = offsetof(sockaddr_un, sun_path) + size + 1;
  if (socket < 0 || RawCall(SYS_connect, static_cast<std::uint64_t>(socket), Address(&address), length) == 0) return socket;
  RawCall(SYS_close, static_cast<std::uint64_t>(socket));
  return -ECONNREFUSED;
}

// Who listens is who began to (unix(7), SO_PEERCRED).
bool IsOurs(std::uint64_t socket) {
  ucred peer;
  socklen_t size = sizeof peer;
  return RawCall(SYS_getsockopt, socket, SOL_SOCKET, SO_PEERCRED, Address(&peer), Address(&size)) == 0 && peer.uid == RawCall(SYS_geteuid);
}

// With the three streams, where `with_streams`.
bool Send(std::uint64_t socket, iovec* parts, std::size_t count, bool with_streams) {
  alignas(cmsghdr) char control[CMSG_SPACE(3 * sizeof(int))];
  auto* const header = reinterpret_cast<cmsghdr*>(control);
  header->cmsg_level = SOL_SOCKET;
  header->cmsg_type = SCM_RIGHTS;
  header->cmsg_len = CMSG_LEN(3 * sizeof(int));
  for (int i = 0; i <= 2; ++i) reinterpret_cast<int*>(CMSG_DATA(header))[i] = i;
  msghdr message;
  message.msg_name = nullptr;
  message.msg_namelen = 0;
  message.msg_iov = parts;
  message.msg_iovlen = count;
  message.msg_control = with_streams ? control : nullptr;
  message.msg_controllen = with_streams ? sizeof control : 0;
  message.msg_flags = 0;
  std::uint64_t size = 0;
  for (std::size_t i = 0; i < count; ++i) size += parts[i].iov_len;
  return RawCall(SYS_sendmsg, socket, Address(&message), MSG_NOSIGNAL) == static_cast<std::int64_t>(size);
}

std::size_t Receive(std::uint64_t socket) {
  std::int64_t size = 0;
  while ((size = RawCall(SYS_recvfrom, socket, Address(received), sizeof received)) == -EINTR) {
  }
  return size > 0 ? static_cast<std::size_t>(size) : 0;
}

// What the keeper would show is what is here.
bool IsAsHere(Words* words) {
  CallerState state;
  ReadCallerState(&state);
  std::uint64_t number = 0;
  for (const std::uint64_t own : state) {
    const char* const its = words->Next();
    if (its == nullptr || !ToNumber(its, &number) || number != own) return false;
  }
  while (const char* const path = words->Next()) {
    struct stat status;
    if (Stat(path, &status) != 0) status.st_dev = status.st_ino = 0;
    for (const std::uint64_t own : {static_cast<std::uint64_t>(status.st_dev), static_cast<std::uint64_t>(status.st_ino)}) {
      const char* const its = words->Next();
      if (its == nullptr || !ToNumber(its, &number) || number != own) return false;
    }
  }
  return true;
}

// SIGTERM, SIGINT and SIGHUP, a bit each as the kernel has them, but for those that are ignored since before us (nohup(1)): blocked, they
// would come all the same.
std::uint64_t SignalsThatEnd() {
  std::uint64_t signals = 0;
  for (const std::uint64_t number : {SIGTERM, SIGINT, SIGHUP}) {
    SignalAction action;
    RawCall(SYS_rt_sigaction, number, 0, Address(&action), sizeof action.mask);
    if (action.handler != SIG_IGN) signals |= 1ULL << (number - 1);
  }
  return signals;
}

// While this lives those signals wait, and are seen by Await.
class HeldSignals {
 public:
  HeldSignals()
      : held_(SignalsThatEnd()),
        descriptor_((RawCall(SYS_rt_sigprocmask, SIG_BLOCK, Address(&held_), Address(&before_), sizeof held_),
                     RawCall(SYS_signalfd4, ~0ULL, Address(&held_), sizeof held_, SFD_CLOEXEC | SFD_NONBLOCK))) {}
  ~HeldSignals() { RawCall(SYS_rt_sigprocmask, SIG_SETMASK, Address(&before_), 0, sizeof held_); }
  HeldSignals(const HeldSignals&) = delete;
  HeldSignals& operator=(const HeldSignals&) = delete;

  // Until there is something to read; the signal that came first, or 0.
  [[nodiscard]] int Await(std::uint64_t socket) const {
    pollfd waiting[2];
    waiting[0] = {static_cast<int>(socket), POLLIN, 0};
    waiting[1] = {static_cast<int>(descriptor_.number()), POLLIN, 0};
    while (RawCall(SYS_poll, Address(waiting), 2, ~0ULL) == -EINTR) {
    }
    signalfd_siginfo info;
    if (waiting[0].revents != 0 || RawCall(SYS_read, descriptor_.number(), Address(&info), sizeof info) != sizeof info) return 0;
    return static_cast<int>(info.ssi_signo);
  }

 private:
  std::uint64_t held_, before_ = 0;
  Descriptor descriptor_;
};

// A keeper whose caller does not listen any more ends its program, tidies up, and is gone.
Asked EndRun(std::uint64_t socket, int signal) {
  RawCall(SYS_shutdown, socket, SHUT_WR);
  while (Receive(socket) > 0) {
  }
  client.signal = signal;
  return Asked::kInterrupted;
}

// Exits where all of an answer is written. Without one, or one that cannot be written, nothing but a run has changed what main would find.
Asked Tell(const char* meta_path, std::size_t size, bool runs) {
  Words words(received, size);
  const char* const done = words.Next();
  const char* const status = words.Next();
  const char* const printed = words.Next();
  const char* const said = words.Next();
  const char* const meta = words.Next();
  std::uint64_t number = 0;
  if (meta == nullptr || !Same(done, kDone) || !ToNumber(status, &number)) return runs ? Asked::kKeeperGone : Asked::kInVain;
  client.answer = received;
  client.size = size;
  if (!WriteMeta(meta_path, meta) || !WriteAll(STDOUT_FILENO, printed)) return runs ? Asked::kAnswered : Asked::kInVain;
  WriteAll(STDERR_FILENO, said);
  RawCall(SYS_exit_group, number);
  return Asked::kAnswered;
}

bool SendRequest(std::uint64_t keeper, int argc, iovec words) {
  Text head;
  head.Add(kDo).EndWord().Add(static_cast<std::uint64_t>(argc)).EndWord();
  iovec request[2];
  request[0] = {const_cast<char*>(head.c_str()), head.size()};
  request[1] = words;
  return Send(keeper, request, 2, true);
}

// "begins" is in `received`. False: this is not for the keeper, who is told nothing.
bool Go(std::uint64_t keeper, std::size_t size, Text* meta_path) {
  Words begins(received, size);
  begins.Next();
  const char* const meta = begins.Next();
  // The next message comes to where this one is. Of a run that did not come to its end nobody reads what an earlier one said.
  if (meta == nullptr || !meta_path->Add(meta).fits() || !IsAsHere(&begins) || !WriteMeta(meta_path->c_str(), "")) return false;
  iovec go{const_cast<char*>(kGo), Length(kGo) + 1};
  return Send(keeper, &go, 1, false);
}

bool Begins(std::size_t size) {
  Words words(received, size);
  const char* const first = words.Next();
  return first != nullptr && Same(first, kBegins);
}

Asked AskForRun(std::uint64_t keeper, int argc, iovec words) {
  const HeldSignals held;
  if (!SendRequest(keeper, argc, words)) return Asked::kInVain;
  if (const int signal = held.Await(keeper); signal != 0) {
    client.signal = signal;  // nothing runs yet
    return Asked::kInterrupted;
  }
  const std::size_t size = Receive(keeper);
  Text meta_path;
  if (!Begins(size) || !Go(keeper, size, &meta_path)) return Asked::kInVain;
  Ignore(SIGPIPE);  // as while main runs a program: that nobody reads what is said of it is no end of ours
  if (const int signal = held.Await(keeper); signal != 0) return EndRun(keeper, signal);
  return Tell(meta_path.c_str(), Receive(keeper), true);
}

Asked AskForBox(std::uint64_t keeper, int argc, iovec words) {
  if (!SendRequest(keeper, argc, words)) return Asked::kInVain;
  std::size_t size = Receive(keeper);
  Text no_meta;
  if (Begins(size)) {
    if (!Go(keeper, size, &no_meta)) return Asked::kInVain;
    size = Receive(keeper);
  }
  return Tell("", size, false);
}

Asked LockAndAsk(int argc, char** argv) {
  std::uint64_t box = 0;
  bool runs = false;
  Text folder;
  iovec words;
  if (argc < 1 || !FindBox(argc, argv, &box, &runs) || !FindFolder(argv + argc + 1, box, &folder) || !FindWords(argc, argv, &words)) return Asked::kInVain;
  Ignore(SIGXFSZ);  // a file that reaches RLIMIT_FSIZE is an error, and not our end (setrlimit(2))
  for (std::uint64_t stream = 0; stream <= 2; ++stream) {
    if (RawCall(SYS_fcntl, stream, F_GETFD) < 0) return Asked::kInVain;  // main opens it
  }
  Text lock_path, socket_path, work_folder;
  lock_path.Add(folder.c_str()).Add(".lock");
  socket_path.Add(folder.c_str()).Add(".socket");
  work_folder.Add(folder.c_str()).Add("/box");
  if (!lock_path.fits() || !socket_path.fits() || !work_folder.fits()) return Asked::kInVain;
  const Descriptor lock(Open(lock_path.c_str(), O_RDWR | O_NOFOLLOW));
  struct stat status;
  if (!lock.valid() || RawCall(SYS_flock, lock.number(), LOCK_EX | LOCK_NB) != 0) return Asked::kInVain;
  if (runs && (Stat(work_folder.c_str(), &status, AT_SYMLINK_NOFOLLOW) != 0 || !S_ISDIR(status.st_mode))) return Asked::kInVain;
  const Descriptor keeper(Connect(socket_path.c_str()));
  if (!keeper.valid() || !IsOurs(keeper.number())) return Asked::kInVain;
  return runs ? AskForRun(keeper.number(), argc, words) : AskForBox(keeper.number(), argc, words);
}

}  // namespace

void AskKeeper(int argc, char** argv) { client.asked = LockAndAsk(argc, argv); }

namespace {

// `stack` is where the kernel has put argc and what follows it.
[[gnu::used]] void BeginWithKeeper(std::uint64_t* stack) asm("TallyBeginWithKeeper");
void BeginWithKeeper(std::uint64_t* stack) { AskKeeper(static_cast<int>(stack[0]), reinterpret_cast<char**>(stack + 1)); }

}  // namespace

// libc finds what the kernel has left: the stack, and in rdx nothing that is to be called at the end.
extern "C" [[gnu::naked, gnu::used, gnu::noinline]] void TallyIsolateEntry() {
  asm volatile(R"(
    mov %rsp, %rbx
    mov %rsp, %rdi
    call TallyBeginWithKeeper
    mov %rbx, %rsp
    xor %edx, %edx
    xor %ebp, %ebp
    jmp _start
  )");
}

}  // namespace tally::isolate

#include "base/descriptor_signal.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>

#include "base/fd.h"
#include "tests/support/catch.h"

namespace tally {
namespace {

TEST_CASE("a signal of a descriptor tells of nothing when what it was for has been read, and of something when the peer is gone") {
  sigset_t set, before;
  ::sigemptyset(&set);
  ::sigaddset(&set, SIGTERM);
  ::sigprocmask(SIG_BLOCK, &set, &before);
  const Fd signals(::signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK));
  const auto next = [&signals] {
    signalfd_siginfo signal{};
    REQUIRE(::read(signals.get(), &signal, sizeof signal) == sizeof signal);
    return signal;
  };
  std::array<int, 2> ends{};
  REQUIRE(::socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends.data()) == 0);
  const Fd ours(ends[0]);
  Fd peer(ends[1]);
  ::fcntl(ours.get(), F_SETOWN, ::getpid());
  ::fcntl(ours.get(), F_SETSIG, SIGTERM);
  ::fcntl(ours.get(), F_SETFL, O_ASYNC);

  char letter = 'x';
  REQUIRE(::send(peer.get(), &letter, 1, 0) == 1);
  REQUIRE(::recv(ours.get(), &letter, 1, 0) == 1);
  const signalfd_siginfo late = next();
  CHECK(TellsOfDescriptor(late));
  CHECK(TellsOfNothing(late));

  REQUIRE(::send(peer.get(), &letter, 1, 0) == 1);
  CHECK_FALSE(TellsOfNothing(next()));
  REQUIRE(::recv(ours.get(), &letter, 1, 0) == 1);
  ::shutdown(peer.get(), SHUT_WR);
  CHECK_FALSE(TellsOfNothing(next()));
  peer = Fd();
  CHECK_FALSE(TellsOfNothing(next()));

  ::kill(::getpid(), SIGTERM);
  const signalfd_siginfo sent = next();
  CHECK_FALSE(TellsOfDescriptor(sent));
  CHECK_FALSE(TellsOfNothing(sent));
  ::sigprocmask(SIG_SETMASK, &before, nullptr);
}

}  // namespace
}  // namespace tally

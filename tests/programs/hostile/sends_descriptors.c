// Tries: to hold files open beyond its end, and the kernel's memory with them: descriptors that travel through sockets that
//   nobody reads, sockets inside of sockets, epolls that watch each other.
// Kernel: a descriptor in flight belongs to no process; only the kernel's garbage collector frees a cycle (net/unix/garbage.c).
// Stopped by: sockets are rule violations; epolls are freed with their last process.
// Run: -- sockets => RV
// Run: -- epolls => OK
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

int main(int argc, char** argv) {
  if (argc > 1 && strcmp(argv[1], "sockets") == 0) {
    int pair[2];
    if (socketpair(AF_UNIX, SOCK_DGRAM, 0, pair) != 0) return 0;
    for (int i = 0; i < 100; ++i) {
      char control[CMSG_SPACE(sizeof(int))] = {0};
      struct iovec byte = {"x", 1};
      struct msghdr message = {.msg_iov = &byte, .msg_iovlen = 1, .msg_control = control, .msg_controllen = sizeof control};
      struct cmsghdr* const c = CMSG_FIRSTHDR(&message);
      c->cmsg_level = SOL_SOCKET;
      c->cmsg_type = SCM_RIGHTS;
      c->cmsg_len = CMSG_LEN(sizeof(int));
      memcpy(CMSG_DATA(c), &pair[0], sizeof(int));
      sendmsg(pair[1], &message, MSG_DONTWAIT);
    }
    return 0;
  }
  int last = epoll_create1(0);
  for (int i = 0; i < 200; ++i) {
    const int next = epoll_create1(0);
    struct epoll_event event = {.events = EPOLLIN | EPOLLET, .data.fd = last};
    if (next < 0) break;
    epoll_ctl(next, EPOLL_CTL_ADD, last, &event);
    epoll_ctl(last, EPOLL_CTL_ADD, next, &event);  // ELOOP
    epoll_wait(next, &event, 1, 0);
    if (i % 4 == 3) last = epoll_create1(0);
    else last = next;
  }
  return 0;
}

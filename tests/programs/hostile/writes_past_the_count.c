// Tries: to write without a call that is counted: asynchronous input and output, rings, pages given to a pipe, flags and offsets of
//   pwritev2, a socket's calls on a file.
// Kernel: each of these ends in the file's write_iter, some in a thread of the kernel's that has no limits of the program's.
// Stopped by: calls that leave work behind are rule violations; the others meet the limit on the file's size.
// Run: -- io_setup => RV
// Run: -- io_submit => RV
// Run: -- io_uring_enter => RV
// Run: -- vmsplice => RV
// Run: -- sendmsg => RV
// Run: -- mq_open => RV
// Run: -- process_vm_writev => RV
// Run: output=1M -- append => OLE
// Run: output=1M -- current => OLE
// Run: output=1M -- flags => OLE OK
// Run: output=1M -- tee => OLE OK
#define _GNU_SOURCE
#include <fcntl.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

static int is(const char* a, const char* b) { return strcmp(a, b) == 0; }

int main(int argc, char** argv) {
  const char* const how = argc > 1 ? argv[1] : "append";
  static char text[1 << 16];
  memset(text, 'z', sizeof text);
  const struct iovec part = {text, sizeof text};
  int fds[2], more[2];
  long context = 0;
  if (pipe2(fds, O_NONBLOCK) != 0 || pipe2(more, O_NONBLOCK) != 0) return 1;
  if (is(how, "io_setup")) syscall(SYS_io_setup, 1, &context);
  if (is(how, "io_submit")) syscall(SYS_io_submit, 0, 1, &context);
  if (is(how, "io_uring_enter")) syscall(426, 3, 1, 0, 0, NULL, 0);
  if (is(how, "vmsplice")) vmsplice(fds[1], &part, 1, 0);
  if (is(how, "sendmsg")) syscall(SYS_sendmsg, 1, text, 0);
  if (is(how, "mq_open")) syscall(SYS_mq_open, "x", O_CREAT | O_RDWR, 0600, NULL);
  if (is(how, "process_vm_writev")) process_vm_writev(getpid(), &part, 1, &part, 1, 0);
  for (int i = 0; i < 32; ++i) {
    if (is(how, "append")) pwritev2(1, &part, 1, 0, 0x10 /* RWF_APPEND */);
    if (is(how, "current")) pwritev2(1, &part, 1, -1, 0);
    if (is(how, "flags")) {
      for (int flags = 1; flags < 256; flags <<= 1) pwritev2(1, &part, 1, (off_t)i << 16, flags);
    }
    if (is(how, "tee")) {
      (void)!write(fds[1], text, sizeof text);
      tee(fds[0], more[1], 1 << 16, 0);
      splice(fds[0], NULL, 1, NULL, 1 << 16, 0);
      splice(more[0], NULL, 1, NULL, 1 << 16, 0);
    }
  }
  return 0;
}

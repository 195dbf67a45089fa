// Tries: more output than allowed: by each call that writes, past the end, through another descriptor, by a mapping, by
//   growing the file without writing, from children after the program's end, into standard input.
// Kernel: RLIMIT_FSIZE is asked by some of them, at the end of the write, against the file's size, not the bytes' number.
// Stopped by: the file's size and the pump's count, looked at while the program runs and once more at its end.
// Run: output=1M -- write => OLE
// Run: output=1M -- pwrite => OLE OK
// Run: output=1M -- writev => OLE
// Run: output=1M -- splice => OLE OK
// Run: output=1M -- sendfile => OLE OK
// Run: output=1M -- truncate => OLE OK
// Run: output=1M -- seek => OLE OK
// Run: output=1M -- dup => OLE
// Run: output=1M -- mmap => OLE OK RE
// Run: output=1M -- input => OK OLE
// Run: output=1M processes=2 -- child => OLE OK
// Run: output=1M -- ignores => OLE
// Run: output=1M -- reopen => OLE OK
// Run: output=1M -- copy => OLE OK
#define _GNU_SOURCE
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/sendfile.h>
#include <sys/uio.h>
#include <unistd.h>

int main(int argc, char** argv) {
  const char* how = argc > 1 ? argv[1] : "write";
  static char text[1 << 16];
  memset(text, 'x', sizeof text);
  int out = 1, fds[2];
  if (strcmp(how, "dup") == 0) out = dup(1);
  if (strcmp(how, "input") == 0) out = 0;
  if (strcmp(how, "reopen") == 0) out = open("/proc/self/fd/1", O_RDWR);
  if (strcmp(how, "reopen") == 0 && out < 0) out = open("/dev/stdout", O_RDWR);
  if (strcmp(how, "ignores") == 0) signal(SIGXFSZ, SIG_IGN);
  if (strcmp(how, "seek") == 0) fcntl(1, F_SETFL, 0);
  if (strcmp(how, "child") == 0 && fork() != 0) return 0;
  const int zeros = open(argv[0], O_RDONLY);
  if (pipe2(fds, O_NONBLOCK) != 0) return 1;
  for (int i = 0; i < 160; ++i) {
    if (strcmp(how, "pwrite") == 0) (void)!pwrite(1, text, sizeof text, (off_t)i << 40);
    else if (strcmp(how, "writev") == 0) (void)!writev(out, (struct iovec[]){{text, 40000}, {text, 25536}}, 2);
    else if (strcmp(how, "splice") == 0) (void)!write(fds[1], text, 4096), splice(fds[0], NULL, 1, NULL, 65536, 0);
    else if (strcmp(how, "sendfile") == 0) lseek(zeros, 0, SEEK_SET), sendfile(1, zeros, NULL, 1 << 20);
    else if (strcmp(how, "copy") == 0) lseek(zeros, 0, SEEK_SET), copy_file_range(zeros, NULL, 1, NULL, 1 << 20, 0);
    else if (strcmp(how, "truncate") == 0) (void)!ftruncate(1, (off_t)1 << (20 + i % 40));
    else if (strcmp(how, "seek") == 0) lseek(1, (off_t)1 << 40, SEEK_CUR), (void)!write(1, text, 1);
    else if (strcmp(how, "mmap") == 0) {
      char* const p = mmap(NULL, 1 << 16, PROT_WRITE, MAP_SHARED, 1, (off_t)i << 16);
      if (p != MAP_FAILED) p[0] = 1;
    } else (void)!write(out, text, sizeof text);
  }
  return 0;
}

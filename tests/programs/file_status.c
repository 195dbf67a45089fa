// Prints what every call that tells of files says of its arguments, a file that it writes and a pipe; whether flags and registers are
// then as behind any call, and what such calls say that fail.
// Tally: OK; counted, with the virtual machine's times and sizes of folders (docs/virtual-cpu.md), the same by each call.
#include "program.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/sysmacros.h>

static dev_t box;

static const char* WhereIs(dev_t device, unsigned long long number) { return device != box ? "elsewhere" : number >> 48 != 0 ? "put into the box" : "in the box"; }

static void Print(const char* call, const struct stat* s) {
  printf("%s: %s, mode %o, links %ld, size %ld, %ld blocks, by %ld, read %ld.%09ld, written %ld.%09ld, changed %ld.%09ld\n", call, WhereIs(s->st_dev, s->st_ino), s->st_mode,
         (long)s->st_nlink, s->st_size, s->st_blocks, (long)s->st_blksize, s->st_atim.tv_sec, s->st_atim.tv_nsec, s->st_mtim.tv_sec,
         s->st_mtim.tv_nsec, s->st_ctim.tv_sec, s->st_ctim.tv_nsec);
}

static void PrintExtended(const char* call, const struct statx* s) {
  printf("%s: %s, mode %o, links %u, size %llu, %llu blocks, by %u, read %lld.%09u, written %lld.%09u, changed %lld.%09u, made %lld.%09u, mask %x, attributes %llx of %llx, mount %llu\n",
         call, WhereIs(makedev(s->stx_dev_major, s->stx_dev_minor), s->stx_ino), s->stx_mode, s->stx_nlink, s->stx_size, s->stx_blocks, s->stx_blksize, s->stx_atime.tv_sec, s->stx_atime.tv_nsec, s->stx_mtime.tv_sec,
         s->stx_mtime.tv_nsec, s->stx_ctime.tv_sec, s->stx_ctime.tv_nsec, s->stx_btime.tv_sec, s->stx_btime.tv_nsec, s->stx_mask, s->stx_attributes,
         s->stx_attributes_mask, s->stx_mnt_id);
}

// With the call's number in the instructions, and by syscall(2), where nobody knows it beforehand.
static long Stat(const char* path, struct stat* s) {
  long result = SYS_stat;
  __asm__ volatile("mov $4, %%eax; syscall" : "=a"(result) : "D"(path), "S"(s) : "rcx", "r11", "memory");
  return result;
}

static void Tell(const char* path) {
  struct stat s;
  struct statx x;
  printf("%s\n", path);
  if (Stat(path, &s) == 0) Print("stat", &s);
  if (syscall(SYS_lstat, path, &s) == 0) Print("lstat", &s);
  if (fstatat(AT_FDCWD, path, &s, 0) == 0) Print("fstatat", &s);
  if (syscall(SYS_newfstatat, AT_FDCWD, path, &s, 0) == 0) Print("newfstatat", &s);
  if (statx(AT_FDCWD, path, 0, STATX_BASIC_STATS | STATX_BTIME, &x) == 0) PrintExtended("statx", &x);
  if (syscall(SYS_statx, AT_FDCWD, path, 0, STATX_TYPE, &x) == 0) PrintExtended("statx of the type", &x);
  const int file = open(path, O_RDONLY);
  if (file >= 0 && syscall(SYS_fstat, file, &s) == 0) Print("fstat", &s);
  close(file);
}

// All flags set that a program can set, and each register another.
static void TryFlags(const char* path) {
  struct stat s;
  unsigned long flags = 0, behind = 0, r11 = 0, rax = 1, rest = 0;
  __asm__ volatile(
      "pushf; orq $0xcd5, (%%rsp); popf\n"
      "pushf; pop %[flags]\n"
      "mov $4, %%eax; mov $0x1234, %%edx; mov $0x5678, %%r8d; mov $0x9abc, %%r10d\n"
      "syscall\n"
      "mov %%r11, %[r11]\n"
      "pushf; pop %[behind]\n"
      "cld\n"
      "lea (%%rdx, %%r8), %[rest]; add %%r10, %[rest]\n"
      : "=&a"(rax), [flags] "=&r"(flags), [behind] "=&r"(behind), [r11] "=&r"(r11), [rest] "=&r"(rest)
      : "D"(path), "S"(&s)
      : "rcx", "rdx", "r8", "r10", "r11", "memory", "cc");
  printf("flags %lx, behind the call %lx, in r11 %lx; result %ld, other registers %lx\n", flags & 0xfff, behind & 0xfff, r11 & 0xfff, rax, rest);
}

int main(int argc, char** argv) {
  struct stat s;
  if (stat("/box", &s) == 0) box = s.st_dev;
  for (int i = 1; i < argc; ++i) Tell(argv[i]);
  const int file = open("/tmp/written", O_WRONLY | O_CREAT, 0644);
  if (write(file, argv[0], 5) != 5) return 1;
  Tell("/tmp/written");
  Tell("/tmp");
  int pipes[2];
  if (pipe(pipes) == 0 && fstat(pipes[0], &s) == 0) Print("pipe", &s);
  TryFlags("/tmp");
  Report("stat of nothing", syscall(SYS_stat, "/nowhere", &s));
  Report("stat to 8", syscall(SYS_stat, "/tmp", 8));
  Report("fstat of nothing", syscall(SYS_fstat, 77, &s));
  Report("statx to 8", syscall(SYS_statx, AT_FDCWD, "/tmp", 0, STATX_BASIC_STATS, 8));
  End();
  return 0;
}

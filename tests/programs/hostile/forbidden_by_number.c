// Tries: the calls that make a way out of a sandbox, each by its bare number, since a libc has no names for most: handles of
//   files outside of the root, the new mount calls, other namespaces, a kernel of the program's own.
// Kernel: whether they are permitted is asked late, after much of their work, and each of them has been a hole.
// Stopped by: what no group names is a rule violation (seccomp/policy_compiler.cc).
//   uretprobe passes each filter (kernel/seccomp.c) and is SIGILL outside of a probe.
// Run: -- name_to_handle_at => RV
// Run: -- open_by_handle_at => RV
// Run: -- pivot_root => RV
// Run: -- fsopen => RV
// Run: -- open_tree => RV
// Run: -- move_mount => RV
// Run: -- mount_setattr => RV
// Run: -- kexec_load => RV
// Run: -- finit_module => RV
// Run: -- quotactl_fd => RV
// Run: -- swapon => RV
// Run: -- acct => RV
// Run: -- process_madvise => RV
// Run: -- remap_file_pages => RV
// Run: -- memfd_secret => RV
// Run: -- landlock => RV
// Run: -- uselib => RV
// Run: -- vm86 => RV
// Run: -- io_pgetevents => RV
// Run: -- fanotify => RV
// Run: -- vhangup => RV
// Run: -- lookup_dcookie => RV
// Run: -- uretprobe => RV RE
// Run: -- lsm => RV
#include <fcntl.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

struct call {
  const char* name;
  long number;
};
static const struct call calls[] = {
    {"name_to_handle_at", 303}, {"open_by_handle_at", 304}, {"pivot_root", 155},   {"fsopen", 430},
    {"open_tree", 428},         {"move_mount", 429},        {"mount_setattr", 442}, {"kexec_load", 246},
    {"finit_module", 313},      {"quotactl_fd", 443},       {"swapon", 167},       {"acct", 163},
    {"process_madvise", 440},   {"remap_file_pages", 216},  {"memfd_secret", 447}, {"landlock", 444},
    {"uselib", 134},            {"vm86", 166},              {"io_pgetevents", 333}, {"fanotify", 300},
    {"vhangup", 153},           {"lookup_dcookie", 212},    {"uretprobe", 335},    {"lsm", 460},
};

int main(int argc, char** argv) {
  static char buffer[4096] = "/";
  for (unsigned i = 0; argc > 1 && i < sizeof calls / sizeof calls[0]; ++i) {
    if (strcmp(argv[1], calls[i].name) == 0) syscall(calls[i].number, AT_FDCWD, buffer, buffer, buffer, 0, 0);
  }
  return 0;
}

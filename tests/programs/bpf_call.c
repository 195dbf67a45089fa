// Makes a BPF map of one element. bpf(2) loads code into the kernel; unprivileged use is off on most hosts
// and on on some, and its verifier has a long list of escapes.
// Tally: RV ("bpf").
#include "program.h"

#include <linux/bpf.h>
#include <sys/syscall.h>

int main(void) {
  union bpf_attr attributes;
  memset(&attributes, 0, sizeof attributes);
  attributes.map_type = BPF_MAP_TYPE_ARRAY;
  attributes.key_size = 4;
  attributes.value_size = 4;
  attributes.max_entries = 1;
  TRY("bpf", syscall(SYS_bpf, BPF_MAP_CREATE, &attributes, sizeof attributes));
  End();
  return 0;
}

// Installs a segment of its own in the local descriptor table. Old code (Wine, DOSEMU) needs it; for
// everybody else it is an entry to seldom used kernel code, and segments with a base deceive a translator
// that takes addresses for flat.
// Tally: RV ("modify_ldt").
#include "program.h"

#include <asm/ldt.h>
#include <sys/syscall.h>

int main(void) {
  struct user_desc segment;
  memset(&segment, 0, sizeof segment);
  segment.limit = 0xfffff;
  segment.seg_32bit = 1;
  segment.limit_in_pages = 1;
  TRY("modify_ldt", syscall(SYS_modify_ldt, 1, &segment, sizeof segment));
  End();
  return 0;
}

// Switches address randomisation off and READ_IMPLIES_EXEC on for its next execve. A personality survives
// execve; READ_IMPLIES_EXEC makes data executable, and ADDR_NO_RANDOMIZE helps an exploit of whatever runs
// next. personality(0xffffffff) would only ask.
// Tally: RV ("personality"), in every mode; vcpu-exec sets it before the filter, not the program.
#include "program.h"

#include <sys/personality.h>

int main(void) {
  TRY("personality", personality(ADDR_NO_RANDOMIZE | READ_IMPLIES_EXEC));
  End();
  return 0;
}

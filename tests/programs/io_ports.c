// Asks for access to I/O ports: ioperm(2) for port 0x80, then iopl(3).
// With it, user code talks to hardware directly. Root only, but without any namespace.
// Tally: RV ("ioperm").
#include "program.h"

#include <sys/io.h>

int main(void) {
  TRY("ioperm", ioperm(0x80, 1, 1));
  TRY("iopl", iopl(3));
  End();
  return 0;
}

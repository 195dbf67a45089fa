// Sets the host name to what it already is. Needs CAP_SYS_ADMIN over the uts namespace; a sandbox without one
// of its own would let root rename the judge.
// Tally: RV ("sethostname"); the name it prints is the sandbox's ("tally"), not the host's.
#include "program.h"

#include <sys/utsname.h>

int main(void) {
  struct utsname names;
  if (uname(&names) != 0) return 1;
  printf("host name %s\n", names.nodename);
  TRY("sethostname", sethostname(names.nodename, strlen(names.nodename)));
  TRY("setdomainname", setdomainname(names.domainname, strlen(names.domainname)));
  End();
  return 0;
}

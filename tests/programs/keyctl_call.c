// Asks for its session keyring and adds a key to it; with argument "request" asks for a key by description.
// Keyrings are not namespaced with anything but the user: keys of other processes of the same user are in
// reach, and what is left behind outlives the run.
// Tally: RV ("keyctl", "add_key" or "request_key").
#include "program.h"

#include <linux/keyctl.h>
#include <sys/syscall.h>

int main(int argc, char** argv) {
  if (argc > 1 && strcmp(argv[1], "request") == 0) {
    TRY("request_key", syscall(SYS_request_key, "user", "tally-test", NULL, 0));
  } else {
    TRY("keyctl", syscall(SYS_keyctl, KEYCTL_GET_KEYRING_ID, KEY_SPEC_SESSION_KEYRING, 0));
    TRY("add_key", syscall(SYS_add_key, "user", "tally-test", "x", 1, KEY_SPEC_PROCESS_KEYRING));
  }
  End();
  return 0;
}

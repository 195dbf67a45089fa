// Calls prctl(2) with the option argv[1]: dumpable, ptracer, keepcaps, securebits, subreaper, tsc, mm,
// ambient, speculation, pdeathsig, name (default dumpable). One system call with a hundred meanings: some
// harmless (name, pdeathsig), some that loosen protection (ptracer: anybody may trace me), one that breaks
// the judge's clock (tsc: rdtsc becomes SIGSEGV).
// Tally: OK for name and pdeathsig, "refused" or OK for ambient; RV ("prctl") for the others.
#include "program.h"

#include <linux/capability.h>
#include <signal.h>
#include <sys/prctl.h>

int main(int argc, char** argv) {
  static const struct {
    const char* name;
    int option;
    unsigned long value[3];
  } calls[] = {{"dumpable", PR_SET_DUMPABLE, {0}},
               {"ptracer", PR_SET_PTRACER, {PR_SET_PTRACER_ANY}},
               {"keepcaps", PR_SET_KEEPCAPS, {1}},
               {"securebits", PR_SET_SECUREBITS, {0}},
               {"subreaper", PR_SET_CHILD_SUBREAPER, {1}},
               {"tsc", PR_SET_TSC, {PR_TSC_SIGSEGV}},
               {"mm", PR_SET_MM, {PR_SET_MM_BRK}},
               {"ambient", PR_CAP_AMBIENT, {PR_CAP_AMBIENT_RAISE, CAP_SYS_ADMIN}},
               {"speculation", PR_SET_SPECULATION_CTRL, {PR_SPEC_STORE_BYPASS, PR_SPEC_ENABLE}},
               {"pdeathsig", PR_SET_PDEATHSIG, {SIGKILL}},
               {"name", PR_SET_NAME, {(unsigned long)"renamed"}}};
  const char* wanted = argc > 1 ? argv[1] : "dumpable";
  for (size_t i = 0; i < sizeof calls / sizeof *calls; ++i) {
    if (strcmp(wanted, calls[i].name) != 0) continue;
    TRY(wanted, prctl(calls[i].option, calls[i].value[0], calls[i].value[1], calls[i].value[2], 0));
  }
  End();
  return 0;
}

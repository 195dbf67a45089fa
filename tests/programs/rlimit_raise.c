// Asks for its limits to be raised to infinity, soft and hard, and prints what they are afterwards. The soft
// limit may go up to the hard one without any right, so a supervisor must set both; with CAP_SYS_RESOURCE (or
// as root outside a user namespace) the hard one goes up as well.
// Tally: every call "refused (EPERM)", END, OK; limits unchanged.
#include "program.h"

#include <sys/resource.h>

int main(void) {
  static const struct {
    const char* name;
    __rlimit_resource_t resource;
  } limits[] = {{"as", RLIMIT_AS},       {"fsize", RLIMIT_FSIZE}, {"stack", RLIMIT_STACK},
                {"nproc", RLIMIT_NPROC}, {"cpu", RLIMIT_CPU},     {"nofile", RLIMIT_NOFILE},
                {"core", RLIMIT_CORE}};
  for (size_t i = 0; i < sizeof limits / sizeof *limits; ++i) {
    const struct rlimit infinite = {RLIM_INFINITY, RLIM_INFINITY};
    struct rlimit now = {0, 0};
    TRY(limits[i].name, setrlimit(limits[i].resource, &infinite));
    getrlimit(limits[i].resource, &now);
    printf("%s now %lld of %lld\n", limits[i].name, (long long)now.rlim_cur, (long long)now.rlim_max);
  }
  End();
  return 0;
}

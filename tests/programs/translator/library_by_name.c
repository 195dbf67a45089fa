// Opens a shared library while it runs and calls functions of it by name: code that was not there at the start, is
// unmapped, and is there again.
#include "program.h"

#include <dlfcn.h>

int main(void) {
  double sum = 0;
  for (int round = 0; round < 2; ++round) {
    void* library = dlopen("libm.so.6", RTLD_NOW);
    if (library == NULL) {
      printf("dlopen: %s\n", dlerror());
      return 2;
    }
    double (*cosine)(double) = (double (*)(double))dlsym(library, "cos");
    double (*root)(double) = (double (*)(double))dlsym(library, "sqrt");
    for (int i = 0; i < 20; ++i) sum += cosine(i * 0.1) + root(i);
    dlclose(library);
  }
  printf("%.10f\n", sum);
  End();
  return 0;
}

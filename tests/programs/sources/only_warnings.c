// Compiles with a warning, whatever the options. OK, not CE; prints END.
#include <stdio.h>
#warning "a warning is no error"
int main(void) {
  puts("END");
  return 0;
}

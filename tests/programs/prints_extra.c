// Prints the right sum, END, and then one token too many.
// Tokens after the hint's last one count; blanks and newlines at the end do not.
// Tally: OK without check_output; WA with the hint "SUM\nEND"; with argument "blanks" it adds white space
// only and is OK.
#include "program.h"

int main(int argc, char** argv) {
  long long sum = 0;
  for (long long value; scanf("%lld", &value) == 1;) sum += value;
  printf("%lld\n", sum);
  End();
  fputs(argc > 1 && strcmp(argv[1], "blanks") == 0 ? " \t\n\n" : "0\n", stdout);
  return 0;
}

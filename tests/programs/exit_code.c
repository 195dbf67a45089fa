// Prints END and exits with code argv[1] (default 1).
// The kernel keeps the low 8 bits: 256 is 0, -1 is 255. Codes from 129 on look to a shell like "killed by
// signal N - 128", but here they are exit codes and nothing else.
// Tally: RE ("runtime error N") for 1 to 255, 137 and 139 included; OK for 0 and 256.
#include "program.h"

int main(int argc, char** argv) {
  End();
  return (int)Number(argc, argv, 1, 1);
}

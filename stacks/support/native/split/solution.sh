#!/bin/sh
# Builds the solution that is a process of its own, with what its debug information says of where variables are.
#   solution.sh COMPILER OPTION... -- SOURCE...
set -eu
. /tally/native/words.sh
mkdir -p solution
"$compiler" $options -I/box/solution -O0 -g -gdwarf-4 -fno-omit-frame-pointer -fstack-reuse=none -r -o split.o "$@"
"$compiler" @/tally/native/solution.options -Wl,-Bsymbolic -o solution/libsolution.so split.o
readelf -wi solution/libsolution.so | /prepared/split/tables >solution/types

#!/bin/sh
# The tests over a hollow solution, in which every function returns 0 and does nothing: with it cases are listed, so that
# a solution cannot hide any.
#   hollow.sh CC     beside libsolution.so and tests.so; makes hollow/ with both
set -eu
mkdir -p hollow
nm -D --defined-only -S libsolution.so | awk '
  { name = $NF; kind = $(NF - 1); size = NF == 4 ? $2 : "8" }
  name !~ /^[A-Za-z_][A-Za-z0-9_]*$/ { next }
  kind ~ /^[TWi]$/ { print "long " name "(void) { return 0; }" }
  kind ~ /^[DBRGSVu]$/ { print "__attribute__((aligned(16))) char " name "[0x" size " + 64];" }' >hollow/solution.c
"$1" -x c -w -fno-builtin -fPIC -shared -Wl,-soname,libsolution.so -o hollow/libsolution.so hollow/solution.c
cp tests.so hollow/tests.so

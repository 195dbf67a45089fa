#!/bin/sh
# Puts the tests' library into run/, with the solution's beside it: all that a run is shown. In run/hollow/ are the same
# tests over a hollow solution, in which every function returns 0 and does nothing: with it cases are listed, so that a
# solution cannot hide any.
#   place.sh CC TESTS.so     beside libsolution.so
set -eu
mkdir -p run/hollow
cp "$2" libsolution.so run
cp "$2" run/hollow
[ -e run/hollow/libsolution.so ] && exit 0
nm -D --defined-only -S libsolution.so | awk '
  { name = $NF; kind = $(NF - 1); size = NF == 4 ? $2 : "8" }
  name !~ /^[A-Za-z_][A-Za-z0-9_]*$/ { next }
  kind ~ /^[TWi]$/ { print "long " name "(void) { return 0; }" }
  kind ~ /^[DBRGSVu]$/ { print "__attribute__((aligned(16))) char " name "[0x" size " + 64];" }' >hollow.c
"$1" -x c -w -fno-builtin -fPIC -shared -Wl,-soname,libsolution.so -o run/hollow/libsolution.so hollow.c

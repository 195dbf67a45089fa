#!/bin/sh
# Compiles a solution with counters in, each source by itself and under a number: a compiler calls its notes after the
# source's name alone, and two sources of one name in two folders would have them in one file.
#   covered.sh CC @OPTIONS SOURCE...     makes solution.o, and notes N.gcno
set -eu
compiler=$1 options=$2
shift 2
number=0
for source; do
  number=$((number + 1))
  "$compiler" "$options" -I/box/solution -O0 --coverage -c -o "$number.o" "$source"
done
# out/ has no other objects yet.
"$compiler" -r -o solution.o [0-9]*.o

#!/bin/sh
# Makes libsolution.so of a solution in C.
#   solution.sh CC SOURCE...
#
# What the solution asks of the C library for memory goes through libleaks.so (leaks.options), but for what it defines itself, such as a
# getline of its own. The linker knows these only within one object; so several sources become one first.
set -eu
compiler=$1
shift
compile() { "$compiler" @/tally/native/c.options -I/box/solution -g -O1 -Wall -Wextra "$@"; }
link="@/tally/native/solution.options -Wl,-Bsymbolic @/tally/native/leaks.options"
if [ $# -gt 1 ]; then
  compile -r -o solution.o "$@"
  exec "$compiler" $link -o libsolution.so solution.o
fi
compile $link -o libsolution.so "$1"

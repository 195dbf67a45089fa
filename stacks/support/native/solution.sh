#!/bin/sh
# Makes libsolution.so of a solution in C.
#   solution.sh CC SOURCE...
#
# What the solution asks of the C library for memory goes through libleaks.so (leaks.options), but for what it defines itself, such as a
# getline of its own. The linker knows these only within one object; so several sources become one first.
set -eu
compiler=$1
shift
quick=/prepared/quick_link  # not there where nothing is tested
[ -x $quick ] || quick=
options="@/tally/native/c.options -I/box/solution -O1 -Wall -Wextra"
link="@/tally/native/solution.options -Wl,-Bsymbolic @/tally/native/leaks.options -o libsolution.so"
[ $# -gt 1 ] || exec $quick "$compiler" $options $link "$1"
"$compiler" $options -r -o solution.o "$@"
exec $quick "$compiler" $link solution.o

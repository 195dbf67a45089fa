#!/bin/sh
# Puts the tests' libraries into run/, with the solution's beside them: all that a run is shown.
#   place.sh listed|single COMPILER OPTION... -- TEST_SOURCE...     beside libsolution.so and test*.so
#
# Refuses a solution that defines a function or variable as the C library does, where the tests use it: the tests would be
# given the library's, and what they test would not be the solution. Few define any, so only then the tests are compiled
# once more, to be asked. (They ask for __cyg_profile_func_enter and its kin without a word of theirs; frames.c has these.)
#
# Of tests that are listed, run/hollow/ has the same over a hollow solution, in which every function returns 0 and does
# nothing: with it cases are listed, so that a solution cannot hide any.
set -eu
cases=$1 compiler=$2 options=
shift 2
while [ "$1" != -- ]; do
  options="$options $1"
  shift
done
shift
nm -D --defined-only -S libsolution.so >names
awk 'NR == FNR { taken[$1]; next } $NF in taken { print $NF }' /prepared/taken names >common
if [ -s common ]; then
  for test; do
    "$compiler" $options @/tally/native/tests_sources.options -c -o asks.o "$test"
    nm --undefined-only asks.o
  done | awk '{ print $NF }' | grep -v ^__cyg_profile_func_ >asked
  name=$(grep -F -x -m 1 -f asked common) || name=
  if [ -n "$name" ]; then
    echo "The solution defines $name, as the C library does. The tests use $name and would be given the library's:" \
      "call it otherwise, or let a header of the tests say #define $name solution_$name." >&2
    exit 1
  fi
fi
mkdir run
mv libsolution.so test*.so run
[ "$cases" = listed ] || exit 0
mkdir run/hollow
ln run/tests.so run/hollow
awk '
  { name = $NF; kind = $(NF - 1); size = NF == 4 ? $2 : "8" }
  name !~ /^[A-Za-z_][A-Za-z0-9_]*$/ { next }
  kind ~ /^[TWi]$/ { print ".text; .globl " name "; .type " name ", @function; " name ": xor %eax, %eax; xor %edx, %edx; pxor %xmm0, %xmm0; ret" }
  kind ~ /^[DBRGSVu]$/ { print ".bss; .globl " name "; .type " name ", @object; .balign 16; " name ": .zero 0x" size " + 64; .size " name ", 0x" size " + 64" }
  END { print ".section .note.GNU-stack, \"\", @progbits" }' names >hollow.s
"$compiler" -shared -nostdlib -Wl,-soname,libsolution.so -o run/hollow/libsolution.so hollow.s

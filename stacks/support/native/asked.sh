#!/bin/sh
# Refuses a solution that defines a function or variable as the C library does (common, by place.c), where the tests use it: the tests
# would be given the library's, and what they test would not be the solution. So the tests are compiled once more, to be asked. (They ask for
# __cyg_profile_func_enter and its kin without a word of theirs; frames.c has these.)
#   asked.sh COMPILER OPTION... -- TEST_SOURCE...
set -eu
compiler=$1 options=
shift
while [ "$1" != -- ]; do
  options="$options $1"
  shift
done
shift
for test; do
  "$compiler" $options @/tally/native/tests_sources.options -c -o asks.o "$test"
  nm --undefined-only asks.o
done | awk '{ print $NF }' | grep -v ^__cyg_profile_func_ >asked
name=$(grep -F -x -m 1 -f asked common) || name=
[ -n "$name" ] || exit 0
echo "The solution defines $name, as the C library does. The tests use $name and would be given the library's:" \
  "call it otherwise, or let a header of the tests say #define $name solution_$name." >&2
exit 1

#!/bin/sh
# Refuses a solution that defines a function or variable as the C library does (common, by place.c), where the tests use it: the tests
# would be given the library's, and what they test would not be the solution. So the tests are compiled once more, to see what they use. (The
# compiler makes them use __cyg_profile_func_enter and __cyg_profile_func_exit; frames.c has these.)
#   asked.sh COMPILER OPTION... -- TEST_SOURCE...
set -eu
. /tally/native/words.sh
for test; do
  "$compiler" $options @/tally/native/tests_sources.options -c -o asks.o "$test"
  nm --undefined-only asks.o
done | awk '{ print $NF }' | grep -v ^__cyg_profile_func_ >asked
name=$(grep -F -x -m 1 -f asked common) || name=
[ -z "$name" ] || refuse_taken "$name"

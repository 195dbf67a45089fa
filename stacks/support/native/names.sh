#!/bin/sh
# Refuses a solution that defines a function or variable as the C library does, where the tests use it: the tests would be
# given the library's, and what they test would not be the solution. (They ask for __cyg_profile_func_enter and its kin without
# a word of theirs; frames.c has these.)
#   names.sh CC TESTS.o     beside libsolution.so
set -eu
nm -D --defined-only libsolution.so | awk '{ print $NF }' | sort -u >names
nm --undefined-only "$2" | awk '{ sub(/^__wrap_/, "", $NF); print $NF }' |
  grep -v ^__cyg_profile_func_ | sort -u >needed
comm -12 names needed >common
[ -s common ] || exit 0
for library in libc.so.6 libm.so.6; do nm -D --defined-only "$("$1" -print-file-name=$library)"; done |
  awk 'NF == 3 { sub(/@.*/, "", $3); print $3 }' | sort -u >taken
for name in $(comm -12 common taken); do
  echo "The solution defines $name, as the C library does. The tests use $name and would be given the library's:" \
    "call it otherwise, or let a header of the tests say #define $name solution_$name." >&2
  exit 1
done

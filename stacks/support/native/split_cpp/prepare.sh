#!/bin/sh
# Makes what tests and solution of C++ as two processes are built and run with: the guard that asks, the program that answers, what writes the
# code of both sides, and the header of that code, compiled.
#   prepare.sh C++     makes split/
set -eu
compiler=$1
here=/tally/native/split_cpp common=/tally/native/split
mkdir -p /prepared/split
cd /prepared/split
"$compiler" -O1 -fno-builtin -s -DTALLY_SPLIT -rdynamic -Wl,-z,now -o guard -x c /tally/native/guard.c -x c "$here/asker.c" -x c "$common/printed.c" \
  -x c "$common/tests_end.c" -x c "$common/wire.c" -lm
"$compiler" -c -O1 -x c "$common/printed.c" -x c "$common/wire.c"
"$compiler" -std=gnu++20 -O1 -s -rdynamic -Wl,-z,now -o answerer "$here/answerer.cc" printed.o wire.o
rm printed.o wire.o
"$compiler" -std=gnu++20 -O1 -s -o generate "$here/generate.cc"
mkdir -p headers
for header in stubs answers; do
  "$compiler" @/tally/native/cpp.options @"$here/sides.options" -x c++-header -o "headers/$header.hh.gch" "$here/$header.hh"
done

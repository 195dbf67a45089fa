#!/bin/sh
# Makes what tests and solution as two processes are run with: the guard that asks, the program that answers, and what reads debug
# information for both.
#   prepare.sh CC     makes split/
set -eu
compiler=$1
here=/tally/native/split
mkdir -p /prepared/split
cd /prepared/split
common="-static-libgcc $here/calls.c $here/heap.c $here/memory.c $here/place.c $here/printed.c $here/talk.c $here/types.c $here/values.c $here/wire.c"
"$compiler" -std=gnu17 -O1 -s -o tables "$here/tables.c"
"$compiler" -std=gnu17 -O1 -fno-builtin -s -DTALLY_SPLIT -rdynamic -Wl,-z,now,--no-as-needed,-rpath,/prepared -o guard /tally/native/guard.c \
  "$here/asker.c" "$here/tests_end.c" $common /prepared/libleaks.so -lm
"$compiler" -std=gnu17 -O1 -fno-builtin -s -rdynamic -Wl,-z,now -o answerer "$here/answerer.c" "$here/callbacks.S" $common -lm

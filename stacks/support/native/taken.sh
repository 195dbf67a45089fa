#!/bin/sh
# The names of the C library, for place.c: they are three thousand, so they are read once.
#   taken.sh CC     makes taken
set -eu
for library in libc.so.6 libm.so.6; do nm -D --defined-only "$("$1" -print-file-name=$library)"; done |
  awk 'NF == 3 { sub(/@.*/, "", $3); print $3 }' | LC_ALL=C sort -u >taken

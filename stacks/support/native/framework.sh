#!/bin/sh
# Makes what the tests of C are linked with: framework.o of the framework's file, and the framework's libraries. The tests are
# linked with --wrap, for what leaks.c, frames.c and the framework's file have to see; in what is made here the same functions
# are called by their own names, so nothing of the framework is counted.
#   framework.sh CC FRAMEWORK SOURCE LIBRARY...
set -eu
compiler=$1 framework=$2 source=$3
shift 3
renamed() { sed 's/-Wl,--wrap=\(.*\)/\1 __real_\1/' "$@"; }
cd /prepared
renamed /tally/native/leaks.options /tally/native/frames.options >of_libraries
renamed /tally/native/leaks.options /tally/native/frames.options "/tally/native/$framework.options" >of_framework
"$compiler" -std=gnu17 -O1 -fPIC -r -nostdlib -o wrapped.o "$source" /tally/native/frames.c
objcopy --redefine-syms=of_framework wrapped.o framework.o
for library; do objcopy --redefine-syms=of_libraries "$("$compiler" -print-file-name="$library")" "$library"; done
rm wrapped.o of_libraries of_framework

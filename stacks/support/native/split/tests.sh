#!/bin/sh
# Builds tests that are a process without the solution: in the place of each function of its that they call is one that asks its process
# (enter.inc), and beside the library lies what its debug information says (tables.c).
#   tests.sh LIBRARY COMPILER OPTION... -- TEST_SOURCE... -- WORD...     the words are for the linker
# Names of the framework's and the C library's are theirs, whatever the solution defines; where the tests use one that it defines, too, they
# are not built, as in one process (asked.sh).
set -eu
library=$1
shift
. /tally/native/words.sh
number=0 objects=
while [ "$1" != -- ]; do
  number=$((number + 1))
  "$compiler" $options @/tally/native/split/tests.options -c -o "split.$number.o" "$1"
  objects="$objects split.$number.o"
  shift
done
shift
nm --undefined-only $objects | awk 'NF == 2 { print $2 }' | sort -u >asked
nm --defined-only $objects /prepared/framework.o /prepared/*.a 2>/dev/null | awk 'NF == 3 { print $3 }' | sort -u >own
nm -D --defined-only -S solution/libsolution.so | awk '{ print $NF, $(NF - 1), NF == 4 ? $2 : "8" }' >names
name=$(awk '{ print $1 }' names | grep -F -x -f asked | grep -F -x -m 1 -f /prepared/taken) || name=
[ -z "$name" ] || refuse_taken "$name"
: >asked.names
awk -v root=/tally/native/split '
  FILENAME == "asked" { asked[$1]; next }
  FILENAME == "own" { own[$1]; next }
  $3 !~ /^[0-9a-f]+$/ || !($1 in asked) || ($1 in own) || $1 ~ /^__/ || $1 ~ /^tally_/ || $1 !~ /^[A-Za-z_][A-Za-z0-9_]*$/ { next }
  { print $1 >"asked.names" }
  $2 ~ /^[TWi]$/ { functions[count++] = $1 }
  $2 ~ /^[DBRGSVu]$/ { print ".bss\n.globl " $1 "\n.type " $1 ", @object\n.balign 32\n" $1 ": .zero 0x" $3 "\n.size " $1 ", 0x" $3 }
  END {
    print "#include \"" root "/enter.inc\"\n.text"
    for (i = 0; i < count; ++i) print ".globl " functions[i] "\n.type " functions[i] ", @function\n" functions[i] ": mov $" i ", %r11d; jmp tally_enter"
    print ".section .rodata\n.globl tally_split_names\n.type tally_split_names, @object\ntally_split_names:"
    for (i = 0; i < count; ++i) print ".asciz \"" functions[i] "\""
    print ".asciz \"\"\n.size tally_split_names, . - tally_split_names"
  }' asked own names >stubs.S
"$compiler" -c -o stubs.o stubs.S
"$compiler" -shared -o "$library" $objects stubs.o "$@"
mkdir -p run
mv "$library" run
# What else they use is a library's.
readelf -wi "run/$library" | /prepared/split/tables |
  awk 'FILENAME == "asked.names" { asked[$1]; next } !($1 == "f" || $1 == "g") || $2 in asked' asked.names - >"run/$library.types"
rm -f $objects

#!/bin/sh
# Builds both sides of a split: the tests with a stub for each function of the solution's that they call, and beside the solution's library what
# answers these (calls.hh). What they take and return is known from the include files.
#   build.sh COMPILER OPTION... -- TEST_SOURCE... -- WORD...     the words are for the linker of the tests
# Names of the framework's and the libraries' are theirs, whatever the solution defines; where the tests use one of the C library's that it
# defines, too, they are not built, as in one process (asked.sh).
set -eu
here=/tally/native/split_cpp
. /tally/native/words.sh
say() {
  echo "with params.split $*" >&2
  exit 1
}

# The tests, and which headers they include.
number=0 objects=
while [ "$1" != -- ]; do
  number=$((number + 1))
  "$compiler" $options -O0 -I/box/tests -idirafter /box/solution -H -c -o "test.$number.o" "$1" 2>said || failed=1
  grep '^[.]* /' said >>headers || :
  sed '/^Multiple include guards/,$d; /^[.!x]* \//d' said >&2
  [ -z "${failed-}" ] || exit 1
  objects="$objects test.$number.o"
  shift
done
shift
header=$(awk '$2 ~ "^/box/solution/" { print substr($2, 15); exit }' headers)
[ -z "$header" ] || say "the tests cannot include $header of the solution, whose code would be in their process: give it as an include file"
awk '{ path[length($1)] = $2 }
  $2 ~ "^/box/include/" && path[length($1) - 1] !~ "^/box/include/" && !seen[$2]++ { print "#include \"" $2 "\"" }' headers >included.inc
given=$(awk '$2 ~ "^/box/include/" { print $2 }' headers | sort -u)

# What they ask for.
nm --undefined-only $objects | awk 'NF == 2 { print $2 }' | sort -u >asked
libraries="$(for word; do case $word in *.o | *.a) echo "$word" ;; -lgtest) "$compiler" -print-file-name=libgtest.a ;; esac; done)"
{
  nm --defined-only $objects $libraries 2>/dev/null
  for library in libstdc++.so.6 libgcc_s.so.1; do nm -D --defined-only "$("$compiler" -print-file-name=$library)"; done
} | awk 'NF == 3 { sub(/@.*/, "", $3); print $3 }' | sort -u >own
nm -D --defined-only libsolution.so | awk 'NF == 3 { sub(/@.*/, "", $3); print $3, $2 }' >names
name=$(awk '{ print $1 }' names | grep -F -x -f asked | grep -F -x -m 1 -f /prepared/taken) || name=
[ -z "$name" ] || refuse_taken "$name"
awk 'FILENAME == "asked" { asked[$1]; next } FILENAME == "own" { own[$1]; next } ($1 in asked) && !($1 in own) && $1 !~ /^(tally_|__)/' asked own names |
  grep -v '^_ZT[IS]' | sort >wanted || :
variable=$(awk '$2 !~ /^[TWi]$/ { print $1; exit }' wanted | c++filt)
case $variable in
  "") ;;
  "vtable for "*) say "the tests cannot make objects of ${variable#vtable for }, whose virtual functions are the solution's" ;;
  *) say "the tests cannot use $variable of the solution: they can call functions, and use no variable" ;;
esac
awk '{ print $1 }' wanted >functions

# The code of both sides.
code() {
  printf '#include <%s.hh>\n#include "included.inc"\n#include "classes.inc"\n#include "functions.inc"\n%s\n' "$1" "$2"
}
sides="$options -I/prepared/split/headers -I$here @$here/sides.options"
printf '#include "values.hh"\n#include "included.inc"\n#include "uses.inc"\n' >types.cc
code stubs "" >stubs.cc
code answers "TALLY_ANSWERS()" >answers.cc
: >uses.inc
look() {
  "$compiler" $sides -gdwarf-4 -fno-eliminate-unused-debug-types -femit-class-debug-always -c -o types.o types.cc 2>types.said || return 0
  readelf -wi types.o | /prepared/split/generate functions $given
}
look
if [ -n "$given" ] && grep -q -w template $given; then look; fi
"$compiler" $sides -fmax-errors=0 -c -o stubs.o stubs.cc 2>said &
"$compiler" $sides -c -o answers.o answers.cc 2>answers.said && answers=0 || answers=1
if ! wait $!; then
  if grep -q 'static assertion failed: with params.split' said; then
    sed -n 's/.*static assertion failed: \(with params.split .*\)/\1/p' said | awk '!seen[$0]++' >&2
  elif grep -q '^asked: .* error: ' said; then
    sed -n 's/^asked: \(.*\):[0-9]*:[0-9]*: error: .*/with params.split \1 cannot be called: no include file that the tests include declares it/p' said | awk '!seen[$0]++' >&2
  else
    cat said >&2
  fi
  exit 1
fi
if [ $answers != 0 ]; then
  cat answers.said >&2
  exit 1
fi
mkdir -p run solution
"$compiler" -shared -s -o run/tests.so $objects stubs.o "$@"
mv libsolution.so solution
"$compiler" -shared -s -Wl,-rpath,'$ORIGIN' -o solution/answers.so answers.o solution/libsolution.so
rm -f ./*.o

# For scripts whose words are COMPILER OPTION... -- and more, to be read by `.`: $compiler, $options, and the rest in $1 and on.
compiler=$1 options=
shift
while [ "$1" != -- ]; do
  options="$options $1"
  shift
done
shift

# Of a name that the solution defines as the C library does, and the tests use.
refuse_taken() {
  echo "The solution defines $1, as the C library does. The tests use $1 and would be given the library's:" \
    "call it otherwise, or let a header of the tests say #define $1 solution_$1." >&2
  exit 1
}

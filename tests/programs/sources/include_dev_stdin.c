// Includes the compiler's own input: blocks when stdin is a terminal or a pipe; an empty stdin is an empty
// file. OK (compiled, exits 0) or CE; never a hang.
#include </dev/stdin>
int main(void) { return 0; }

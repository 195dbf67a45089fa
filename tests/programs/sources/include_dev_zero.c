// Includes an endless file: the preprocessor reads zeros until its memory limit, its time limit, or for ever.
// CE with a sentence that names the limit; the host is as it was.
#include </dev/zero>
int main(void) { return 0; }

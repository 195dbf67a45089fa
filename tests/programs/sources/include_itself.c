// Includes itself twice, to 200 levels; there each inclusion is an error and the compiler goes on with the
// next of 2^200: messages by the megabyte, for ever. CE with a sentence that names the limit.
#include __FILE__
#include __FILE__
int main(void) { return 0; }

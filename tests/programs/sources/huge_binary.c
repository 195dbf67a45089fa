// An initialised array of 1 GiB: the object file and the executable hold every byte of it. CE with a sentence
// that names the limit (size of the result, memory or time); the disk does not fill.
char array[1 << 30] = {1};
int main(void) { return array[1]; }

// Does nothing and exits 0; the one program without an end token, because its exit status is its behaviour.
// A static program's start-up is a dozen system calls of libc, so the wall time of this one is the executor's
// overhead and nothing else (bench/run_overhead).
// Tally: OK under any limits.
int main(void) { return 0; }

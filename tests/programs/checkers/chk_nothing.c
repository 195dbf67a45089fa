// Prints nothing and exits 0.
// Silence is what a checker gives that crashed early or wrote to a wrong descriptor.
// Tally (SIO protocol): "anything but OK on the first line, nothing included, is WRONG": WA; never OK.
int main(void) { return 0; }

// Compiles but does not link: the function is nowhere defined. CE; the linker's message names it.
int DefinedNowhere(int);
int main(void) { return DefinedNowhere(1); }

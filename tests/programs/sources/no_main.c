// A translation unit without main: compiles, does not link. CE.
int Answer(void) { return 42; }

package tally;

import java.io.IOException;

/** Sees each class of the solution before it is loaded, and writes down at the end what it has learned. */
interface Meter {
  byte[] instrumented(byte[] content, String name) throws IOException;

  void write() throws IOException;
}

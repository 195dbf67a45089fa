package tally;

import java.io.IOException;

/** Sees each class of the solution before it is loaded, and writes down at the end what it has learned. */
interface Meter {
  static Meter made() throws ReflectiveOperationException {
    return (Meter) Class.forName("tally.Coverage").getDeclaredConstructor().newInstance();
  }

  byte[] instrumented(byte[] content, String name) throws IOException;

  /** What was executed so far, in a form of its own. */
  byte[] executed() throws IOException;

  /** The same, of another process. */
  void add(byte[] executed) throws IOException;

  void write() throws IOException;
}

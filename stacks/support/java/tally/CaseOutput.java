package tally;

import java.io.ByteArrayOutputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;

/** What is printed while a case runs, its beginning. Who prints more than a limit is thrown out of it. */
final class CaseOutput extends OutputStream {
  private final int most, mostKept;
  private int written;
  private final ByteArrayOutputStream text = new ByteArrayOutputStream();
  private boolean flooded;

  /** Bytes: that may be written, and that are kept. */
  CaseOutput(int most, int mostKept) {
    this.most = most;
    this.mostKept = mostKept;
  }

  PrintStream stream() {
    return new PrintStream(this, true, StandardCharsets.UTF_8);
  }

  @Override
  public synchronized void write(int value) {
    write(new byte[] {(byte) value}, 0, 1);
  }

  @Override
  public synchronized void write(byte[] bytes, int offset, int length) {
    text.write(bytes, offset, Math.min(mostKept - text.size(), length));
    int room = most - written;
    written += Math.min(room, length);
    if (length > room) {
      flooded = true;
      throw new Flood();
    }
  }

  synchronized boolean isFlooded() {
    return flooded;
  }

  /** What was printed since the last call. */
  synchronized String take() {
    String taken = text.toString(StandardCharsets.UTF_8);
    text.reset();
    written = 0;
    flooded = false;
    return taken;
  }

  private static final class Flood extends Error {
    private static final long serialVersionUID = 1;

    Flood() {
      super("output limit exceeded");
    }
  }
}

package tally;

import java.io.ByteArrayOutputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;

/** What is printed while a case runs, up to a limit; who prints more is thrown out of it. */
final class CaseOutput extends OutputStream {
  private final int most;
  private final ByteArrayOutputStream text = new ByteArrayOutputStream();
  private boolean flooded;

  CaseOutput(int most) {
    this.most = most;
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
    int room = most - text.size();
    text.write(bytes, offset, Math.min(room, length));
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

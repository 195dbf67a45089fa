package tally.split;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;

/** A message that is being written: numbers with their highest byte first, texts with their length before them. */
final class Output {
  private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();

  byte[] toBytes() {
    return bytes.toByteArray();
  }

  int size() {
    return bytes.size();
  }

  Output u1(int value) {
    bytes.write(value);
    return this;
  }

  Output i4(int value) {
    return u1(value >>> 24).u1(value >>> 16).u1(value >>> 8).u1(value);
  }

  Output i8(long value) {
    return i4((int) (value >>> 32)).i4((int) value);
  }

  Output raw(byte[] some) {
    if (bytes.size() + (long) some.length > Side.LONGEST) throw new TooMuch();
    bytes.write(some, 0, some.length);
    return this;
  }

  Output block(byte[] some) {
    return i4(some.length).raw(some);
  }

  /** Lone halves of surrogate pairs stay what they are. */
  Output text(String text) {
    byte[] narrow = text.getBytes(StandardCharsets.ISO_8859_1);
    boolean isNarrow = text.equals(new String(narrow, StandardCharsets.ISO_8859_1));
    if (isNarrow) return u1(1).block(narrow);
    if (text.length() > Side.MOST / 2) throw new TooMuch();
    byte[] wide = new byte[2 * text.length()];
    for (int i = 0; i < text.length(); ++i) {
      wide[2 * i] = (byte) (text.charAt(i) >>> 8);
      wide[2 * i + 1] = (byte) text.charAt(i);
    }
    return u1(2).block(wide);
  }

  Output textOrNull(String text) {
    return text == null ? u1(0) : text(text);
  }

  /** More than a message may have. */
  static final class TooMuch extends RuntimeException {
    private static final long serialVersionUID = 1;

    TooMuch() {
      super("with params.split no more than " + (Side.MOST >> 20) + " MiB go at once between tests and solution");
    }
  }
}

package tally.split;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** A message that is being read. Nothing is made of a length before the bytes for it are there. */
final class Input {
  private final byte[] bytes;
  private int at;

  Input(byte[] bytes) {
    this.bytes = bytes;
  }

  int left() {
    return bytes.length - at;
  }

  void finish() {
    if (left() != 0) throw new Misunderstood("more than a message");
  }

  int u1() {
    need(1);
    return bytes[at++] & 255;
  }

  int i4() {
    need(4);
    return u1() << 24 | u1() << 16 | u1() << 8 | u1();
  }

  long i8() {
    return (long) i4() << 32 | i4() & 0xffffffffL;
  }

  /** Of things that have at least so many bytes each. */
  int count(int least) {
    int count = i4();
    if (count < 0 || count > left() / least) throw new Misunderstood("a length of " + count);
    return count;
  }

  byte[] block() {
    int size = count(1);
    at += size;
    return Arrays.copyOfRange(bytes, at - size, at);
  }

  String text() {
    String text = textOrNull();
    if (text == null) throw new Misunderstood("no text");
    return text;
  }

  String textOrNull() {
    int kind = u1();
    if (kind == 0) return null;
    byte[] some = block();
    if (kind == 1) return new String(some, StandardCharsets.ISO_8859_1);
    if (kind != 2 || some.length % 2 != 0) throw new Misunderstood("no text");
    char[] wide = new char[some.length / 2];
    for (int i = 0; i < wide.length; ++i) wide[i] = (char) (some[2 * i] << 8 | some[2 * i + 1] & 255);
    return new String(wide);
  }

  private void need(int size) {
    if (left() < size) throw new Misunderstood("less than a message");
  }
}

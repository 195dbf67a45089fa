package tally;

import java.io.ByteArrayOutputStream;
import java.io.FileDescriptor;
import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import tally.split.Descriptors;

/**
 * The report channel (evaluation/report_channel.h), as a test process in Java has it. run.sh has moved it to a
 * descriptor for which Java has no name, and put /dev/null in the place of stdin.
 */
final class Channel {
  private static final int DESCRIPTOR = 9;  // run.sh
  private static final long MANY_TEXTS = 16 << 20;

  final Map<String, String> keys = new HashMap<>();
  final Set<String> skip = new HashSet<>();
  final Map<String, byte[]> files = new LinkedHashMap<>();
  private final FileOutputStream out;
  private final byte[] secret;
  private long written;

  Channel() throws IOException, ReflectiveOperationException {
    FileDescriptor descriptor = Descriptors.of(DESCRIPTOR);
    byte[] request = new FileInputStream(descriptor).readAllBytes();
    out = new FileOutputStream(descriptor);
    out.getChannel().truncate(0);
    int end = lineEnd(request, 0);
    secret = Arrays.copyOf(request, end);
    read(request, end + 1);
    Arrays.fill(request, (byte) 0);
  }

  private void read(byte[] request, int at) {
    for (;;) {
      int end = lineEnd(request, at);
      String[] words = new String(request, at, end - at, StandardCharsets.UTF_8).split(" ", 2);
      at = end + 1;
      switch (words[0]) {
        case "end":
          return;
        case "skip":
          skip.add(words[1]);
          break;
        case "file":
          String[] sizeAndPath = words[1].split(" ", 2);
          int size = Integer.parseInt(sizeAndPath[0]);
          files.put(sizeAndPath[1], Arrays.copyOfRange(request, at, at + size));
          at += size + 1;
          break;
        default:
          keys.put(words[0], words[1]);
      }
    }
  }

  private static int lineEnd(byte[] text, int at) {
    while (text[at] != '\n') ++at;
    return at;
  }

  int number(String key, int otherwise) {
    return Integer.parseInt(keys.getOrDefault(key, Integer.toString(otherwise)));
  }

  /** One record, in one write. */
  synchronized void write(String kind, String payload) {
    try {
      byte[] bytes = payload.getBytes(StandardCharsets.UTF_8);
      ByteArrayOutputStream record = new ByteArrayOutputStream();
      record.write(secret);
      record.write((" " + kind + " " + bytes.length + "\n").getBytes(StandardCharsets.UTF_8));
      record.write(bytes);
      record.write('\n');
      out.write(record.toByteArray());
      written += record.size();
      if (written > MANY_TEXTS) JUnitXml.beBrief();
    } catch (IOException error) {
      Runtime.getRuntime().halt(70);
    }
  }
}

package tally.split;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Files of tests and solution, where each has a /tmp of its own: what one side has changed there since it was last asked goes with its
 * next message, and is there too when the other goes on. So a temporary folder is one folder to both.
 */
final class CarriedFiles {
  private static final Path TOP = Path.of("/tmp");
  private static final int MOST = 4 << 20;  // of one file, and a message's are twice that; what is larger stays where it is
  private static final int MOST_FILES = 10_000, LONGEST_PATH = 500;
  private static final long CLOCK_TICK = 50_000_000;  // ns for which the kernel's clock for files may stand still

  private Map<String, String> known = new HashMap<>();
  private final Map<String, byte[]> recent = new HashMap<>();  // written so lately that the next change may have the same time

  CarriedFiles() {
    known = marks();
  }

  private static Map<String, String> marks() {
    Map<String, String> found = new HashMap<>();
    try {
      Files.walkFileTree(TOP, new SimpleFileVisitor<Path>() {
        @Override
        public FileVisitResult preVisitDirectory(Path folder, BasicFileAttributes attributes) {
          return folder.equals(TOP) ? FileVisitResult.CONTINUE : note(folder, "folder");
        }

        @Override
        public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
          return attributes.isRegularFile() ? note(file, mark(attributes)) : FileVisitResult.CONTINUE;
        }

        @Override
        public FileVisitResult visitFileFailed(Path file, IOException error) {
          return FileVisitResult.CONTINUE;
        }

        @Override
        public FileVisitResult postVisitDirectory(Path folder, IOException error) {
          return FileVisitResult.CONTINUE;
        }

        private FileVisitResult note(Path path, String mark) {
          String name = TOP.relativize(path).toString();
          if (name.length() > LONGEST_PATH) return FileVisitResult.SKIP_SUBTREE;
          if (found.size() < MOST_FILES) found.put(name, mark);
          return FileVisitResult.CONTINUE;
        }
      });
    } catch (IOException error) {
      // Then there is none.
    }
    return found;
  }

  private static String mark(BasicFileAttributes attributes) {
    return attributes.lastModifiedTime() + " " + attributes.size() + " " + attributes.fileKey();
  }

  /** Each with its path and 0: it is gone, 1: a folder, or 2: its content. */
  void write(Output out) {
    Map<String, String> now = marks();
    List<Runnable> changes = new ArrayList<>();
    int room = 2 * MOST;
    for (String path : new java.util.TreeMap<>(now).keySet()) {
      boolean changed = !now.get(path).equals(known.get(path));
      if (!changed && !recent.containsKey(path)) continue;
      if (now.get(path).equals("folder")) {
        changes.add(() -> out.text(path).u1(1));
        continue;
      }
      byte[] content = content(path, Math.min(room, MOST)), before = recent.remove(path);
      if (content == null) continue;
      keepRecent(path, content);
      if (Arrays.equals(content, before)) continue;
      room -= content.length;
      changes.add(() -> out.text(path).u1(2).block(content));
    }
    for (String path : new java.util.TreeMap<>(known).descendingKeySet()) {
      if (!now.containsKey(path)) changes.add(() -> out.text(path).u1(0));
    }
    known = now;
    out.i4(Math.min(changes.size(), MOST_FILES));
    changes.stream().limit(MOST_FILES).forEach(Runnable::run);
  }

  private static byte[] content(String path, int most) {
    try (InputStream file = Files.newInputStream(TOP.resolve(path), LinkOption.NOFOLLOW_LINKS)) {
      byte[] content = file.readNBytes(most + 1);
      return content.length > most ? null : content;
    } catch (IOException error) {
      return null;
    }
  }

  private void keepRecent(String path, byte[] content) {
    try {
      long age = System.currentTimeMillis() * 1_000_000 - Files.getLastModifiedTime(TOP.resolve(path)).to(java.util.concurrent.TimeUnit.NANOSECONDS);
      if (age < CLOCK_TICK) recent.put(path, content);
    } catch (IOException error) {
      recent.remove(path);
    }
  }

  void read(Input in) {
    int count = in.count(7);
    for (int i = 0; i < count; ++i) {
      String path = in.text();
      int kind = in.u1();
      byte[] content = kind == 2 ? in.block() : null;
      if (kind > 2) throw new Misunderstood("no file");
      if (isBelow(path)) write(path, kind, content);
    }
  }

  /** Nor through a link. */
  private static boolean isBelow(String path) {
    if (path.isEmpty() || path.startsWith("/") || path.length() > LONGEST_PATH || path.indexOf('\0') >= 0) return false;
    Path full = TOP.resolve(path);
    if (!full.normalize().toString().equals(TOP + "/" + path)) return false;
    for (Path above = full.getParent(); !above.equals(TOP); above = above.getParent()) {
      if (Files.isSymbolicLink(above)) return false;
    }
    return true;
  }

  private void write(String path, int kind, byte[] content) {
    Path full = TOP.resolve(path);
    try {
      if (kind == 0) {
        Files.deleteIfExists(full);
        known.remove(path);
        return;
      }
      Files.createDirectories(kind == 1 ? full : full.getParent());
      if (kind == 2) {
        try (OutputStream file = Files.newOutputStream(full, StandardOpenOption.CREATE, StandardOpenOption.TRUNCATE_EXISTING,
            StandardOpenOption.WRITE, LinkOption.NOFOLLOW_LINKS)) {
          file.write(content);
        }
        keepRecent(path, content);
      }
      known.put(path, kind == 1 ? "folder" : mark(Files.readAttributes(full, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS)));
    } catch (IOException error) {
      known.remove(path);  // a folder in a file's place, or the file's in the folder's
    }
  }
}

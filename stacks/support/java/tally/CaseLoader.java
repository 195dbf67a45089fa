package tally;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.MalformedURLException;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.AccessController;
import java.security.CodeSource;
import java.security.PrivilegedAction;
import java.security.ProtectionDomain;
import java.security.cert.Certificate;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import tally.split.StubFields;

/**
 * Loads tests from memory and the solution from its folder: one loader, because members without a modifier are seen in
 * the same package of the same loader only, but two domains (Guard). A test's class wins over a solution's of its name. Where
 * the solution has a process of its own, what the tests load in its place are stubs (split/StubClass), which are sent, too.
 */
@SuppressWarnings("removal")
final class CaseLoader extends ClassLoader {
  private static final Path SOLUTION = Path.of("/box/out/classes");
  private static final Path[] RESOURCES = {Path.of("/box/include"), Path.of("/box/solution")};

  private final Map<String, byte[]> classes = new HashMap<>();
  private final Map<String, byte[]> stubs = new HashMap<>();
  private final StubFields stubFields;
  private final Map<String, byte[]> resources = new HashMap<>();
  final ProtectionDomain tests = domain("file:/box/tests/");
  private final ProtectionDomain solution = domain("file:/box/out/classes/");
  private final Meter meter;

  static {
    registerAsParallelCapable();
  }

  /** `files`: as they were sent, compiled ones in out/tests, stubs in out/stubs, others in tests. `meter` may be null. */
  CaseLoader(Map<String, byte[]> files, boolean split, Meter meter) {
    super(CaseLoader.class.getClassLoader());
    this.meter = meter;
    stubFields = split ? new StubFields() : null;
    files.forEach((path, content) -> {
      if (path.startsWith("out/tests/") && path.endsWith(".class")) {
        classes.put(className(path, "out/tests/"), content);
      } else if (path.startsWith("out/stubs/") && path.endsWith(".class")) {
        stubs.put(className(path, "out/stubs/"), content);
      } else if (path.startsWith("tests/") && !path.endsWith(".java")) {
        resources.put(path.substring("tests/".length()), content);
      }
    });
    stubs.forEach((name, content) -> {
      if (isStub(name)) stubFields.add(content);
    });
  }

  private static String className(String path, String folder) {
    return path.substring(folder.length(), path.length() - ".class".length()).replace('/', '.');
  }

  /** Whether the class stands for one of the solution's process. */
  boolean isStub(String name) {
    return stubs.containsKey(name) && !classes.containsKey(name);
  }

  private ProtectionDomain domain(String location) {
    try {
      return new ProtectionDomain(new CodeSource(new URL(location), (Certificate[]) null), null, this, null);
    } catch (MalformedURLException error) {
      throw new IllegalStateException(error);
    }
  }

  List<String> testClasses() {
    List<String> names = new ArrayList<>(classes.keySet());
    names.sort(null);
    return names;
  }

  @Override
  protected Class<?> findClass(String name) throws ClassNotFoundException {
    byte[] content = classes.get(name);
    if (content != null) return defineClass(name, stubFields == null ? Entrances.guarded(content) : stubFields.asking(content), tests);
    if (stubFields != null) {
      if (!isStub(name)) throw new ClassNotFoundException(name);
      return defineClass(name, stubFields.withoutFields(stubs.get(name)), tests);
    }
    Path file = SOLUTION.resolve(name.replace('.', '/') + ".class");
    content = AccessController.doPrivileged((PrivilegedAction<byte[]>) () -> contentOf(file, name));
    if (content == null) throw new ClassNotFoundException(name);
    return defineClass(name, content, solution);
  }

  private Class<?> defineClass(String name, byte[] content, ProtectionDomain domain) {
    return defineClass(name, content, 0, content.length, domain);
  }

  private byte[] contentOf(Path file, String name) {
    try {
      byte[] content = Files.readAllBytes(file);
      return meter == null ? content : meter.instrumented(content, name);
    } catch (IOException error) {
      return null;
    }
  }

  /** Not what configures the framework: services, junit-platform.properties. */
  @Override
  protected URL findResource(String name) {
    if (name.startsWith("META-INF/") || name.startsWith("junit")) return null;
    return AccessController.doPrivileged((PrivilegedAction<URL>) () -> {
      for (Path folder : RESOURCES) {
        Path file = folder.resolve(name).normalize();
        if (file.startsWith(folder) && Files.isRegularFile(file)) return urlOf(file);
      }
      return null;
    });
  }

  private static URL urlOf(Path file) {
    try {
      return file.toUri().toURL();
    } catch (MalformedURLException error) {
      return null;
    }
  }

  /** What belongs to the tests is for them alone. */
  @Override
  public InputStream getResourceAsStream(String name) {
    byte[] content = resources.get(name);
    if (content == null) return super.getResourceAsStream(name);
    SecurityManager manager = System.getSecurityManager();
    if (manager != null) manager.checkPermission(new RuntimePermission("testsResource"));
    return new ByteArrayInputStream(content);
  }
}

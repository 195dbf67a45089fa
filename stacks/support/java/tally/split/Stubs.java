package tally.split;

import java.io.IOException;
import java.lang.reflect.Constructor;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import jdk.internal.org.objectweb.asm.ClassReader;
import jdk.internal.org.objectweb.asm.MethodVisitor;
import jdk.internal.org.objectweb.asm.Opcodes;
import jdk.internal.org.objectweb.asm.Type;

/**
 * Makes a stub of each class of the solution, before tests are compiled:  Stubs CLASSES STUBS
 *
 * <p>Class files are read, and nothing in them is executed. A class of an include file has a stub, too, which counts where the tests do not
 * have the class themselves.
 */
public final class Stubs implements StubClass.Others {
  private static final int MOST_CLASSES = 20_000;

  private final Map<String, byte[]> classes = new HashMap<>();

  private Stubs(Path folder) throws IOException {
    List<Path> files;
    try (Stream<Path> all = Files.walk(folder)) {
      files = all.filter(file -> file.toString().endsWith(".class")).limit(MOST_CLASSES).collect(Collectors.toList());
    }
    for (Path file : files) {
      String path = folder.relativize(file).toString();
      classes.put(path.substring(0, path.length() - ".class".length()), Files.readAllBytes(file));
    }
  }

  public static void main(String[] arguments) throws IOException {
    Path folder = Path.of(arguments[0]), into = Path.of(arguments[1]);
    Files.createDirectories(into);
    if (!Files.isDirectory(folder)) return;
    Stubs stubs = new Stubs(folder);
    for (Map.Entry<String, byte[]> one : stubs.classes.entrySet()) {
      Path file = into.resolve(one.getKey() + ".class");
      Files.createDirectories(file.getParent());
      Files.write(file, StubClass.made(one.getValue(), stubs));
    }
  }

  /** Also one that is the include files': what the tests run with is theirs, and may have no stub's constructor. */
  @Override
  public boolean isStub(String name) {
    return classes.containsKey(name) && !Kinds.isOfInclude(name.replace('/', '.'));
  }

  @Override
  public List<StubClass.InheritedMethod> inherited(String name) {
    List<StubClass.InheritedMethod> found = new ArrayList<>();
    String at = name;
    while (classes.containsKey(at)) {
      ClassReader reader = new ClassReader(classes.get(at));
      reader.accept(new Visitor(null) {
        @Override
        public MethodVisitor visitMethod(int access, String method, String descriptor, String signature, String[] exceptions) {
          if ((access & (Opcodes.ACC_PRIVATE | Opcodes.ACC_STATIC | Opcodes.ACC_FINAL)) == 0 && !method.startsWith("<")) {
            found.add(new StubClass.InheritedMethod(access, method, descriptor));
          }
          return null;
        }
      }, ClassReader.SKIP_CODE);
      at = reader.getSuperName();
    }
    for (Class<?> kind = java(at); kind != null && kind != Object.class && kind != Throwable.class; kind = kind.getSuperclass()) {
      for (Method method : kind.getDeclaredMethods()) {
        int access = method.getModifiers();
        boolean isSeen = Modifier.isPublic(access) || Modifier.isProtected(access);
        if (isSeen && !Modifier.isStatic(access) && !isFinalFrom(kind, java(at), method)) {
          found.add(new StubClass.InheritedMethod(access & ~Modifier.VOLATILE, method.getName(), Type.getMethodDescriptor(method)));
        }
      }
    }
    return found;
  }

  private static boolean isFinalFrom(Class<?> top, Class<?> bottom, Method method) {
    for (Class<?> at = bottom; at != top.getSuperclass(); at = at.getSuperclass()) {
      try {
        if (Modifier.isFinal(at.getDeclaredMethod(method.getName(), method.getParameterTypes()).getModifiers())) return true;
      } catch (NoSuchMethodException error) {
        continue;
      }
    }
    return false;
  }

  private static Class<?> java(String name) {
    try {
      return Class.forName(name.replace('/', '.'), false, ClassLoader.getPlatformClassLoader());
    } catch (ClassNotFoundException error) {
      throw new IllegalStateException(error);
    }
  }

  @Override
  public String constructor(String name) {
    if (!classes.containsKey(name)) {
      return Stream.of(java(name).getDeclaredConstructors()).filter(one -> (one.getModifiers() & (Modifier.PUBLIC | Modifier.PROTECTED)) != 0)
          .min(Comparator.comparingInt(Constructor::getParameterCount)).map(Type::getConstructorDescriptor).orElse("()V");
    }
    List<String> found = new ArrayList<>();
    new ClassReader(classes.get(name)).accept(new Visitor(null) {
      @Override
      public MethodVisitor visitMethod(int access, String method, String descriptor, String signature, String[] exceptions) {
        if (method.equals("<init>") && (access & Opcodes.ACC_PRIVATE) == 0) found.add(descriptor);
        return null;
      }
    }, ClassReader.SKIP_CODE);
    return found.stream().min(Comparator.comparingInt(String::length)).orElse("()V");
  }
}

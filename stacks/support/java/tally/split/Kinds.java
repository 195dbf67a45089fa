package tally.split;

import java.lang.invoke.MethodType;
import java.lang.reflect.Array;
import java.lang.reflect.Modifier;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Classes that both sides know: Java's own, and those of include files, of which each has its copy. A name that came from the other
 * side becomes no other class than one of these or, for the tests, one that stands for the solution's.
 */
class Kinds {
  private static final Path INCLUDE = Path.of("/box/include");
  private static final ClassLoader JAVA = ClassLoader.getPlatformClassLoader();
  private static final Map<String, Class<?>> PRIMITIVES = Map.of("Z", boolean.class, "B", byte.class, "S", short.class, "C", char.class,
      "I", int.class, "J", long.class, "F", float.class, "D", double.class);

  final ClassLoader loader;

  Kinds(ClassLoader loader) {
    this.loader = loader;
  }

  static boolean isJava(Class<?> kind) {
    return kind.getClassLoader() == null || kind.getClassLoader() == JAVA;
  }

  /** Of an include file: by the name of the file. */
  boolean isShared(Class<?> kind) {
    return kind.getClassLoader() == loader && isOfInclude(kind.getName());
  }

  static boolean isOfInclude(String name) {
    int nested = name.indexOf('$', 1);
    return Files.isRegularFile(INCLUDE.resolve((nested < 0 ? name : name.substring(0, nested)).replace('.', '/') + ".java"));
  }

  /** One that stays where it is, and has another in its place here. */
  boolean isOfSolution(Class<?> kind) {
    return kind.getClassLoader() == loader && !isShared(kind) && kind.getName().indexOf('/') < 0 && !kind.isArray();
  }

  Class<?> find(String name) {
    if (name.isEmpty() || name.length() > 2000) throw new Misunderstood("no class");
    try {
      Class<?> kind = Class.forName(name, false, loader);
      if (isJava(kind) ? isExported(kind) : isShared(kind) || isOfSolution(kind)) return kind;
    } catch (ClassNotFoundException | LinkageError error) {
      // It is none.
    }
    throw new Misunderstood("the class " + shortened(name));
  }

  private static boolean isExported(Class<?> kind) {
    return Modifier.isPublic(kind.getModifiers()) && kind.getModule().isExported(kind.getPackageName());
  }

  /** A descriptor's: of an array's components, of a field. */
  Class<?> ofDescriptor(String descriptor) {
    int depth = 0;
    while (depth < descriptor.length() && descriptor.charAt(depth) == '[') ++depth;
    if (depth > 20) throw new Misunderstood("no class");
    String rest = descriptor.substring(depth);
    Class<?> kind = PRIMITIVES.get(rest);
    if (kind == null) {
      if (!rest.startsWith("L") || !rest.endsWith(";")) throw new Misunderstood("no class");
      kind = find(rest.substring(1, rest.length() - 1).replace('/', '.'));
    }
    for (; depth > 0; --depth) kind = Array.newInstance(kind, 0).getClass();
    return kind;
  }

  /** What the other side knows it as; an array of the tests' own class is one of Comparable or Object there. */
  String descriptorOf(Class<?> kind) {
    if (kind.isArray()) return "[" + descriptorOf(kind.getComponentType());
    if (!kind.isPrimitive() && !isKnown(kind)) kind = Comparable.class.isAssignableFrom(kind) ? Comparable.class : Object.class;
    return MethodType.methodType(kind).toMethodDescriptorString().substring(2);
  }

  boolean isKnown(Class<?> kind) {
    return isJava(kind) ? isExported(kind) : isShared(kind) || isOfSolution(kind);
  }

  /** Those that the other side knows, too: what an object can be asked for that has no class there. */
  List<String> interfacesOf(Class<?> kind) {
    Set<Class<?>> found = new LinkedHashSet<>();
    for (Class<?> at = kind; at != null; at = at.getSuperclass()) addInterfaces(at, found);
    List<String> names = new ArrayList<>();
    for (Class<?> one : found) names.add(one.getName());
    return names;
  }

  private void addInterfaces(Class<?> kind, Set<Class<?>> found) {
    for (Class<?> one : kind.getInterfaces()) {
      if (isKnown(one)) found.add(one);
      else addInterfaces(one, found);
    }
  }

  static String shortened(String text) {
    return text.length() > 100 ? text.substring(0, 100) + "..." : text;
  }
}

package tally.split;

import java.lang.invoke.MethodType;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.util.HashMap;
import java.util.Map;

/** Methods and fields of the solution that the tests ask for by their names. */
final class Members {
  private final Kinds kinds;
  private final Map<String, Method> methods = new HashMap<>();

  Members(Kinds kinds) {
    this.kinds = kinds;
  }

  synchronized Method method(Side.Question asked) {
    return methods.computeIfAbsent(asked.owner + " " + asked.member + asked.descriptor, key -> {
      MethodType type = MethodType.fromMethodDescriptorString(asked.descriptor, kinds.loader);
      Method method = method(kinds.find(asked.owner), asked.member, type.parameterArray());
      if (method == null) throw new NoSuchMethodError(asked.owner + "." + asked.member);
      if (!Kinds.isJava(method.getDeclaringClass())) method.setAccessible(true);
      return method;
    });
  }

  private static Method method(Class<?> kind, String name, Class<?>[] types) {
    for (Class<?> at = kind; at != null; at = at.getSuperclass()) {
      try {
        return at.getDeclaredMethod(name, types);
      } catch (NoSuchMethodException error) {
        continue;
      }
    }
    try {
      return kind.getMethod(name, types);
    } catch (NoSuchMethodException error) {
      return null;
    }
  }

  Field field(Side.Question asked) throws NoSuchFieldException {
    Field field = field(kinds.find(asked.owner), asked.member);
    if (field == null) throw new NoSuchFieldException(asked.member);
    field.setAccessible(true);
    return field;
  }

  private static Field field(Class<?> kind, String name) {
    if (kind == null) return null;
    try {
      return kind.getDeclaredField(name);
    } catch (NoSuchFieldException error) {
      for (Class<?> one : kind.getInterfaces()) {
        if (field(one, name) != null) return field(one, name);
      }
      return field(kind.getSuperclass(), name);
    }
  }
}

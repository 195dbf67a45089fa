package tally.split;

import java.lang.reflect.Constructor;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.List;
import sun.reflect.ReflectionFactory;

/** An object of an include file's class, of which each side has its own: it is copied, field by field. A record is made of its components. */
final class Own extends Containers.Container {
  private static final ReflectionFactory FACTORY = ReflectionFactory.getReflectionFactory();

  private final List<Field> fields;

  Own(Object thing) {
    super(thing);
    fields = fieldsOf(thing.getClass());
  }

  static boolean isCopied(Class<?> kind) {
    Class<?> top = kind;
    while (!Kinds.isJava(top)) top = top.getSuperclass();
    return top == Object.class && !kind.isSynthetic() && !kind.isAnonymousClass() && !kind.isInterface() && !Stub.class.isAssignableFrom(kind);
  }

  static boolean isRecord(Class<?> kind) {
    return kind.getSuperclass() != null && kind.getSuperclass().getName().equals("java.lang.Record");
  }

  /** Without a word of its own code. */
  static <T> T allocated(Class<T> kind, Class<?> from) {
    try {
      Constructor<?> constructor = FACTORY.newConstructorForSerialization(kind, from.getDeclaredConstructor());
      return kind.cast(constructor.newInstance());
    } catch (ReflectiveOperationException error) {
      throw new Misunderstood("an object of " + kind.getName());
    }
  }

  static Object made(Kinds kinds, String name, Input in) {
    Class<?> kind = kinds.find(name);
    if (!kinds.isShared(kind) || !isCopied(kind) || Modifier.isAbstract(kind.getModifiers()) || kind.isEnum()) throw new Misunderstood("no object");
    return allocated(kind, Object.class);
  }

  /** What its classes that are not Java's declare. */
  static List<Field> fieldsOf(Class<?> kind) {
    List<Field> fields = new ArrayList<>();
    for (Class<?> at = kind; !Kinds.isJava(at); at = at.getSuperclass()) {
      for (Field field : at.getDeclaredFields()) {
        if (Modifier.isStatic(field.getModifiers())) continue;
        field.setAccessible(true);
        fields.add(field);
      }
    }
    return fields;
  }

  static void packFields(Object thing, List<Field> fields, Output out, Values values) {
    try {
      for (Field field : fields) values.pack(field.get(thing), out);
    } catch (IllegalAccessException error) {
      throw new IllegalStateException(error);
    }
  }

  static void fillFields(Object thing, List<Field> fields, Input in, Values values) {
    try {
      for (Field field : fields) field.set(thing, values.unpack(in));
    } catch (IllegalAccessException error) {
      throw new IllegalStateException(error);
    }
  }

  @Override
  void pack(Output out, Values values) {
    out.text("own " + thing.getClass().getName());
    packFields(thing, fields, out, values);
  }

  @Override
  void expect(Input in, Kinds kinds) {
    if (!in.text().equals("own " + thing.getClass().getName())) throw new Misunderstood("another object");
  }

  @Override
  void fill(Input in, Values values) {
    fillFields(thing, fields, in, values);
  }

  static void packRecord(Object record, Output out, Values values) {
    out.text(record.getClass().getName());
    packFields(record, fieldsOf(record.getClass()), out, values);
  }

  static Object unpackRecord(Input in, Values values) {
    Class<?> kind = values.kinds().find(in.text());
    if (!values.kinds().isShared(kind) || !isRecord(kind)) throw new Misunderstood("no record");
    List<Field> fields = fieldsOf(kind);
    Class<?>[] types = new Class<?>[fields.size()];
    Object[] parts = new Object[types.length];
    for (int i = 0; i < types.length; ++i) {
      types[i] = fields.get(i).getType();
      parts[i] = values.unpack(in);
    }
    try {
      Constructor<?> constructor = kind.getDeclaredConstructor(types);
      constructor.setAccessible(true);
      return constructor.newInstance(parts);
    } catch (ReflectiveOperationException error) {
      throw new Misunderstood("a record");
    }
  }
}

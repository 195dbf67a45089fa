package tally.split;

import java.lang.reflect.Array;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Hashtable;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.LinkedList;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.Stack;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.Vector;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Supplier;

/**
 * Arrays, Java's own collections, builders of strings and objects of include files' classes: the header says what is made where there is
 * none yet, and the rest becomes its contents. A collection of another class of Java's is an ArrayList, LinkedHashSet or LinkedHashMap on
 * the other side, and one that cannot be changed is such a one there.
 */
final class Containers {
  private static final Map<String, Supplier<Object>> MADE = new HashMap<>();

  static {
    for (Supplier<Object> one : List.<Supplier<Object>>of(ArrayList::new, LinkedList::new, Vector::new, Stack::new, ArrayDeque::new,
        PriorityQueue::new, HashSet::new, LinkedHashSet::new, TreeSet::new, CopyOnWriteArrayList::new, HashMap::new, LinkedHashMap::new,
        TreeMap::new, Hashtable::new, ConcurrentHashMap::new, StringBuilder::new, StringBuffer::new)) {
      MADE.put(one.get().getClass().getName(), one);
    }
  }

  private Containers() {}

  static boolean isOne(Object value, Kinds kinds) {
    Class<?> kind = value.getClass();
    if (kind.isArray() || kinds.isShared(kind) && Own.isCopied(kind)) return true;
    if (!Kinds.isJava(kind)) return false;
    if (value instanceof PriorityQueue && ((PriorityQueue<?>) value).comparator() != null) return false;
    return value instanceof List || value instanceof Set || value instanceof Map || value instanceof Collection
        || value instanceof StringBuilder || value instanceof StringBuffer;
  }

  static Container of(Object value, Kinds kinds) {
    Class<?> kind = value.getClass();
    if (kind.isArray()) return new ArrayOf(value, kinds.descriptorOf(kind.getComponentType()));
    if (!Kinds.isJava(kind)) return new Own(value);
    return new Collected(value, nameOf(value), null);
  }

  static Container made(Input in, Kinds kinds) {
    String name = in.text();
    if (name.startsWith("[")) {
      Class<?> element = kinds.ofDescriptor(name.substring(1));
      if (element == void.class) throw new Misunderstood("no array");
      return new ArrayOf(Array.newInstance(element, in.count(ArrayOf.least(element))), name.substring(1));
    }
    if (name.startsWith("own ")) return new Own(Own.made(kinds, name.substring(4), in));
    return Collected.made(name, in);
  }

  private static String nameOf(Object value) {
    String name = value.getClass().getName();
    boolean hasOrder = value instanceof SortedSet && ((SortedSet<?>) value).comparator() != null || value instanceof SortedMap && ((SortedMap<?, ?>) value).comparator() != null;
    if (MADE.containsKey(name) && !hasOrder) return name;
    boolean fixed = name.contains("Immutable") || name.contains("Unmodifiable") || name.contains("$Empty") || name.contains("$Singleton");
    if (value instanceof Map) return fixed ? "fixed map" : "java.util.LinkedHashMap";
    if (value instanceof Set) return fixed ? "fixed set" : "java.util.LinkedHashSet";
    if (name.equals("java.util.Arrays$ArrayList")) return "array list";
    return fixed ? "fixed list" : "java.util.ArrayList";
  }

  abstract static class Container {
    final Object thing;

    Container(Object thing) {
      this.thing = thing;
    }

    abstract void pack(Output out, Values values);

    /** Of one that is here: what is said begins as it would begin itself. */
    abstract void expect(Input in, Kinds kinds);

    abstract void fill(Input in, Values values);

    boolean asksElements() {
      return false;
    }
  }

  private static final class ArrayOf extends Container {
    private final String element;

    ArrayOf(Object array, String element) {
      super(array);
      this.element = element;
    }

    static int least(Class<?> element) {
      return element == long.class || element == double.class ? 8 : element == int.class || element == float.class ? 4 : 1;
    }

    @Override
    void pack(Output out, Values values) {
      int size = Array.getLength(thing);
      out.text("[" + element).i4(size);
      if (thing instanceof byte[]) {
        out.raw((byte[]) thing);
        return;
      }
      for (int i = 0; i < size; ++i) {
        if (thing instanceof int[]) out.i4(((int[]) thing)[i]);
        else if (thing instanceof long[]) out.i8(((long[]) thing)[i]);
        else if (thing instanceof double[]) out.i8(Double.doubleToRawLongBits(((double[]) thing)[i]));
        else if (thing instanceof float[]) out.i4(Float.floatToRawIntBits(((float[]) thing)[i]));
        else if (thing instanceof char[]) out.u1(((char[]) thing)[i] >>> 8).u1(((char[]) thing)[i]);
        else values.pack(Array.get(thing, i), out);
        if (out.size() > Side.MOST) throw new Output.TooMuch();
      }
    }

    @Override
    void expect(Input in, Kinds kinds) {
      if (!in.text().equals("[" + element) || in.count(1) != Array.getLength(thing)) throw new Misunderstood("another array");
    }

    @Override
    void fill(Input in, Values values) {
      int size = Array.getLength(thing);
      for (int i = 0; i < size; ++i) {
        if (thing instanceof byte[]) ((byte[]) thing)[i] = (byte) in.u1();
        else if (thing instanceof int[]) ((int[]) thing)[i] = in.i4();
        else if (thing instanceof long[]) ((long[]) thing)[i] = in.i8();
        else if (thing instanceof double[]) ((double[]) thing)[i] = Double.longBitsToDouble(in.i8());
        else if (thing instanceof float[]) ((float[]) thing)[i] = Float.intBitsToFloat(in.i4());
        else if (thing instanceof char[]) ((char[]) thing)[i] = (char) (in.u1() << 8 | in.u1());
        else Array.set(thing, i, values.unpack(in));
      }
    }
  }

  /** Collections, maps, builders of strings. `backing`: of one that cannot be changed, while it is made. */
  @SuppressWarnings({"unchecked", "rawtypes"})
  private static final class Collected extends Container {
    private final String name;
    private final Object backing;

    Collected(Object thing, String name, Object backing) {
      super(thing);
      this.name = name;
      this.backing = backing;
    }

    static Collected made(String name, Input in) {
      Supplier<Object> made = MADE.get(name);
      if (made != null) return new Collected(made.get(), name, null);
      switch (name) {
        case "array list": {
          Object[] array = new Object[in.count(1)];
          return new Collected(Arrays.asList(array), name, array);
        }
        case "fixed list": {
          List list = new ArrayList();
          return new Collected(Collections.unmodifiableList(list), name, list);
        }
        case "fixed set": {
          Set set = new LinkedHashSet();
          return new Collected(Collections.unmodifiableSet(set), name, set);
        }
        case "fixed map": {
          Map map = new LinkedHashMap();
          return new Collected(Collections.unmodifiableMap(map), name, map);
        }
        default:
          throw new Misunderstood("another container");
      }
    }

    @Override
    boolean asksElements() {
      return thing instanceof Set || thing instanceof Map || thing instanceof PriorityQueue;
    }

    @Override
    void pack(Output out, Values values) {
      out.text(name);
      if (thing instanceof CharSequence) {
        out.text(thing.toString());
      } else if (thing instanceof Map) {
        Map<?, ?> map = (Map<?, ?>) thing;
        out.i4(map.size());
        for (Map.Entry<?, ?> entry : map.entrySet()) {
          values.pack(entry.getKey(), out);
          values.pack(entry.getValue(), out);
        }
      } else {
        out.i4(((Collection) thing).size());
        for (Object element : (Collection) thing) values.pack(element, out);
      }
    }

    @Override
    void expect(Input in, Kinds kinds) {
      if (!in.text().equals(name) || name.startsWith("fixed")) throw new Misunderstood("another container");
      if (name.equals("array list") && in.i4() != ((List) thing).size()) throw new Misunderstood("another length");
    }

    @Override
    void fill(Input in, Values values) {
      if (thing instanceof CharSequence) {
        String text = in.text();
        if (thing instanceof StringBuilder) ((StringBuilder) thing).replace(0, ((StringBuilder) thing).length(), text);
        else ((StringBuffer) thing).replace(0, ((StringBuffer) thing).length(), text);
      } else if (name.equals("array list")) {
        List list = (List) thing;
        for (int i = 0; i < list.size(); ++i) list.set(i, values.unpack(in));
      } else if (thing instanceof Map) {
        Map map = (Map) (backing == null ? thing : backing);
        int count = in.count(2);
        map.clear();
        for (int i = 0; i < count; ++i) {
          Object key = values.unpack(in);
          map.put(key, values.unpack(in));
        }
      } else {
        Collection all = (Collection) (backing == null ? thing : backing);
        int count = in.count(1);
        all.clear();
        for (int i = 0; i < count; ++i) all.add(values.unpack(in));
      }
    }
  }
}

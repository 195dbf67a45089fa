package tally.split;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/** What stubs (StubClass) and the tests' uses of fields (StubFields) call. */
public final class Remote {
  static TestsSide side;

  private Remote() {}

  public static Object call(Class<?> owner, String name, String descriptor, Object target, Object[] arguments) throws Throwable {
    return counted(target, name + descriptor, side.ask(Side.CALL, owner.getName(), name, descriptor, side.typeOf(descriptor).returnType(), target, arguments));
  }

  /** Java's own collections believe a Set or a Map that says how many elements it has, and ask for those it shows (AbstractSet.equals). */
  private static Object counted(Object target, String method, Object answer) throws Throwable {
    if (!method.equals("size()I") || !(target instanceof Set || target instanceof Map)) return answer;
    int said = (Integer) answer, shown = 0;
    Set<Object> different = new HashSet<>();
    for (Object one : target instanceof Map ? ((Map<?, ?>) target).keySet() : (Set<?>) target) {
      different.add(one);
      if (++shown > said) break;
    }
    if (shown != said || different.size() != said) {
      throw side.refused("a " + (target instanceof Map ? "Map" : "Set") + " of the solution says that it has " + said + " elements, and shows others");
    }
    return answer;
  }

  public static void construct(Stub stub, Class<?> owner, String descriptor, Object[] arguments) throws Throwable {
    if (stub.getClass() != owner) {
      throw new UnsupportedOperationException("with params.split a class of the tests cannot derive from " + owner.getName() + ", a class of the solution");
    }
    side.adopted(stub, side.ask(Side.NEW, owner.getName(), "<init>", descriptor, owner, null, arguments));
  }

  public static Object get(Object target, Class<?> owner, String name, String descriptor) throws Throwable {
    return getStatic(Objects.requireNonNull(target), owner, name, descriptor);
  }

  public static Object getStatic(Object target, Class<?> owner, String name, String descriptor) throws Throwable {
    return side.ask(Side.GET, owner.getName(), name, "", side.typeOf("()" + descriptor).returnType(), target);
  }

  public static void set(Object target, Object value, Class<?> owner, String name) throws Throwable {
    setStatic(Objects.requireNonNull(target), value, owner, name);
  }

  public static void setStatic(Object target, Object value, Class<?> owner, String name) throws Throwable {
    side.ask(Side.SET, owner.getName(), name, "", void.class, target, value);
  }

  /** To a value of the tests never, but for what Java's own collections would compare by what they hold: the solution is told no value. */
  public static boolean equal(Object one, Object other) throws Throwable {
    if (handleOf(other) != null) return (Boolean) side.ask(Side.EQUALS, "", "", "", boolean.class, one, other);
    if (one instanceof List && other instanceof List) return new ArrayList<Object>((Collection<?>) one).equals(other);
    if (one instanceof Set && other instanceof Set) return new HashSet<Object>((Collection<?>) one).equals(other);
    if (one instanceof Map && other instanceof Map) return new HashMap<Object, Object>((Map<?, ?>) one).equals(other);
    return false;
  }

  public static int hash(Object one) throws Throwable {
    return (Integer) side.ask(Side.HASH, "", "", "", int.class, one);
  }

  public static String text(Object one) throws Throwable {
    return (String) side.ask(Side.TEXT, "", "", "", String.class, one);
  }

  /** null: no object of the solution's. */
  static Handle handleOf(Object thing) {
    if (thing instanceof Stub) return ((Stub) thing).tally$handle();
    if (thing == null || !Proxy.isProxyClass(thing.getClass())) return null;
    InvocationHandler handler = Proxy.getInvocationHandler(thing);
    return handler instanceof Asking ? ((Asking) handler).handle : null;
  }

  /** An object of the solution whose class the tests do not have: it is asked by interfaces that they do have. */
  static final class Asking implements InvocationHandler {
    final Handle handle;

    Asking(Handle handle) {
      this.handle = handle;
    }

    @Override
    public Object invoke(Object proxy, Method method, Object[] arguments) throws Throwable {
      if (method.getDeclaringClass() == Object.class) {
        if (method.getName().equals("equals")) return equal(proxy, arguments[0]);
        return method.getName().equals("hashCode") ? (Object) hash(proxy) : text(proxy);
      }
      String descriptor = TestsSide.descriptorOf(method);
      return counted(proxy, method.getName() + descriptor, side.ask(Side.CALL, method.getDeclaringClass().getName(), method.getName(), descriptor,
          method.getReturnType(), proxy, arguments == null ? new Object[0] : arguments));
    }
  }
}

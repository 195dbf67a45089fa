package tally.split;

import java.io.DataInputStream;
import java.io.EOFException;
import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.io.IOException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.HashMap;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;

/**
 * The solution's process, where tests have one of their own: answers what they ask (Side). Its sandbox is its own too, so nothing in here
 * guards anything: whatever the solution makes of this process, it can only answer. What is no plain value stays here, and goes by its
 * number.
 */
public final class SolutionSide extends Side {
  private final DataInputStream in;
  private final FileOutputStream out;
  private final Kinds kinds;
  private final Members members;
  private final Supplier<byte[]> covered;
  private final Supplier<String> printedOut, printedErr;
  private final CarriedFiles files = new CarriedFiles();
  private final Map<Integer, Object> objects = new HashMap<>();
  private final Map<Object, Integer> numbers = new IdentityHashMap<>();
  private final Map<Integer, Object> lent = new HashMap<>();
  private final Map<Throwable, Integer> lentErrors = new IdentityHashMap<>();
  private int next;
  // One of its threads asks at a time, and only while the tests wait for an answer.
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition question = lock.newCondition();
  private int answering;

  /** `printedOut`, `printedErr`: what was printed since they were last asked. `covered`: what was executed; may be null. */
  public SolutionSide(ClassLoader loader, int calls, int answers, Supplier<String> printedOut, Supplier<String> printedErr, Supplier<byte[]> covered)
      throws ReflectiveOperationException {
    kinds = new Kinds(loader);
    members = new Members(kinds);
    in = new DataInputStream(new FileInputStream(Descriptors.of(calls)));
    out = new FileOutputStream(Descriptors.of(answers));
    this.covered = covered;
    this.printedOut = printedOut;
    this.printedErr = printedErr;
  }

  public void serve() throws IOException {
    System.setIn(new AskedInput(this));
    try {
      for (;;) {
        Input message = message();
        if (message.u1() != 'q') throw new Misunderstood("no question");
        answer(message);
      }
    } catch (EOFException error) {
      // The tests have ended.
    }
  }

  @Override
  byte[] take(int size) throws IOException {
    byte[] bytes = new byte[size];
    in.readFully(bytes);
    return bytes;
  }

  @Override
  void put(byte[] bytes) throws IOException {
    out.write(bytes);
  }

  @Override
  void begun() {
    lock.lock();
    ++answering;
    question.signalAll();
    lock.unlock();
  }

  @Override
  void ending() {
    lock.lock();
    --answering;
  }

  @Override
  void ended() {
    lock.unlock();
  }

  Object ask(int op, String owner, String member, String descriptor, Object target, Object... arguments) throws Throwable {
    lock.lock();
    try {
      while (answering == 0) question.awaitUninterruptibly();
      return talk(op, owner, member, descriptor, target, arguments);
    } catch (Thrown thrown) {
      throw thrown.getCause();
    } finally {
      lock.unlock();
    }
  }

  Object askUnchecked(int op, String owner, String member, String descriptor, Object target, Object... arguments) {
    try {
      return ask(op, owner, member, descriptor, target, arguments);
    } catch (RuntimeException | Error error) {
      throw error;
    } catch (Throwable error) {
      throw new IllegalStateException(error);
    }
  }

  // Questions ------------------------------------------------------------------------------------------------------

  @Override
  Object perform(Question asked) throws Throwable {
    Object[] arguments = asked.arguments;
    switch (asked.op) {
      case CALL:
        return members.method(asked).invoke(asked.target, fitting(asked.arguments, members.method(asked).getParameterTypes()));
      case NEW: {
        MethodType type = MethodType.fromMethodDescriptorString(asked.descriptor, kinds.loader);
        Constructor<?> constructor = kinds.find(asked.owner).getDeclaredConstructor(type.parameterArray());
        constructor.setAccessible(true);
        return constructor.newInstance(fitting(arguments, type.parameterArray()));
      }
      case GET:
        return members.field(asked).get(asked.target);
      case SET:
        members.field(asked).set(asked.target, fitting(arguments, new Class<?>[] {members.field(asked).getType()})[0]);
        return null;
      case EQUALS:
        return asked.target.equals(arguments[0]);
      case HASH:
        return asked.target.hashCode();
      case TEXT:
        return asked.target.toString();
      case COVERED:
        return covered == null ? null : covered.get();
      default:
        throw new Misunderstood("no question");
    }
  }

  /** Or one sentence for what cannot cross. */
  private static Object[] fitting(Object[] arguments, Class<?>[] types) {
    for (int i = 0; i < arguments.length && i < types.length; ++i) {
      Lent given = lentOf(arguments[i]);
      if (given != null && !types[i].isInstance(arguments[i])) {
        throw new IllegalArgumentException("with params.split an object of the class " + given.name + " cannot be given to the solution as a " + types[i].getTypeName());
      }
    }
    return arguments;
  }

  // Beside the answers ---------------------------------------------------------------------------------------------

  @Override
  void writeNotes(Output notes) {
    notes.text(printedOut.get()).text(printedErr.get());
    files.write(notes);
  }

  @Override
  void readNotes(Input notes) {
    int count = notes.count(4);
    for (int i = 0; i < count; ++i) numbers.remove(objects.remove(notes.i4()));
    files.read(notes);
  }

  // Values ---------------------------------------------------------------------------------------------------------

  @Override
  public Kinds kinds() {
    return kinds;
  }

  @Override
  public void pack(Object value, Output out, Values values) {
    Lent given = lentOf(value);
    if (given != null) {
      out.u1('l').i4(given.number);
    } else if (value instanceof Throwable) {
      if (lentErrors.containsKey(value)) out.u1('l').i4(lentErrors.get(value));
      else Errors.pack((Throwable) value, this::numberOfError, false, out.u1('x'), values);
    } else if (value instanceof Enum && kinds.isKnown(((Enum<?>) value).getDeclaringClass())) {
      out.u1('e').text(((Enum<?>) value).getDeclaringClass().getName()).text(((Enum<?>) value).name());
    } else if (kinds.isOfSolution(value.getClass()) && !Proxy.isProxyClass(value.getClass())) {
      out.u1('o').i4(number(value)).text(value.getClass().getName());
    } else {
      List<String> interfaces = kinds.interfacesOf(value.getClass());
      out.u1('p').i4(number(value)).i4(interfaces.size());
      interfaces.forEach(out::text);
    }
  }

  private int numberOfError(Throwable error) {
    return kinds.isOfSolution(error.getClass()) ? number(error) : -1;
  }

  private int number(Object thing) {
    return numbers.computeIfAbsent(thing, one -> {
      objects.put(next, one);
      return next++;
    });
  }

  @Override
  @SuppressWarnings({"unchecked", "rawtypes"})
  public Object unpack(int tag, Input in, Values values) {
    switch (tag) {
      case 'o':
        return objects.get(in.i4());
      case 'l':
        return lent.get(in.i4());
      case 'L':
        return borrow(in);
      case 'e':
        return Enum.valueOf((Class) kinds.find(in.text()), in.text());
      case 'x':
        return Errors.unpack(in, values, told -> {
          Throwable error = Errors.made(told);
          lentErrors.put(error, told.number);
          return error;
        });
      default:
        throw new Misunderstood("no value");
    }
  }

  // What the tests have lent ---------------------------------------------------------------------------------------

  private Object borrow(Input in) {
    int number = in.i4();
    String name = in.text();
    Class<?>[] interfaces = new Class<?>[in.count(6)];
    for (int i = 0; i < interfaces.length; ++i) interfaces[i] = kinds.find(in.text());
    Set<String> overridden = new HashSet<>();
    for (int left = in.count(6); left > 0; --left) overridden.add(in.text());
    Object thing = Proxy.newProxyInstance(kinds.loader, interfaces, new Lent(number, name, overridden));
    lent.put(number, thing);
    return thing;
  }

  private static Lent lentOf(Object thing) {
    if (thing == null || !Proxy.isProxyClass(thing.getClass())) return null;
    InvocationHandler handler = Proxy.getInvocationHandler(thing);
    return handler instanceof Lent ? (Lent) handler : null;
  }

  /** Something of the tests: a function that they have given, an object. */
  private final class Lent implements InvocationHandler {
    final int number;
    final String name;
    private final Set<String> overridden;

    Lent(int number, String name, Set<String> overridden) {
      this.number = number;
      this.name = name;
      this.overridden = overridden;
    }

    @Override
    public Object invoke(Object proxy, Method method, Object[] arguments) throws Throwable {
      Class<?> owner = method.getDeclaringClass();
      if (owner == Object.class) {
        int op = method.getName().equals("equals") ? EQUALS : method.getName().equals("hashCode") ? HASH : TEXT;
        return ask(op, "", "", "", proxy, arguments == null ? new Object[0] : arguments);
      }
      String descriptor = TestsSide.descriptorOf(method);
      if (method.isDefault() && !Kinds.isJava(owner) && !overridden.contains(method.getName() + descriptor)) {
        return MethodHandles.privateLookupIn(owner, MethodHandles.lookup()).unreflectSpecial(method, owner).bindTo(proxy)
            .invokeWithArguments(arguments == null ? new Object[0] : arguments);
      }
      return ask(CALL, owner.getName(), method.getName(), descriptor, proxy, arguments == null ? new Object[0] : arguments);
    }
  }
}

package tally.split;

import java.io.IOException;
import java.io.PrintStream;
import java.lang.invoke.MethodType;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Predicate;

/**
 * The tests' end of the talk with the solution's process. It takes nothing on trust: what is no answer, and a solution that has ended, end
 * the case, whatever the test makes of the exception.
 */
public final class TestsSide extends Side {
  private static final int MOST_READ = 1 << 16;

  private final Pipes pipes;
  private final TestsKinds kinds;
  private final CarriedFiles files = new CarriedFiles();
  private final ReentrantLock lock = new ReentrantLock();
  private final Map<String, MethodType> types = new ConcurrentHashMap<>();
  private final RemoteObjects objects;
  private final List<Object> lent = new ArrayList<>();
  private final Map<Object, Integer> lentNumbers = new IdentityHashMap<>();
  private final StringBuilder out = new StringBuilder(), err = new StringBuilder();  // that the solution has printed
  private long sent;
  private volatile String ended = "";  // or why the case is over

  /** `loader`: of the tests; `isStub`: which of its classes stand for the solution's. Descriptors: evaluation/solution_side.h. */
  public TestsSide(ClassLoader loader, Predicate<String> isStub, int calls, int answers, int orders, int notices) throws IOException, ReflectiveOperationException {
    kinds = new TestsKinds(loader, isStub);
    objects = new RemoteObjects(kinds);
    pipes = new Pipes(calls, answers, orders, notices);
    pipes.start();
    Remote.side = this;
  }

  /** A case begins: where the solution's process has ended, it has another one. */
  public void begin() {
    lock.lock();
    try {
      if (ended.isEmpty() && !pipes.haveEnded()) return;
      pipes.stop();
      objects.begin();
      lent.clear();
      lentNumbers.clear();
      out.setLength(0);
      err.setLength(0);
      ended = "";
      pipes.start();
    } catch (IOException error) {
      throw new IllegalStateException(error);
    } finally {
      lock.unlock();
    }
  }

  /** null, or why the case that runs is over. */
  public String objection() {
    return ended.isEmpty() ? null : ended;
  }

  /** What the solution's process says that it has executed; null where nobody answers. */
  public byte[] covered() {
    try {
      return ended.isEmpty() && !lock.isLocked() ? (byte[]) ask(COVERED, "", "", "", byte[].class, null) : null;
    } catch (Throwable error) {
      return null;
    }
  }

  // Questions ------------------------------------------------------------------------------------------------------

  /** Of one that has just been made by the tests. */
  void adopted(Stub stub, Object answer) {
    objects.adopted(stub, answer);
  }

  MethodType typeOf(String descriptor) {
    return types.computeIfAbsent(descriptor, text -> MethodType.fromMethodDescriptorString(text, kinds.loader));
  }

  Object ask(int op, String owner, String member, String descriptor, Class<?> result, Object target, Object... arguments) throws Throwable {
    lock.lock();
    try {
      if (!ended.isEmpty()) throw new SolutionEnded(ended);
      long before = sent;
      boolean whole = false;
      try {
        Object value = talk(op, owner, member, descriptor, target, arguments);
        if (!accepts(result, value)) throw new Misunderstood("a value of another class than " + result.getTypeName());
        whole = true;
        return value;
      } catch (Thrown thrown) {
        whole = true;
        throw thrown.getCause();
      } catch (SolutionEnded | InterruptedByTests known) {
        end(known.getMessage());
      } catch (Throwable error) {
        if (sent == before) throw error;  // it cannot even be asked
        String what = error instanceof Misunderstood ? error.getMessage() : error.getClass().getSimpleName() + ": " + error.getMessage();
        end("the solution's process said what is no answer (" + Kinds.shortened(what) + ")");
      } finally {
        if (!whole && sent != before && ended.isEmpty()) ended = "the tests broke off before the solution answered";
        print();
      }
      throw new SolutionEnded(ended);
    } finally {
      lock.unlock();
    }
  }

  /** An answer that contradicts another one: as one that is none. */
  Throwable refused(String why) {
    lock.lock();
    try {
      end(why);
      return new SolutionEnded(ended);
    } finally {
      lock.unlock();
    }
  }

  private void end(String why) {
    if (ended.isEmpty()) ended = why;
  }

  private static final class InterruptedByTests extends IOException {
    private static final long serialVersionUID = 1;

    InterruptedByTests() {
      super("the tests broke off before the solution answered");
    }
  }

  private static boolean accepts(Class<?> result, Object value) {
    if (result == void.class) return value == null;
    if (!result.isPrimitive()) return value == null || result.isInstance(value);
    return value != null && MethodType.methodType(value.getClass()).unwrap().returnType() == result;
  }

  @Override
  byte[] take(int size) throws IOException {
    try {
      byte[] bytes = pipes.read(size);
      if (bytes == null) throw new InterruptedByTests();
      return bytes;
    } catch (Pipes.Ended how) {
      throw new SolutionEnded(how.getMessage());
    }
  }

  @Override
  void put(byte[] bytes) throws IOException {
    ++sent;
    try {
      if (!pipes.write(bytes)) throw new InterruptedByTests();
    } catch (Pipes.Ended how) {
      throw new SolutionEnded(how.getMessage());
    }
  }

  // What the solution asks -----------------------------------------------------------------------------------------

  @Override
  Object perform(Question question) throws Throwable {
    print();
    Object target = question.target;
    Object[] arguments = question.arguments;
    if (question.op == READ) return readInput(arguments.length == 1 && arguments[0] instanceof Integer ? (Integer) arguments[0] : 0);
    if (target == null || !lentNumbers.containsKey(target)) throw new Misunderstood("a question to what was not given");
    if (question.op == EQUALS && arguments.length == 1) return target.equals(arguments[0]);
    if (question.op == HASH && arguments.length == 0) return target.hashCode();
    if (question.op == TEXT && arguments.length == 0) return target.toString();
    if (question.op != CALL) throw new Misunderstood("no question");
    Class<?> owner = kinds.find(question.owner);
    if (!owner.isInterface() || !owner.isInstance(target)) throw new Misunderstood("a question to what was not given");
    for (Method method : owner.getMethods()) {
      if (method.getName().equals(question.member) && !Modifier.isStatic(method.getModifiers()) && descriptorOf(method).equals(question.descriptor)) {
        if (!Kinds.isJava(owner)) method.setAccessible(true);
        return method.invoke(target, arguments);
      }
    }
    throw new Misunderstood("no method");
  }

  static String descriptorOf(Method method) {
    return MethodType.methodType(method.getReturnType(), method.getParameterTypes()).toMethodDescriptorString();
  }

  private static byte[] readInput(int size) throws IOException {
    byte[] bytes = new byte[Math.max(0, Math.min(size, MOST_READ))];
    int count = System.in.read(bytes);
    return count < 0 ? null : Arrays.copyOf(bytes, count);
  }

  // Beside the answers ---------------------------------------------------------------------------------------------

  @Override
  void writeNotes(Output notes) {
    List<Integer> gone = objects.forgotten();
    notes.i4(gone.size());
    gone.forEach(notes::i4);
    files.write(notes);
  }

  @Override
  void readNotes(Input notes) {
    out.append(notes.text());
    err.append(notes.text());
    files.read(notes);
  }

  private void print() {
    String ofOut = out.toString(), ofErr = err.toString();
    out.setLength(0);
    err.setLength(0);
    printTo(System.out, ofOut);
    printTo(System.err, ofErr);
  }

  private static void printTo(PrintStream stream, String text) {
    if (text.isEmpty() || stream == null) return;
    stream.print(text);
    stream.flush();
  }

  // Values ---------------------------------------------------------------------------------------------------------

  @Override
  public Kinds kinds() {
    return kinds;
  }

  @Override
  public void pack(Object value, Output out, Values values) {
    Handle handle = Remote.handleOf(value);
    if (handle != null) {
      if (!objects.has(handle)) throw new IllegalStateException("an object of a solution's process that has ended");
      out.u1('o').i4(handle.number);
    } else if (value instanceof Stub) {
      throw new IllegalStateException("an object of the solution that was not made");
    } else if (value instanceof Enum && kinds.isKnown(((Enum<?>) value).getDeclaringClass())) {
      out.u1('e').text(((Enum<?>) value).getDeclaringClass().getName()).text(((Enum<?>) value).name());
    } else if (value instanceof Throwable) {
      Errors.pack((Throwable) value, this::lend, true, out.u1('x'), values);
    } else if (lentNumbers.containsKey(value)) {
      out.u1('l').i4(lentNumbers.get(value));
    } else {
      packLent(value, out);
    }
  }

  private int lend(Object value) {
    return lentNumbers.computeIfAbsent(value, thing -> {
      lent.add(thing);
      return lent.size() - 1;
    });
  }

  private void packLent(Object value, Output out) {
    List<String> interfaces = kinds.interfacesOf(value.getClass()), overridden = new ArrayList<>();
    for (String name : interfaces) {
      Class<?> kind = kinds.find(name);
      if (Kinds.isJava(kind)) continue;
      for (Method method : kind.getMethods()) {
        if (method.isDefault() && kinds.overrides(value.getClass(), method)) overridden.add(method.getName() + descriptorOf(method));
      }
    }
    out.u1('L').i4(lend(value)).text(value.getClass().getName()).i4(interfaces.size());
    interfaces.forEach(out::text);
    out.i4(overridden.size());
    overridden.forEach(out::text);
  }

  @Override
  public Object unpack(int tag, Input in, Values values) {
    if (tag == 'o') return objects.object(in.i4(), kinds.find(in.text()));
    if (tag == 'p') return objects.proxied(in);
    if (tag == 'e') return constant(kinds.find(in.text()), in.text());
    if (tag == 'x') return Errors.unpack(in, values, this::error);
    int number = tag == 'l' ? in.i4() : -1;
    if (number < 0 || number >= lent.size()) throw new Misunderstood("no value");
    return lent.get(number);
  }

  @SuppressWarnings({"unchecked", "rawtypes"})
  private static Object constant(Class<?> kind, String name) {
    if (!kind.isEnum()) throw new Misunderstood("no constant");
    return Enum.valueOf((Class) kind, name);
  }

  private Throwable error(Errors.Told told) {
    if (!Stub.class.isAssignableFrom(told.kind)) {
      // A stub that is none derives from a class of the framework's or of the tests', whose name the solution has for one of its own.
      if (kinds.isOfSolution(told.kind)) throw new Misunderstood("the class " + Kinds.shortened(told.kind.getName()));
      return Errors.made(told);
    }
    Throwable error = (Throwable) objects.object(told.number, told.kind);
    Errors.become(error, told);
    return error;
  }
}

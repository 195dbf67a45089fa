package tally.split;

import java.lang.ref.ReferenceQueue;
import java.lang.ref.WeakReference;
import java.lang.reflect.Modifier;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** What stands for the solution's objects in the tests, by the numbers that its process gave them; and which of them the tests have no more. */
final class RemoteObjects {
  private static final int MOST_INTERFACES = 64;

  private final Kinds kinds;
  private final Map<Integer, Reference> objects = new HashMap<>();
  private final ReferenceQueue<Object> queue = new ReferenceQueue<>();
  private int process;

  RemoteObjects(Kinds kinds) {
    this.kinds = kinds;
  }

  /** There is another process. */
  void begin() {
    objects.clear();
    ++process;
  }

  boolean has(Handle handle) {
    return handle.process == process;
  }

  /** Since it was last asked. */
  List<Integer> forgotten() {
    List<Integer> gone = new ArrayList<>();
    for (Object one = queue.poll(); one != null; one = queue.poll()) {
      Reference reference = (Reference) one;
      if (objects.remove(reference.number, reference)) gone.add(reference.number);
    }
    return gone;
  }

  Object object(int number, Class<?> kind) {
    Reference known = objects.get(number);
    Object there = known == null ? null : known.get();
    if (there != null) {
      if (there.getClass() != kind) throw new Misunderstood("an object of another class");
      return there;
    }
    if (number < 0 || !Stub.class.isAssignableFrom(kind) || Modifier.isAbstract(kind.getModifiers()) || kind.isEnum()) throw new Misunderstood("no object");
    Object made = Own.allocated(kind, Throwable.class.isAssignableFrom(kind) ? Throwable.class : Object.class);
    adopt((Stub) made, number);
    return made;
  }

  private void adopt(Stub stub, int number) {
    stub.tally$handle(new Handle(process, number));
    objects.put(number, new Reference(stub, number, queue));
  }

  /** Of one that has just been made by the tests. */
  void adopted(Stub stub, Object answer) {
    adopt(stub, ((Stub) answer).tally$handle().number);
    if (stub instanceof Throwable) {
      Throwable made = (Throwable) answer;
      Errors.Told told = new Errors.Told();
      told.message = Errors.plainMessage(made);
      told.cause = made.getCause();
      told.frames = ((Throwable) stub).getStackTrace();
      Errors.become((Throwable) stub, told);
    }
  }

  Object proxied(Input in) {
    int number = in.i4();
    Class<?>[] interfaces = new Class<?>[in.count(6)];
    if (interfaces.length > MOST_INTERFACES) throw new Misunderstood("no object");
    for (int i = 0; i < interfaces.length; ++i) interfaces[i] = kinds.find(in.text());
    Reference known = objects.get(number);
    Object there = known == null ? null : known.get();
    if (there != null) {
      if (!Proxy.isProxyClass(there.getClass())) throw new Misunderstood("an object of another class");
      return there;
    }
    if (number < 0) throw new Misunderstood("no object");
    Object made = Proxy.newProxyInstance(kinds.loader, interfaces, new Remote.Asking(new Handle(process, number)));
    objects.put(number, new Reference(made, number, queue));
    return made;
  }

  private static final class Reference extends WeakReference<Object> {
    final int number;

    Reference(Object thing, int number, ReferenceQueue<Object> queue) {
      super(thing, queue);
      this.number = number;
    }
  }
}

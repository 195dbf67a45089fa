package tally.split;

import java.lang.reflect.Field;

/**
 * What is thrown: its class, which is one that both sides know or the nearest of Java's that it derives from; its message, cause and
 * frames. It is made without a word of its own code.
 */
final class Errors {
  private static final int MOST_FRAMES = 50, MOST_CAUSES = 10;
  private static final Field MESSAGE = message();

  private Errors() {}

  private static Field message() {
    try {
      Field field = Throwable.class.getDeclaredField("detailMessage");
      field.setAccessible(true);
      return field;
    } catch (ReflectiveOperationException error) {
      throw new IllegalStateException(error);
    }
  }

  /** By which number the other side knows it, or -1. */
  interface Numbers {
    int of(Throwable error);
  }

  /** `ofTests`: frames are for the solution's eyes no more than what an assertion says. */
  static void pack(Throwable error, Numbers numbers, boolean ofTests, Output out, Values values) {
    packOne(error, numbers, ofTests, out, values, 0);
  }

  private static void packOne(Throwable error, Numbers numbers, boolean ofTests, Output out, Values values, int depth) {
    Class<?> kind = error.getClass();
    while (!values.kinds().isKnown(kind)) kind = kind.getSuperclass();
    boolean isTold = !ofTests || !(error instanceof AssertionError);
    out.i4(numbers.of(error)).text(kind.getName()).textOrNull(isTold ? messageOf(error) : null);
    Throwable cause = isTold && depth < MOST_CAUSES ? causeOf(error) : null;
    out.u1(cause == null ? 0 : 1);
    if (cause != null) packOne(cause, numbers, ofTests, out, values, depth + 1);
    packFrames(ofTests ? new StackTraceElement[0] : framesOf(error), out);
    if (values.kinds().isShared(kind)) Own.packFields(error, Own.fieldsOf(kind), out, values);
  }

  private static String messageOf(Throwable error) {
    try {
      return error.getMessage();
    } catch (Throwable its) {
      return null;
    }
  }

  private static Throwable causeOf(Throwable error) {
    try {
      return error.getCause();
    } catch (Throwable its) {
      return null;
    }
  }

  private static StackTraceElement[] framesOf(Throwable error) {
    try {
      return error.getStackTrace();
    } catch (Throwable its) {
      return null;
    }
  }

  private static void packFrames(StackTraceElement[] frames, Output out) {
    int count = Math.min(frames == null ? 0 : frames.length, MOST_FRAMES);
    out.i4(count);
    for (int i = 0; i < count; ++i) {
      StackTraceElement frame = frames[i];
      out.text(frame.getClassName()).text(frame.getMethodName()).textOrNull(frame.getFileName()).i4(frame.getLineNumber());
    }
  }

  /** What came with a throwable; the fields of an include file's follow behind. */
  static final class Told {
    int number;
    Class<?> kind;
    String message;
    Throwable cause;
    StackTraceElement[] frames;
  }

  interface Maker {
    Throwable make(Told told);
  }

  static Throwable unpack(Input in, Values values, Maker maker) {
    return unpackOne(in, values, maker, 0);
  }

  private static Throwable unpackOne(Input in, Values values, Maker maker, int depth) {
    Told told = new Told();
    told.number = in.i4();
    told.kind = values.kinds().find(in.text());
    if (!Throwable.class.isAssignableFrom(told.kind) || depth > MOST_CAUSES) throw new Misunderstood("no error");
    told.message = in.textOrNull();
    if (in.u1() == 1) told.cause = unpackOne(in, values, maker, depth + 1);
    told.frames = new StackTraceElement[Math.min(in.count(7), MOST_FRAMES + 1)];
    if (told.frames.length > MOST_FRAMES) throw new Misunderstood("no error");
    for (int i = 0; i < told.frames.length; ++i) told.frames[i] = new StackTraceElement(in.text(), in.text(), in.textOrNull(), in.i4());
    Throwable error = maker.make(told);
    if (values.kinds().isShared(told.kind)) Own.fillFields(error, Own.fieldsOf(told.kind), in, values);
    return error;
  }

  static Throwable made(Told told) {
    Throwable error = (Throwable) Own.allocated((Class<?>) told.kind, Throwable.class);
    become(error, told);
    return error;
  }

  /** As Throwable has it, whatever its class says. */
  static String plainMessage(Throwable error) {
    try {
      return (String) MESSAGE.get(error);
    } catch (IllegalAccessException failure) {
      throw new IllegalStateException(failure);
    }
  }

  static void become(Throwable error, Told told) {
    try {
      MESSAGE.set(error, told.message);
      if (error.getCause() == null) error.initCause(told.cause);
      error.setStackTrace(told.frames);
    } catch (IllegalAccessException | IllegalStateException failure) {
      // It was told its cause before.
    }
  }
}

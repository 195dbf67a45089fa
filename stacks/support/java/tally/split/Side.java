package tally.split;

import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.util.List;

/**
 * One end of the talk between tests and solution when they are two processes (evaluation/solution_side.h). Values: Values.java.
 *
 * <p>One side asks, the other answers, and may ask back before it does. A message is its length, four bytes, and
 *
 * <pre>
 *   question  'q', notes, contents, op, class, member, descriptor, target, number of arguments, argument...
 *   answer    'v' or 'e', notes, contents, value
 * </pre>
 *
 * notes are for the sides alone.
 */
abstract class Side implements Values.Others {
  static final int MOST = 32 << 20;  // bytes of the values in a message
  static final int LONGEST = 2 * MOST;

  // What can be asked.
  static final int CALL = 'c', NEW = 'n', GET = 'g', SET = 's', EQUALS = '=', HASH = '#', TEXT = 't', READ = 'r', COVERED = 'x';

  static final class Question {
    int op;
    String owner, member, descriptor;
    Object target;
    Object[] arguments;
  }

  abstract byte[] take(int size) throws IOException;

  abstract void put(byte[] bytes) throws IOException;

  abstract Object perform(Question question) throws Throwable;

  abstract void writeNotes(Output out);

  abstract void readNotes(Input in);

  /** Its value, or throws its error. Meanwhile the other may ask in turn. */
  final Object talk(int op, String owner, String member, String descriptor, Object target, Object... arguments) throws Throwable {
    Values values = new Values(this);
    Output head = new Output().u1(op).text(owner).text(member).text(descriptor);
    values.pack(target, head);
    head.i4(arguments.length);
    for (Object argument : arguments) values.pack(argument, head);
    List<byte[]> contents = values.contents();
    if (sizeOf(contents) + head.size() > MOST) throw new Output.TooMuch();
    send('q', contents, List.of(), head);
    for (;;) {
      Input in = message();
      int kind = in.u1();
      if (kind == 'q') {
        answer(in);
        continue;
      }
      if (kind != 'v' && kind != 'e') throw new Misunderstood("no answer");
      readNotes(in);
      values.receive(in);
      Object value = values.unpack(in);
      in.finish();
      if (kind == 'v') return value;
      if (!(value instanceof Throwable)) throw new Misunderstood("no error");
      throw new Thrown((Throwable) value);
    }
  }

  /** What the other side has thrown, and not what befell the talk. */
  static final class Thrown extends Exception {
    private static final long serialVersionUID = 1;

    Thrown(Throwable what) {
      super(null, what, false, false);
    }
  }

  /** Around a question that is being answered. */
  void begun() {}

  void ending() {}

  void ended() {}

  final void answer(Input in) throws IOException {
    begun();
    Values values = new Values(this);
    Question question = read(in, values);
    List<byte[]> before = values.contents();
    Output head = new Output();
    List<byte[]> now;
    int kind = 'v';
    try {
      try {
        Object value = perform(question);
        values.pack(value, head);
      } catch (SolutionEnded | Misunderstood over) {
        throw over;
      } catch (Throwable error) {
        kind = 'e';
        head = new Output();
        values.pack(error instanceof InvocationTargetException && error.getCause() != null ? error.getCause() : error, head);
      }
      now = values.contents();
      if (sizeOf(now) + head.size() > MOST) throw new Output.TooMuch();
    } catch (Output.TooMuch error) {
      kind = 'e';
      head = new Output();
      values.pack(new IllegalArgumentException(error.getMessage()), head);
      now = before;
    }
    ending();
    try {
      send(kind, now, before, head);
    } finally {
      ended();
    }
  }

  private static long sizeOf(List<byte[]> contents) {
    return contents.stream().mapToLong(one -> one.length).sum();
  }

  private Question read(Input in, Values values) {
    readNotes(in);
    values.receive(in);
    Question question = new Question();
    question.op = in.u1();
    question.owner = in.text();
    question.member = in.text();
    question.descriptor = in.text();
    question.target = values.unpack(in);
    question.arguments = new Object[in.count(1)];
    for (int i = 0; i < question.arguments.length; ++i) question.arguments[i] = values.unpack(in);
    in.finish();
    return question;
  }

  final Input message() throws IOException {
    int size = new Input(take(4)).i4();
    if (size < 1 || size > LONGEST) throw new Misunderstood("a message of " + size + " bytes");
    return new Input(take(size));
  }

  private void send(int kind, List<byte[]> contents, List<byte[]> before, Output head) throws IOException {
    Output message = new Output().u1(kind);
    writeNotes(message);
    Values.write(contents, before, message);
    byte[] body = message.raw(head.toBytes()).toBytes();
    put(new Output().i4(body.length).raw(body).toBytes());
  }
}

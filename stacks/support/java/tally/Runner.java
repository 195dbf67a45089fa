package tally;

import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.concurrent.locks.LockSupport;
import tally.split.TestsSide;

/**
 * Runs the tests of the stack java-junit, all cases in one machine.
 *
 * <p>With params.split no class of the solution is loaded at all: it has a process of its own (split/TestsSide), and the rest of this
 * is about one process for both. The request is read before any class of the solution is loaded. Test classes come through the report channel and
 * lie on no disk (CaseLoader); what the solution may do is in Guard. The main thread watches the time: a case that hangs
 * cannot be ended in Java, so it is reported and the machine is halted. The evaluation starts another one for the cases
 * that are left, as it does after a crash.
 */
public final class Runner {
  public static void main(String[] arguments) throws Exception {
    Channel channel = new Channel();
    try {
      if (System.getProperty("tally.coverage") != null) {
        meter = Meter.made();
      }
      new Runner(channel).run();
    } catch (Throwable error) {
      StringWriter text = new StringWriter();
      error.printStackTrace(new PrintWriter(text));
      channel.write("output", text.toString());
      end(1);
    }
  }

  private static Meter meter;  // of a coverage run

  private final Channel channel;
  private final CaseOutput out, err;

  private Runner(Channel channel) {
    this.channel = channel;
    int most = channel.number("output-bytes", 8 << 20), longest = channel.number("text-characters", 1 << 16);
    JUnitXml.beNoLonger(longest);
    out = new CaseOutput(most, 4 * (longest + 1));
    err = new CaseOutput(most, 4 * (longest + 1));
  }

  private void run() throws Exception {
    boolean split = channel.keys.containsKey("calls-fd");
    CaseLoader loader = new CaseLoader(channel.files, split, meter);
    channel.files.clear();
    System.setIn(InputStream.nullInputStream());
    System.setOut(out.stream());
    System.setErr(err.stream());
    TestsSide side = split ? new TestsSide(loader, loader::isStub, channel.number("calls-fd", -1), channel.number("answers-fd", -1),
        channel.number("orders-fd", -1), channel.number("notices-fd", -1)) : null;
    if (!split) Guard.install(loader.tests);  // annotations of the tests may execute a solution's initializers while the cases are found
    Cases cases = new Cases(loader);
    channel.write("cases", String.join("\n", cases.all()) + "\n");
    CaseListener listener = new CaseListener(cases, channel, out, err, side, meter);
    Thread thread = new Thread(new ThreadGroup("cases"), () -> runAll(cases, listener), "cases");
    thread.setContextClassLoader(loader);
    thread.start();
    for (long left = listener.left(); left > 0; left = listener.left()) LockSupport.parkNanos(left);
    listener.cutOff();
    end(0);
  }

  private void runAll(Cases cases, CaseListener listener) {
    try {
      cases.run(channel.skip, listener);
      channel.write("done", "0");
    } catch (Throwable error) {
      listener.failed(error);
    } finally {
      end(0);
    }
  }

  /** Threads of the solution may live on. */
  static void end(int status) {
    try {
      if (meter != null) meter.write();
    } catch (IOException | RuntimeException error) {
      // Then there is no report, which is said where it is looked for.
    }
    Runtime.getRuntime().halt(status);
  }
}

package tally;

import java.io.IOException;
import java.io.PrintStream;
import java.util.Map;
import tally.split.SolutionSide;

/** The program that has the solution in it where the tests have a process of their own:  Solution CALLS ANSWERS MOST-OUTPUT */
public final class Solution {
  private Solution() {}

  public static void main(String[] arguments) throws Exception {
    Meter meter = System.getenv("TALLY_COVERAGE") == null ? null : Meter.made();
    CaseLoader loader = new CaseLoader(Map.of(), false, meter);
    int most = Integer.parseInt(arguments[2]) + 1;  // one more, which tells the tests that it was too much
    CaseOutput out = new CaseOutput(most, most), err = new CaseOutput(most, most);
    SolutionSide side = new SolutionSide(loader, Integer.parseInt(arguments[0]), Integer.parseInt(arguments[1]), out::take, err::take,
        meter == null ? null : () -> executed(meter));
    PrintStream said = System.err;
    System.setOut(out.stream());
    System.setErr(err.stream());
    Thread thread = new Thread(() -> {
      int status = 0;
      try {
        side.serve();
      } catch (Throwable error) {
        error.printStackTrace(said);
        status = 70;
      }
      Runtime.getRuntime().halt(status);  // threads of the solution may live on
    }, "main");
    thread.setContextClassLoader(loader);
    thread.start();
  }

  private static byte[] executed(Meter meter) {
    try {
      return meter.executed();
    } catch (IOException error) {
      return null;
    }
  }
}

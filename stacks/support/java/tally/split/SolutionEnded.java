package tally.split;

/** The solution's process is not there any more. No test expects it, so it is no Exception; the case is over, whatever the test makes of it. */
public final class SolutionEnded extends Error {
  private static final long serialVersionUID = 1;

  SolutionEnded(String why) {
    super(why, null, false, true);
  }
}

package tally.split;

/** What came from the other side is no message. */
final class Misunderstood extends RuntimeException {
  private static final long serialVersionUID = 1;

  Misunderstood(String what) {
    super(what);
  }
}

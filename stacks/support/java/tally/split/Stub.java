package tally.split;

/** An object in the tests that stands for one of the solution, which stays in the solution's process. */
public interface Stub {
  Handle tally$handle();

  void tally$handle(Handle handle);

  /** The type of a parameter that no constructor of the solution has. */
  final class Made {
    private Made() {}
  }
}

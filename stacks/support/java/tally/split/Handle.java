package tally.split;

/** Which object it is, and of which of the solution's processes. */
public final class Handle {
  final int process, number;

  Handle(int process, int number) {
    this.process = process;
    this.number = number;
  }
}

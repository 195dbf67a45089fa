package shop;

public class TooMuch extends RuntimeException { public final int much; public TooMuch(int much) { super("too much"); this.much = much; } }

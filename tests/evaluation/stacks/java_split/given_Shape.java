package shop;

public interface Shape { int area(); default int twice() { return 2 * area(); } }

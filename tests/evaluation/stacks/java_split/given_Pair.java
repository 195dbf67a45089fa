package shop;

public record Pair(int first, String second0) { public Pair(String a, int b) { this(b, a); } public String second() { return second0; } }

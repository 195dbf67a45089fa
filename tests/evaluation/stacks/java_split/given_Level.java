package shop;

public enum Level { LOW, HIGH }

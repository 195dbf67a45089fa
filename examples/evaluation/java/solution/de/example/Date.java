package de.example;

public class Date {
  private final int year;
  private final int month;
  private final int day;

  public Date(int year, int month, int day) {
    this.year = year;
    this.month = month;
    this.day = day;
  }

  public boolean isBefore(Date other) {
    if (year != other.year) {
      return year < other.year;
    }
    if (month != other.month) {
      return month < other.month;
    }
    return day < other.day;
  }
}

package de.example;

public record Date(int year, int month, int day) {
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

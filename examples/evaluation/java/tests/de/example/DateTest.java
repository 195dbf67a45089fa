package de.example;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

class DateTest {
  @Test
  void theYearCountsFirst() {
    assertTrue(new Date(2023, 12, 31).isBefore(new Date(2024, 1, 1)));
  }

  @Test
  void aDateIsNotBeforeItself() {
    assertFalse(new Date(2024, 2, 29).isBefore(new Date(2024, 2, 29)));
  }
}

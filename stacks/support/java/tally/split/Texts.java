package tally.split;

import java.io.File;
import java.net.URI;
import java.nio.file.FileSystems;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.OffsetDateTime;
import java.time.Period;
import java.time.Year;
import java.time.YearMonth;
import java.time.ZonedDateTime;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.UUID;
import java.util.function.Function;

/** Values of Java's that are made of their text. */
final class Texts {
  private static final Map<String, Function<String, Object>> MADE = new LinkedHashMap<>();

  static {
    MADE.put("java.io.File", File::new);
    MADE.put("java.net.URI", URI::create);
    MADE.put("java.nio.file.Path", text -> Path.of(text));
    MADE.put("java.time.Duration", Duration::parse);
    MADE.put("java.time.Instant", Instant::parse);
    MADE.put("java.time.LocalDate", LocalDate::parse);
    MADE.put("java.time.LocalDateTime", LocalDateTime::parse);
    MADE.put("java.time.LocalTime", LocalTime::parse);
    MADE.put("java.time.OffsetDateTime", OffsetDateTime::parse);
    MADE.put("java.time.Period", Period::parse);
    MADE.put("java.time.Year", Year::parse);
    MADE.put("java.time.YearMonth", YearMonth::parse);
    MADE.put("java.time.ZonedDateTime", ZonedDateTime::parse);
    MADE.put("java.util.Locale", Locale::forLanguageTag);
    MADE.put("java.util.UUID", UUID::fromString);
  }

  private Texts() {}

  static boolean isOne(Object value) {
    return MADE.containsKey(nameOf(value));
  }

  private static String nameOf(Object value) {
    return value instanceof Path && ((Path) value).getFileSystem() == FileSystems.getDefault() ? "java.nio.file.Path" : value.getClass().getName();
  }

  static void pack(Object value, Output out) {
    out.text(nameOf(value)).text(value instanceof Locale ? ((Locale) value).toLanguageTag() : value.toString());
  }

  static Object unpack(Input in) {
    Function<String, Object> made = MADE.get(in.text());
    if (made == null) throw new Misunderstood("another value");
    return made.apply(in.text());
  }
}

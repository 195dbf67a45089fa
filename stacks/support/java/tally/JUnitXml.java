package tally;

import java.util.concurrent.TimeoutException;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.runners.model.TestTimedOutException;

/** One case as JUnit XML. Throwables may be the solution's: their methods are code of its. */
final class JUnitXml {
  private static final int MOST_FRAMES = 20;
  private static final int MOST_CAUSES = 5;
  private static final String TIMEOUT = " type=\"timeout\"";

  /** Characters of each text. Fewer, when there were many: a report that is too long is none (evaluation/report_channel.cc). */
  private static volatile int longest = 1 << 16;

  private JUnitXml() {}

  static void beNoLonger(int characters) {
    longest = characters;
  }

  static void beBrief() {
    beNoLonger(Math.min(longest, 100));
  }

  /** `found`: what one of the functions below has made, or null for a case that passed. */
  static String testCase(String id, double seconds, String found, String out, String err) {
    int hash = id.lastIndexOf('#');
    String text = "<testcase name=\"" + escape(id.substring(0, hash)) + "\" classname=\"" + escape(id.substring(hash + 1))
        + "\" time=\"" + Math.round(seconds * 1000) / 1000.0 + "\">";
    if (found != null) text += found;
    if (!out.isEmpty()) text += "<system-out>" + escape(cut(out)) + "</system-out>";
    if (!err.isEmpty()) text += "<system-err>" + escape(cut(err)) + "</system-err>";
    return text + "</testcase>";
  }

  static String skipped(String reason) {
    return element("skipped", "", reason, "");
  }

  static String error(String message) {
    return element("error", "", message, "");
  }

  static String timeout(String message) {
    return element("error", TIMEOUT, message, "");
  }

  static boolean isTimeout(String found) {
    return found != null && found.startsWith("<error" + TIMEOUT);
  }

  static String fault(TestExecutionResult result) {
    Throwable thrown = result.getThrowable().orElse(null);
    boolean failed = result.getStatus() == TestExecutionResult.Status.FAILED;
    String message = "ended with an exception that cannot be told", details = "";
    try {
      message = messageOf(thrown);
      details = detailsOf(thrown);
    } catch (Throwable error) {
      // It is the solution's, and what it does is no concern of ours.
    }
    if (failed && isTimeout(thrown)) return element("error", TIMEOUT, message, details);
    return element(!failed ? "skipped" : thrown instanceof AssertionError ? "failure" : "error", "", message, details);
  }

  /** Of @Test(timeout) and of @Timeout. */
  private static boolean isTimeout(Throwable thrown) {
    return thrown instanceof TestTimedOutException || thrown instanceof TimeoutException;
  }

  private static String messageOf(Throwable thrown) {
    if (thrown == null) return "failed";
    String message = thrown.getMessage();
    return thrown instanceof AssertionError && message != null && !message.isBlank() ? message : thrown.toString();
  }

  private static String detailsOf(Throwable thrown) {
    StringBuilder text = new StringBuilder();
    int causes = 0;
    for (Throwable at = thrown; at != null && causes++ < MOST_CAUSES; at = at.getCause()) {
      text.append(causes > 1 ? "Caused by: " : "").append(at).append('\n');
      addFrames(at, text);
    }
    return text.toString();
  }

  private static void addFrames(Throwable thrown, StringBuilder text) {
    int frames = 0;
    for (StackTraceElement frame : thrown.getStackTrace()) {
      String name = frame.getClassName();
      if (name.startsWith("org.junit.") || name.startsWith("tally.") || name.startsWith("jdk.internal.reflect.")) continue;
      if (name.startsWith("java.lang.reflect.") || name.startsWith("org.opentest4j.")) continue;
      if (frames++ == MOST_FRAMES) {
        text.append("\t...\n");
        return;
      }
      text.append("\tat ").append(frame).append('\n');
    }
  }

  private static String element(String tag, String attributes, String message, String details) {
    String line = message == null ? "" : message.strip().lines().findFirst().orElse("");
    return "<" + tag + attributes + " message=\"" + escape(cut(line)) + "\">" + escape(cut(details)) + "</" + tag + ">";
  }

  private static String cut(String text) {
    int most = longest;
    if (text.length() <= most) return text;
    int more = text.codePointCount(0, text.length()) - most;
    if (more <= 0) return text;
    return text.substring(0, text.offsetByCodePoints(0, Math.max(0, most - 30))) + "\n[" + more + "+ more]\n";
  }

  private static String escape(String text) {
    StringBuilder out = new StringBuilder();
    text.codePoints().forEach(code -> {
      if (code == '<') out.append("&lt;");
      else if (code == '>') out.append("&gt;");
      else if (code == '&') out.append("&amp;");
      else if (code == '"') out.append("&quot;");
      else if (code >= ' ' && (code < 0xd800 || code > 0xdfff) && code != 0xfffe && code != 0xffff) out.appendCodePoint(code);
      else if (code == '\n' || code == '\t') out.append((char) code);
    });
    return out.toString();
  }
}

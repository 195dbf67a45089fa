package tally;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.IOException;
import java.io.InputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.platform.engine.discovery.DiscoverySelectors;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;

/** Loads what a run of tests loads. Made once into an archive of classes, it halves the time in which a runner starts. */
public final class WarmUp {
  private WarmUp() {}

  static final class Five {
    @Test
    void passes() {
      assertThrows(IllegalStateException.class, () -> {
        throw new IllegalStateException();
      });
    }

    @Test
    void fails() {
      assertEquals(1, 2);
    }

    @ParameterizedTest
    @CsvSource({"1, a", "2, b"})
    void many(int number, String text) {
      assertEquals(1, text.length());
    }
  }

  public static final class Four {
    @org.junit.Test
    public void fails() {
      org.junit.Assert.assertEquals(1, 2);
    }
  }

  public static void main(String[] arguments) throws ClassNotFoundException, IOException {
    LauncherFactory.create().execute(
        LauncherDiscoveryRequestBuilder.request()
            .selectors(DiscoverySelectors.selectClass(Five.class), DiscoverySelectors.selectClass(Four.class)).build(),
        new TestExecutionListener() {});
    for (String name : new String[] {"CaseListener", "CaseLoader", "CaseOutput", "Cases", "Channel", "Entrances", "Guard", "JUnitXml", "Runner", "Solution"}) {
      Class.forName("tally." + name);
    }
    try (InputStream file = WarmUp.class.getResourceAsStream("WarmUp.class")) {
      Entrances.guarded(file.readAllBytes());
    }
  }
}

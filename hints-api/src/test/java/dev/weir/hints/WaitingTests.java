package dev.weir.hints;

import java.time.Duration;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * How all tests wait for a condition that does not say otherwise: for a minute, because a busy
 * machine may take ten seconds for what takes another ten milliseconds; and looking often, because
 * most conditions are true in a moment. JUnit finds this by itself where {@code
 * junit.jupiter.extensions.autodetection.enabled} is true, as it is in Weir's build.
 */
public final class WaitingTests implements BeforeAllCallback {
  private static final Duration LONGEST = Duration.ofMinutes(1);
  private static final Duration BETWEEN_LOOKS = Duration.ofMillis(20);

  @Override
  public void beforeAll(ExtensionContext context) {
    Awaitility.setDefaultTimeout(LONGEST);
    Awaitility.setDefaultPollInterval(BETWEEN_LOOKS);
  }
}

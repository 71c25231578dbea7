package dev.weir.hints;

import java.time.Duration;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * Sets how long and how often tests poll a condition by default. The timeout is a minute, because a
 * busy machine may need a thousand times as long as an idle one. JUnit detects this extension,
 * because Weir's build sets {@code junit.jupiter.extensions.autodetection.enabled}.
 */
public final class WaitingTests implements BeforeAllCallback {
  private static final Duration LONGEST = Duration.ofMinutes(1);
  private static final Duration POLL_INTERVAL = Duration.ofMillis(20);

  @Override
  public void beforeAll(ExtensionContext context) {
    Awaitility.setDefaultTimeout(LONGEST);
    Awaitility.setDefaultPollInterval(POLL_INTERVAL);
  }
}

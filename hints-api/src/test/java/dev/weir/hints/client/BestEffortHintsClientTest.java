package dev.weir.hints.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.weir.hints.client.http.ClientSettings;
import dev.weir.hints.client.http.QuickRetryTimer;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.security.UserGroupInformation;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class BestEffortHintsClientTest {
  private static final Duration LONG = Duration.ofSeconds(60);
  private static final Duration SHORT = Duration.ofSeconds(1);
  private static final String HINT =
      "{\"path\":\"/a\",\"hint\":\"pipeline\",\"text\":\"pipeline\",\"set\":\"s\","
          + "\"owner\":\"ann\",\"pattern\":\"/a\",\"version\":3}";

  private final FakeService service = new FakeService();
  private final QuickRetryTimer time = new QuickRetryTimer();

  @AfterEach
  void close() {
    service.close();
  }

  @Test
  void returnsAnswersOfService() throws Exception {
    service
        .on("GET", "/v1/hints", 200, HINT)
        .on("POST", "/v1/locations", 200, "{\"files\":[]}")
        .on("POST", "/v1/placements:rank", 200, "{\"nodes\":[],\"bytes\":0,\"missing\":[]}");
    try (BestEffortHintsClient hints = hints(LONG)) {
      assertThat(hints.hint("/a").orElseThrow().text()).isEqualTo("pipeline");
      assertThat(hints.ask(service -> service.locations(List.of()))).isPresent();
      assertThat(hints.rank(List.of(), 0)).isPresent();
    }
  }

  @Test
  void missingHintAndRefusalAreEmptyAndDoNotPauseCalls() throws Exception {
    try (BestEffortHintsClient hints = hints(LONG)) {
      assertThat(hints.hint("/a")).isEmpty();
      service.on("GET", "/v1/hints", 403, "").on("GET", "/v1/hints", 200, HINT);
      assertThat(hints.hint("/a")).isEmpty();
      assertThat(hints.hint("/a")).isPresent();
    }
  }

  @Test
  void hangingServiceCostsOneTimeoutAndPausesCalls() throws Exception {
    service
        .on("GET", "/v1/hints", 200, HINT)
        .hangOn("GET", "/v1/hints")
        .on("GET", "/v1/hints", 200, HINT);
    try (BestEffortHintsClient hints = hints(LONG)) {
      assertThat(hints.hint("/a")).as("the first call loads classes").isPresent();
    }
    try (BestEffortHintsClient hints = hints(SHORT)) {
      assertThat(hints.hint("/a")).isEmpty();
      for (int i = 0; i < 100; i++) {
        assertThat(hints.hint("/a")).isEmpty();
      }
      // The service may receive the call after the caller's timeout.
      await().until(() -> service.asked().size() >= 2);
      assertThat(service.asked()).as("the first, and the one that hung").hasSize(2);
    }
    try (BestEffortHintsClient hints = hints(LONG)) {
      assertThat(hints.hint("/a")).isPresent();
    }
  }

  @Test
  void returningServiceIsCalledAfterPause() throws Exception {
    service.on("GET", "/v1/hints", 503, "").on("GET", "/v1/hints", 200, HINT);
    try (BestEffortHintsClient hints = hints(LONG)) {
      assertThat(hints.hint("/a")).isEmpty();
      assertThat(hints.hint("/a")).isEmpty();
      assertThat(service.asked()).hasSize(1);
      time.pass(Duration.ofSeconds(2));
      assertThat(hints.hint("/a")).isPresent();
    }
  }

  @Test
  void neverThrows() throws Exception {
    BestEffortHintsClient hints = hints(LONG);
    assertThat(
            hints.ask(
                client -> {
                  throw new IllegalStateException("a bug");
                }))
        .isEmpty();
    hints.close();
    time.pass(LONG);
    assertThat(hints.hint("/a")).isEmpty();
  }

  @Test
  void keepsInterruptStatus() throws Exception {
    try (BestEffortHintsClient hints = hints(LONG)) {
      Thread.currentThread().interrupt();
      assertThat(hints.hint("/a")).isEmpty();
      assertThat(Thread.interrupted()).isTrue();
    }
  }

  private BestEffortHintsClient hints(Duration bound) throws IOException {
    ClientSettings settings = new ClientSettings(List.of(service.url()), LONG, LONG, LONG, 1);
    HintsClient client =
        HintsClient.open(
            new Configuration(false), settings, UserGroupInformation.createRemoteUser("ann"), time);
    return new BestEffortHintsClient(client, bound, new ServiceBackoff(time::nanoTime));
  }
}

package dev.weir.workflow.hints;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.hints.HintPresets;
import dev.weir.hints.HintSet;
import dev.weir.hints.PathPattern;
import dev.weir.hints.Rule;
import dev.weir.hints.client.FakeService;
import dev.weir.hints.client.http.ClientSettings;
import dev.weir.hints.store.HintStore;
import dev.weir.hints.store.InMemoryHintStore;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class HintPublisherTest {
  private static final String CALL = "/v1/hint-sets/run-1";
  private static final List<Rule> RULES =
      List.of(new Rule(PathPattern.literal("/x"), HintPresets.pipeline()));
  private static final Clock CLOCK =
      Clock.fixed(Instant.parse("2026-01-01T00:00:00Z"), ZoneOffset.UTC);

  private final FakeService service = new FakeService();

  @AfterEach
  void close() {
    service.close();
  }

  @Test
  void serviceHasTheHintsUntilTheyAreRemoved() throws Exception {
    service
        .on("PUT", CALL, 201, "{\"id\":\"run-1\",\"version\":3,\"rules\":1,\"applied\":true}")
        .on("DELETE", CALL, 204, "");
    try (HintPublisher publisher = publisher(service.url().toString())) {
      assertThat(publisher.put(set(publisher))).isEmpty();
      FakeService.Asked put = service.last();
      assertThat(put.query()).containsEntry("await", "applied").containsKey("timeout");
      assertThat(put.body())
          .contains("\"owner\":\"ann\"", "\"expires\":\"2026-01-01T01:00:00Z\"", "/x");
      publisher.remove("run-1");
    }
    assertThat(service.last().method()).isEqualTo("DELETE");
  }

  @Test
  void hintsThatAreNotAppliedAreReported() throws Exception {
    service.on("PUT", CALL, 202, "{\"id\":\"run-1\",\"version\":3,\"rules\":1,\"applied\":false}");
    assertThat(put(service.url().toString())).contains(HintPublisher.NOT_APPLIED);
  }

  @Test
  void refusalIsReported() throws Exception {
    service.on(
        "PUT",
        CALL,
        403,
        "{\"title\":\"Forbidden\",\"status\":403,\"detail\":\"ann may not write /x\"}");
    assertThat(put(service.url().toString()).orElseThrow())
        .startsWith("Running without hints: ")
        .contains("may not write /x");
  }

  @Test
  void unavailableServiceIsReported() throws Exception {
    String url = service.url().toString();
    service.close();
    assertThat(put(url).orElseThrow()).startsWith("Running without hints: ").contains(url);
  }

  @Test
  void serviceExtendsTheHints() throws Exception {
    service.on("POST", CALL + ":keep-alive", 200, "{\"id\":\"run-1\",\"version\":4,\"rules\":1}");
    try (HintPublisher publisher = HintPublisher.of(conf(service.url().toString())).orElseThrow()) {
      publisher.keep("run-1", CLOCK.instant());
    }
    assertThat(service.last().path()).isEqualTo(CALL + ":keep-alive");
    assertThat(service.last().body()).contains("2026-01-01T00:00:00Z");
  }

  @Test
  void withoutAServiceHintsAreInTheStore() throws Exception {
    InMemoryHintStore store = new InMemoryHintStore(CLOCK);
    try (HintStore nameNode = store.withRole(HintStore.ROLE_NAMENODE);
        HintPublisher publisher = new StoreHintPublisher(store.withRole(""))) {
      assertThat(nameNode.watchers()).isNotEmpty();
      HintSet set = new HintSet("run-1", "ann", CLOCK.instant().plusSeconds(60), RULES);
      assertThat(publisher.put(set)).isEmpty();
      Instant later = CLOCK.instant().plus(publisher.life());
      publisher.keep("run-1", later);
      assertThat(store.get("run-1").orElseThrow().expires()).isEqualTo(later);
      publisher.remove("run-1");
      assertThat(store.get("run-1")).isEmpty();
    }
  }

  @Test
  void clusterWithoutServiceAndStoreHasNoPublisher() throws Exception {
    assertThat(HintPublisher.of(conf(""))).isEmpty();
  }

  private static HintPublisher publisher(String url) throws Exception {
    return HintPublisher.of(conf(url)).orElseThrow();
  }

  private static Optional<String> put(String url) throws Exception {
    try (HintPublisher publisher = publisher(url)) {
      return publisher.put(set(publisher));
    }
  }

  private static HintSet set(HintPublisher publisher) {
    return new HintSet("run-1", "ann", CLOCK.instant().plus(publisher.life()), RULES);
  }

  private static Configuration conf(String url) {
    Configuration conf = new Configuration(false);
    conf.set(ClientSettings.URL_KEY, url);
    return conf;
  }
}

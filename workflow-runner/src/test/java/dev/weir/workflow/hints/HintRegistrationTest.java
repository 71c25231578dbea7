package dev.weir.workflow.hints;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.weir.hints.HintPresets;
import dev.weir.hints.HintSet;
import dev.weir.hints.PathPattern;
import dev.weir.hints.Rule;
import dev.weir.hints.client.FakeService;
import dev.weir.hints.client.http.ClientSettings;
import dev.weir.hints.store.HintStore;
import dev.weir.hints.store.InMemoryHintStore;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class HintRegistrationTest {
  private static final String CALL = "/v1/hint-sets/run-1";
  private static final HintRegistration.Owner OWNER = new HintRegistration.Owner("run-1", "ann");
  private static final List<Rule> RULES =
      List.of(new Rule(PathPattern.literal("/x"), HintPresets.pipeline()));
  private static final Clock CLOCK =
      Clock.fixed(Instant.parse("2026-01-01T00:00:00Z"), ZoneOffset.UTC);

  private final FakeService service = new FakeService();
  private final List<String> notes = new ArrayList<>();

  @AfterEach
  void close() {
    service.close();
  }

  @Test
  void serviceHasTheHintsUntilTheEndOfTheRun() throws Exception {
    service
        .on("PUT", CALL, 201, "{\"id\":\"run-1\",\"version\":3,\"rules\":1,\"applied\":true}")
        .on("DELETE", CALL, 204, "");
    try (HintRegistration registration = register(service.url().toString())) {
      assertThat(registration).isNotNull();
      FakeService.Asked put = service.last();
      assertThat(put.query()).containsEntry("await", "applied").containsKey("timeout");
      assertThat(put.body())
          .contains("\"owner\":\"ann\"", "\"expires\":\"2026-01-01T01:00:00Z\"", "/x");
    }
    assertThat(notes).isEmpty();
    assertThat(service.last().method()).isEqualTo("DELETE");
  }

  @Test
  void hintsThatAreNotAppliedAreNoted() throws Exception {
    service.on("PUT", CALL, 202, "{\"id\":\"run-1\",\"version\":3,\"rules\":1,\"applied\":false}");
    register(service.url().toString()).close();
    assertThat(notes).containsExactly(HintPublisher.NOT_APPLIED);
  }

  @Test
  void refusalIsNotedAndTheRunContinues() throws Exception {
    service.on(
        "PUT",
        CALL,
        403,
        "{\"title\":\"Forbidden\",\"status\":403,\"detail\":\"ann may not write /x\"}");
    register(service.url().toString()).close();
    assertThat(notes).hasSize(1);
    assertThat(notes.get(0)).startsWith("Running without hints: ").contains("may not write /x");
  }

  @Test
  void unavailableServiceIsNotedAndTheRunContinues() throws Exception {
    String url = service.url().toString();
    service.close();
    register(url).close();
    assertThat(notes).hasSize(1);
    assertThat(notes.get(0)).startsWith("Running without hints: ").contains(url);
  }

  @Test
  void hintsAreExtendedDuringTheRun() throws Exception {
    Recording publisher = new Recording();
    try (HintRegistration registration =
        HintRegistration.register(publisher, OWNER, RULES, context())) {
      assertThat(registration).isNotNull();
      await().until(() -> publisher.kept.size() >= 2);
    }
    assertThat(publisher.kept)
        .containsOnly("run-1 until " + CLOCK.instant().plus(publisher.life()));
    assertThat(publisher.ended).containsExactly("remove run-1", "close");
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

  private HintRegistration register(String url) throws Exception {
    return HintRegistration.register(
        HintPublisher.of(conf(url)).orElseThrow(), OWNER, RULES, context());
  }

  private HintRegistration.Context context() {
    return new HintRegistration.Context(CLOCK, notes::add, () -> false);
  }

  private static Configuration conf(String url) {
    Configuration conf = new Configuration(false);
    conf.set(ClientSettings.URL_KEY, url);
    return conf;
  }

  /** A publisher whose sets are extended often, and which records its calls. */
  private static final class Recording implements HintPublisher {
    final List<String> kept = new CopyOnWriteArrayList<>();
    final List<String> ended = new CopyOnWriteArrayList<>();

    @Override
    public Duration life() {
      return Duration.ofMillis(40);
    }

    @Override
    public Optional<String> put(HintSet set) {
      return Optional.empty();
    }

    @Override
    public void keep(String id, Instant end) {
      kept.add(id + " until " + end);
    }

    @Override
    public void remove(String id) {
      ended.add("remove " + id);
    }

    @Override
    public void close() {
      ended.add("close");
    }
  }
}

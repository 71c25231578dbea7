package dev.weir.hdfs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.hints.HintPresets;
import dev.weir.hints.HintSet;
import dev.weir.hints.PathPattern;
import dev.weir.hints.Rule;
import dev.weir.hints.index.HintIndex;
import dev.weir.hints.store.ClientRules;
import java.io.IOException;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class ClientHintsTest {
  private static final Instant NOW = Instant.parse("2030-01-01T00:00:00Z");

  private final AtomicInteger calls = new AtomicInteger();
  private final AtomicInteger failures = new AtomicInteger();
  private long nanos;
  private final ClientHints hints =
      new ClientHints("nn", "", Clock.fixed(NOW, ZoneOffset.UTC), () -> nanos);

  @Test
  void readsTheAttributeOnceInItsAge() {
    byte[] value = encoded(null, "/a/**");
    assertThat(lookup(value, "/a/x")).isTrue();
    assertThat(lookup(value, "/b/x")).isFalse();
    assertThat(calls).hasValue(1);
    nanos += ClientHints.MAX_AGE.toNanos();
    assertThat(lookup(null, "/a/x")).as("the attribute was removed").isFalse();
    assertThat(calls).hasValue(2);
  }

  @Test
  void aProcessWithoutHintsMakesOneCall() {
    for (int i = 0; i < 100; i++) {
      assertThat(lookup(null, "/a/" + i)).isFalse();
    }
    assertThat(calls).hasValue(1);
  }

  @Test
  void keepsThePreviousRulesIfTheyCannotBeRead() {
    byte[] value = encoded(null, "/a/**");
    assertThat(lookup(value, "/a/x")).isTrue();
    nanos += ClientHints.MAX_AGE.toNanos();
    HintIndex kept =
        hints.current(
            () -> {
              throw new IOException("no answer");
            },
            failures::incrementAndGet);
    assertThat(kept.lookup("/a/x")).isPresent();
    nanos += ClientHints.MAX_AGE.toNanos();
    assertThat(hints.current(() -> new byte[] {'x'}, failures::incrementAndGet).lookup("/a/x"))
        .isPresent();
    assertThat(failures).hasValue(2);
  }

  @Test
  void expiredRulesDoNotApply() {
    assertThat(lookup(encoded(NOW.plusSeconds(1), "/a/**"), "/a/x")).isTrue();
    nanos += ClientHints.MAX_AGE.toNanos();
    assertThat(lookup(encoded(NOW, "/a/**"), "/a/x")).isFalse();
  }

  @Test
  void aClientThatFollowsNoHintsMakesNoCall() {
    HintIndex none =
        ClientHints.NONE.current(
            () -> {
              throw new AssertionError("called the NameNode");
            },
            ClientHintsTest::mustNotFail);
    assertThat(none.size()).isZero();
  }

  private boolean lookup(byte @Nullable [] value, String path) {
    HintIndex index =
        hints.current(
            () -> {
              calls.incrementAndGet();
              return value;
            },
            ClientHintsTest::mustNotFail);
    return index.lookup(path).isPresent();
  }

  private static void mustNotFail() {
    throw new AssertionError("counted as a failure");
  }

  private static byte[] encoded(@Nullable Instant expires, String pattern) {
    Rule rule = new Rule(PathPattern.parse(pattern), HintPresets.broadcast(7));
    HintSet set = new HintSet("s", "alice", expires, List.of(rule));
    return ClientRules.of(HintIndex.of(List.of(set))).value();
  }
}

package dev.weir.service.rest;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.hints.HintPresets;
import dev.weir.hints.HintSet;
import dev.weir.hints.PathPattern;
import dev.weir.hints.Rule;
import dev.weir.hints.SinglePathSets;
import dev.weir.hints.store.InMemoryHintStore;
import dev.weir.service.access.CallerFileSystems;
import dev.weir.service.access.HintAttributes;
import dev.weir.service.part.ProblemException;
import java.io.IOException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.util.functional.FunctionRaisingIOE;
import org.junit.jupiter.api.Test;

class ExpiredSetCleanerTest {
  private static final Instant NOW = Instant.parse("2030-01-01T00:00:00Z");

  private final Clock clock = Clock.fixed(NOW, ZoneOffset.UTC);
  private final InMemoryHintStore store = new InMemoryHintStore(clock);

  @Test
  void removesExpiredSetOfUnknownFileSystem() throws IOException {
    store.put(set(SinglePathSets.idFor("/a"), "hdfs://gone/a", NOW));
    store.put(set("z", "/z", NOW));
    store.put(set("later", "/later", NOW.plusSeconds(1)));
    new ExpiredSetCleaner(
            store, new HintAttributes(new NoFileSystem()), "weir", Duration.ofSeconds(1), clock)
        .removeExpired(() -> true);
    assertThat(store.ids()).containsExactly("later");
  }

  private static HintSet set(String id, String pattern, Instant expires) {
    return new HintSet(
        id,
        "alice",
        expires,
        List.of(new Rule(PathPattern.parse(pattern), HintPresets.pipeline())));
  }

  private static final class NoFileSystem implements CallerFileSystems {
    @Override
    public <T> T call(String user, String authority, FunctionRaisingIOE<FileSystem, T> operation) {
      throw ProblemException.invalid("", "the file system is not known here");
    }

    @Override
    public String self() {
      return "weir";
    }

    @Override
    public void close() {}
  }
}

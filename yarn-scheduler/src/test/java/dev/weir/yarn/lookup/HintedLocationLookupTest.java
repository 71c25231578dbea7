package dev.weir.yarn.lookup;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.yarn.ManualClock;
import dev.weir.yarn.metrics.AskMetrics;
import java.io.FileNotFoundException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class HintedLocationLookupTest {

  private static final long BLOCK = 128;

  private final Map<String, Long> existing = new HashMap<>(Map.of("/a", 5L));
  private final Map<String, List<String>> expected =
      new HashMap<>(Map.of("/out", List.of("h2", "h3")));
  private final List<String> requests = new ArrayList<>();
  private boolean closed;

  private final LocationLookup files =
      new LocationLookup() {
        @Override
        public Map<String, Long> bytesByHost(String user, List<String> paths) throws Exception {
          return locate(user, paths).bytesByHost();
        }

        @Override
        public LocationResult.Found locate(String user, List<String> paths) throws Exception {
          if (paths.contains("/secret")) {
            throw new SecurityException("/secret");
          }
          List<String> missing =
              paths.stream().filter(path -> !existing.containsKey(path)).toList();
          if (missing.size() == paths.size()) {
            throw new FileNotFoundException(paths.get(0));
          }
          return new LocationResult.Found(Map.of("h1", 5L), Map.of("h1", 2L), missing);
        }
      };

  private final HintedLocationLookup lookup =
      new HintedLocationLookup(
          files,
          new HintedLocationLookup.Expectation() {
            @Override
            public List<String> hosts(String user, List<String> paths) {
              requests.add(user + " " + paths);
              return paths.stream()
                  .flatMap(path -> expected.getOrDefault(path, List.of()).stream())
                  .distinct()
                  .toList();
            }

            @Override
            public void close() {
              closed = true;
            }
          },
          BLOCK);

  @Test
  void anExpectedFileCountsAsABlockOnItsHosts() throws Exception {
    assertThat(lookup.locate("alice", List.of("/out")))
        .isEqualTo(
            new LocationResult.Found(
                Map.of("h2", BLOCK / 2, "h3", BLOCK / 2), Map.of(), List.of(), true));
    assertThat(requests).containsExactly("alice [/out]");
  }

  @Test
  void existingFilesCountBesideExpectedOnes() throws Exception {
    expected.put("/out", List.of("h1"));

    assertThat(lookup.locate("alice", List.of("/a", "/out")))
        .isEqualTo(
            new LocationResult.Found(Map.of("h1", 5 + BLOCK), Map.of("h1", 2L), List.of(), true));
  }

  @Test
  void existingFilesNeedNoRequest() throws Exception {
    assertThat(lookup.locate("alice", List.of("/a")).expected()).isFalse();
    assertThat(requests).isEmpty();
  }

  @Test
  void filesWithoutHintsAreMissing() throws Exception {
    assertThatThrownBy(() -> lookup.locate("alice", List.of("/nowhere")))
        .isInstanceOf(FileNotFoundException.class);
    assertThat(lookup.locate("alice", List.of("/a", "/nowhere")).missing())
        .containsExactly("/nowhere");
    assertThatThrownBy(() -> lookup.locate("alice", List.of("/out*")))
        .isInstanceOf(FileNotFoundException.class);
  }

  @Test
  void filesWithoutHintsAreMissingBesideExpectedOnes() throws Exception {
    assertThat(lookup.locate("alice", List.of("/a", "/out", "/nowhere", "/none*")))
        .isEqualTo(
            new LocationResult.Found(
                Map.of("h1", 5L, "h2", BLOCK, "h3", BLOCK),
                Map.of("h1", 2L),
                List.of("/nowhere", "/none*"),
                true));
    assertThat(lookup.locate("alice", List.of("/nowhere", "/out")).missing())
        .containsExactly("/nowhere");
  }

  @Test
  void singleRequestsAreLimited() throws Exception {
    List<String> paths = new ArrayList<>(List.of("/out"));
    IntStream.range(0, 100).forEach(i -> paths.add("/nowhere" + i));

    assertThat(lookup.locate("alice", paths).missing())
        .hasSize(HintedLocationLookup.MAX_SINGLE_REQUESTS - 1);
    assertThat(requests).hasSize(1 + HintedLocationLookup.MAX_SINGLE_REQUESTS);
  }

  @Test
  void unreadableFilesAreNotRequested() {
    assertThatThrownBy(() -> lookup.locate("alice", List.of("/secret", "/out")))
        .isInstanceOf(SecurityException.class);
    assertThat(requests).isEmpty();
  }

  @Test
  void expectedLocationsExpireEarly() {
    ManualClock clock = new ManualClock();
    LocationCache cache =
        new LocationCache(lookup, Runnable::run, clock, new AskMetrics(), LocationCache.MAX_WEIGHT);
    FilesResourceName out = FilesResourceName.parse("weir:/out");
    cache.locate("alice", out);
    existing.put("/out", 5L);
    clock.advance(LocationCache.FAILURE_MILLIS);
    cache.locate("alice", out);

    assertThat(cache.locate("alice", out))
        .isEqualTo(new LocationResult.Found(Map.of("h1", 5L), Map.of("h1", 2L), List.of()));
  }

  @Test
  void closesBoth() {
    lookup.close();
    assertThat(closed).isTrue();
  }
}

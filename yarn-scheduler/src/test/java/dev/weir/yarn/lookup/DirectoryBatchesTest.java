package dev.weir.yarn.lookup;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.yarn.ManualClock;
import dev.weir.yarn.ManualExecutor;
import dev.weir.yarn.metrics.AskMetrics;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import org.junit.jupiter.api.Test;

/** Files of one directory are looked up together. */
class DirectoryBatchesTest {

  private final AskMetrics metrics = new AskMetrics();
  private final ManualExecutor executor = new ManualExecutor();
  private final Listing files = new Listing();
  private final LocationCache cache = cache(executor);

  @Test
  void manyFilesOfADirectoryAreOneListing() {
    locate("alice", "/in/", 100);
    executor.runAll();

    assertThat(files.requests).containsExactly("alice lists /in");
    for (int i = 0; i < 100; i++) {
      assertThat(cache.locate("alice", name("/in/" + i)))
          .isEqualTo(new LocationResult.Found(Map.of("h1", (long) i)));
    }
    assertThat(metrics.value(AskMetrics.Event.LOOKUPS_DONE)).isEqualTo(100);
    assertThat(metrics.value(AskMetrics.Event.LOOKUPS_LISTED)).isEqualTo(100);
  }

  /** Otherwise several threads would list the whole directory for a few files each. */
  @Test
  void filesThatArriveDuringAListingAreListedNext() {
    files.meanwhile =
        () -> {
          files.meanwhile = () -> {};
          for (int i = 100; i < 200; i++) {
            assertThat(cache.locate("alice", name("/in/" + i)))
                .isEqualTo(new LocationResult.Pending());
          }
          assertThat(executor.waiting()).as("concurrent listings").isZero();
        };
    locate("alice", "/in/", 100);
    executor.runAll();

    assertThat(files.requests).containsExactly("alice lists /in", "alice lists /in");
    assertThat(cache.locate("alice", name("/in/150"))).isInstanceOf(LocationResult.Found.class);
    assertThat(metrics.value(AskMetrics.Event.LOOKUPS_LISTED)).isEqualTo(200);
  }

  @Test
  void fewFilesAreLookedUpSingly() {
    locate("alice", "/in/", DirectoryBatches.MIN_LISTED_FILES - 1);
    executor.runAll();

    assertThat(files.requests)
        .hasSize(DirectoryBatches.MIN_LISTED_FILES - 1)
        .noneMatch(DirectoryBatchesTest::isListing);
    assertThat(cache.locate("alice", name("/in/3"))).isInstanceOf(LocationResult.Found.class);
  }

  @Test
  void filesMissingFromAListingAreLookedUpSingly() {
    files.unlisted.addAll(List.of("/in/3", "/in/5", "/in/nowhere"));
    locate("alice", "/in/", 50);
    cache.locate("alice", name("/in/nowhere"));
    executor.runAll();

    assertThat(files.requests)
        .containsExactlyInAnyOrder(
            "alice lists /in", "alice asks /in/3", "alice asks /in/5", "alice asks /in/nowhere");
    assertThat(cache.locate("alice", name("/in/5"))).isInstanceOf(LocationResult.Found.class);
    assertThat(cache.locate("alice", name("/in/nowhere"))).isEqualTo(new LocationResult.Unknown());
  }

  @Test
  void filesOfAnUnlistableDirectoryAreLookedUpSingly() {
    files.broken = true;
    locate("alice", "/in/", 50);
    executor.runAll();

    assertThat(files.requests).hasSize(51);
    assertThat(cache.locate("alice", name("/in/5"))).isInstanceOf(LocationResult.Found.class);
  }

  @Test
  void eachUserAndDirectoryIsOneListing() {
    locate("alice", "/in/", 50);
    locate("bob", "/in/", 50);
    locate("alice", "/", 50);
    cache.locate("alice", name("/in/*"));
    cache.locate("alice", FilesResourceName.parse("weir:/in/1,/in/2"));
    executor.runAll();

    assertThat(files.requests)
        .containsExactlyInAnyOrder(
            "alice lists /in",
            "bob lists /in",
            "alice lists /",
            "alice asks /in/*",
            "alice asks /in/1",
            "alice asks /in/2");
  }

  @Test
  void aRefusedLookupIsAnAnswer() {
    LocationCache full =
        cache(
            task -> {
              throw new RejectedExecutionException();
            });

    assertThat(full.locate("alice", name("/in/1")))
        .isEqualTo(new LocationResult.Unknown(LocationResult.Why.TOO_MANY));
    assertThat(metrics.value(AskMetrics.Event.LOOKUPS_REFUSED)).isEqualTo(1);

    assertThat(full.locate("alice", name("/in/2")))
        .as("the next lookup")
        .isEqualTo(new LocationResult.Unknown(LocationResult.Why.TOO_MANY));
  }

  @Test
  void waitingFilesAreBoundedPerUser() {
    int many = FairExecutor.CAPACITY * 3 / 4;
    int room = FairExecutor.CAPACITY / 2;
    files.meanwhile =
        () -> {
          files.meanwhile = () -> {};
          for (int i = 0; i < many; i++) {
            cache.locate("alice", name("/in/" + i));
          }
          locate("bob", "/in/", 100);
        };
    locate("alice", "/in/9000", DirectoryBatches.MIN_LISTED_FILES);
    executor.runAll();

    assertThat(metrics.value(AskMetrics.Event.LOOKUPS_REFUSED)).isEqualTo(many - room);
    assertThat(cache.locate("alice", name("/in/" + (many - 1))))
        .isEqualTo(new LocationResult.Unknown(LocationResult.Why.TOO_MANY));
    assertThat(cache.locate("alice", name("/in/1"))).isInstanceOf(LocationResult.Found.class);
    assertThat(cache.locate("bob", name("/in/99"))).isInstanceOf(LocationResult.Found.class);
    locate("alice", "/later/", 100);
    executor.runAll();
    assertThat(cache.locate("alice", name("/later/99")))
        .as("a file after the others were looked up")
        .isInstanceOf(LocationResult.Found.class);
  }

  private static boolean isListing(String question) {
    return question.contains(" lists ");
  }

  private void locate(String user, String directory, int count) {
    for (int i = 0; i < count; i++) {
      assertThat(cache.locate(user, name(directory + i))).isEqualTo(new LocationResult.Pending());
    }
  }

  private LocationCache cache(Executor threads) {
    return new LocationCache(files, threads, new ManualClock(), metrics, LocationCache.MAX_WEIGHT);
  }

  private static FilesResourceName name(String path) {
    return FilesResourceName.parse("weir:" + path);
  }

  /** Files whose names end with their size. */
  private static final class Listing implements LocationLookup {
    private final List<String> requests = new ArrayList<>();
    private final Set<String> unlisted = new TreeSet<>();
    private Runnable meanwhile = () -> {};
    private boolean broken;

    @Override
    public Map<String, Long> bytesByHost(String user, List<String> paths) throws Exception {
      paths.forEach(path -> requests.add(user + " asks " + path));
      String name = paths.get(0).substring(paths.get(0).lastIndexOf('/') + 1);
      if (name.equals("nowhere")) {
        throw new FileNotFoundException(paths.get(0));
      }
      return name.equals("*") ? Map.of() : Map.of("h1", Long.parseLong(name));
    }

    @Override
    public Map<String, LocationResult.Found> inDirectory(
        String user, String directory, Set<String> paths) throws Exception {
      requests.add(user + " lists " + directory);
      meanwhile.run();
      if (broken) {
        throw new IOException("broken");
      }
      Map<String, LocationResult.Found> found = new HashMap<>();
      for (String path : paths) {
        if (!unlisted.contains(path)) {
          String name = path.substring(path.lastIndexOf('/') + 1);
          found.put(path, new LocationResult.Found(Map.of("h1", Long.parseLong(name))));
        }
      }
      return found;
    }
  }
}

package dev.weir.workflow.cache;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.workflow.protocol.FileSlot;
import dev.weir.workflow.transfer.DataStore;
import dev.weir.workflow.transfer.DataStore.Fetched;
import dev.weir.workflow.transfer.DirectoryStore;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Stream;

/** A second process on the node that uses the cache and the store of a test. */
final class CacheProcess {

  private static final long LIMIT = 1000;

  private final Process process;
  private final BufferedReader output;

  private CacheProcess(List<String> arguments) throws IOException {
    List<String> command =
        new ArrayList<>(
            List.of(
                System.getProperty("java.home") + "/bin/java",
                "-Xmx64m",
                "-XX:TieredStopAtLevel=1",
                "-cp",
                System.getProperty("java.class.path"),
                CacheProcess.class.getName()));
    command.addAll(arguments);
    process = new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
    output =
        new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
  }

  /** Starts a process that fetches random files of the store this many times. */
  static CacheProcess start(Path temp, String name, int times) throws IOException {
    return new CacheProcess(List.of(temp.toString(), name, Integer.toString(times)));
  }

  /** Starts a process that begins to fetch a file and hangs. */
  static CacheProcess startStuck(Path temp, String path) throws IOException {
    return new CacheProcess(List.of(temp.toString(), path));
  }

  boolean isAlive() {
    return process.isAlive();
  }

  /**
   * The fetches of a process.
   *
   * @param wrong how many returned wrong content
   * @param fetched how many read the store
   * @param cached how many read the cache
   */
  record Counts(int wrong, int fetched, int cached) {}

  /** Waits for the process to end and returns its counts. */
  Counts finish() throws IOException, InterruptedException {
    Map<String, Integer> counts = new HashMap<>();
    String line = output.readLine();
    while (line != null) {
      String[] words = line.split(" ", 2);
      counts.put(words[0], Integer.parseInt(words[1]));
      line = output.readLine();
    }
    assertThat(process.waitFor()).isZero();
    return new Counts(
        requireNonNull(counts.get("wrong")),
        requireNonNull(counts.get("fetched")),
        requireNonNull(counts.get("cached")));
  }

  void awaitStuck() throws IOException {
    assertThat(output.readLine()).isEqualTo("stuck");
  }

  void kill() throws InterruptedException {
    process.destroyForcibly();
    process.waitFor();
  }

  /** Entry point of the process. */
  public static void main(String[] arguments) throws Exception {
    Path temp = Path.of(arguments[0]);
    DirectoryStore store = new DirectoryStore(temp.resolve("store"));
    try (NodeCache cache =
        new NodeCache(
            CacheDirectory.open(temp.resolve("cache"), CacheLimit.of(LIMIT)),
            Clock.systemUTC(),
            0)) {
      CachingStore caching = new CachingStore(store, cache);
      if (arguments.length == 2) {
        getStuck(store, caching, arguments[1], temp.resolve("stuck"));
      } else {
        fetch(store, caching, temp.resolve(arguments[1]), Integer.parseInt(arguments[2]));
      }
    }
  }

  private static void getStuck(DirectoryStore store, CachingStore caching, String path, Path target)
      throws IOException {
    store.beforeFetch(
        part -> {
          Files.writeString(part, "half of it");
          System.out.println("stuck");
          try {
            new CountDownLatch(1).await();
          } catch (InterruptedException e) {
            throw new IOException(e);
          }
        });
    find(caching, path).fetch(target);
  }

  private static DataStore.Source find(CachingStore caching, String path) throws IOException {
    return requireNonNull(
        caching
            .find(List.of(new FileSlot(path.substring(1), path, 0, FileSlot.Kind.SHARED, 0)))
            .get(path));
  }

  private static void fetch(DirectoryStore store, CachingStore caching, Path target, int times)
      throws IOException {
    List<String> paths;
    try (Stream<Path> files = Files.list(store.file("/."))) {
      paths = files.map(file -> "/" + file.getFileName()).sorted().toList();
    }
    Random random = new Random(target.hashCode());
    int wrong = 0;
    int cached = 0;
    for (int i = 0; i < times; i++) {
      // First fetch all files, from either end of the list, so that each process fetches some.
      int next = i < paths.size() ? i : random.nextInt(paths.size());
      String path = paths.get(next);
      Fetched fetched = find(caching, path).fetch(target);
      wrong += Files.readString(target).equals(store.read(path)) ? 0 : 1;
      cached += fetched.cachedBytes() > 0 ? 1 : 0;
      Files.delete(target);
    }
    System.out.println("wrong " + wrong);
    System.out.println("cached " + cached);
    System.out.println("fetched " + store.fetches());
  }
}

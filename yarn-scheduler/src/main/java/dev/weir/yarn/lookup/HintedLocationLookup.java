package dev.weir.yarn.lookup;

import java.io.FileNotFoundException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Knows of files that are still to be written where they will be, if a hint says so: the outputs of
 * tasks that run can be asked for before they are there. What a task will write nobody knows, so a
 * file to come counts as one block of HDFS.
 */
final class HintedLocationLookup implements LocationLookup {

  /** Paths that are asked about one by one, to tell the user of those that nothing is known of. */
  static final int MAX_ASKED_ALONE = 10;

  private final LocationLookup files;
  private final Expectation expectation;
  private final long expectedBytes;
  private final Supplier<@Nullable ChangeSource> changes;

  /** Tells where files will be. May block, for a bounded time; throws nothing. */
  interface Expectation extends AutoCloseable {

    /** The hosts that some of the files will be on; empty if nothing is known of them. */
    List<String> hosts(String user, List<String> paths);

    @Override
    void close();
  }

  /**
   * A look-up.
   *
   * @param files knows of files that are there
   * @param expectedBytes what a file counts that is not
   */
  HintedLocationLookup(LocationLookup files, Expectation expectation, long expectedBytes) {
    this(files, expectation, expectedBytes, () -> null);
  }

  /** The same with somebody who tells which files have changed. */
  HintedLocationLookup(
      LocationLookup files,
      Expectation expectation,
      long expectedBytes,
      Supplier<@Nullable ChangeSource> changes) {
    this.changes = changes;
    this.files = files;
    this.expectation = expectation;
    this.expectedBytes = expectedBytes;
  }

  @Override
  public Map<String, Long> bytesByHost(String user, List<String> paths) throws Exception {
    return locate(user, paths).bytesByHost();
  }

  @Override
  public LocationResult.Found locate(String user, List<String> paths) throws Exception {
    LocationResult.Found found;
    try {
      found = files.locate(user, paths);
    } catch (FileNotFoundException e) {
      LocationResult.Found expected =
          add(user, new LocationResult.Found(Map.of(), Map.of(), paths));
      if (expected.expected()) {
        return expected;
      }
      throw e;
    }
    return found.missing().isEmpty() ? found : add(user, found);
  }

  private LocationResult.Found add(String user, LocationResult.Found found) {
    List<String> missing = found.missing().stream().filter(path -> !BoundedGlob.is(path)).toList();
    List<String> hosts = missing.isEmpty() ? List.of() : expectation.hosts(user, missing);
    if (hosts.isEmpty()) {
      return found;
    }
    Map<String, Long> bytes = new HashMap<>(found.bytesByHost());
    long each = Math.max(1, expectedBytes * missing.size() / hosts.size());
    hosts.forEach(host -> bytes.merge(host, each, Long::sum));
    return new LocationResult.Found(
        bytes, found.cachedByHost(), unknown(user, found.missing()), true);
  }

  /**
   * The missing paths of which hints know nothing, where they know something of all together: they
   * stay missing. Each takes a question of its own, so it is only looked at the first.
   */
  private List<String> unknown(String user, List<String> missing) {
    if (missing.size() == 1) {
      return List.of();
    }
    return missing.stream()
        .limit(MAX_ASKED_ALONE)
        .filter(path -> BoundedGlob.is(path) || expectation.hosts(user, List.of(path)).isEmpty())
        .toList();
  }

  @Override
  public Map<String, LocationResult.Found> inDirectory(
      String user, String directory, Set<String> paths) throws Exception {
    return files.inDirectory(user, directory, paths);
  }

  @Override
  public void prepare() throws Exception {
    files.prepare();
  }

  @Override
  public @Nullable ChangeSource changes() {
    return changes.get();
  }

  @Override
  public void close() {
    expectation.close();
    files.close();
  }
}

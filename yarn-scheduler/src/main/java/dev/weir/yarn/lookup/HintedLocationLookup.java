package dev.weir.yarn.lookup;

import java.io.FileNotFoundException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Also locates files that do not exist yet, if a hint determines their nodes. So a task can be
 * placed by the outputs of running tasks. The size of such a file is unknown; it counts as one HDFS
 * block.
 */
final class HintedLocationLookup implements LocationLookup {

  /** The most missing paths that are requested one by one, to report those that no hint knows. */
  static final int MAX_SINGLE_REQUESTS = 10;

  private final LocationLookup files;
  private final Expectation expectation;
  private final long expectedBytes;

  /** Predicts where files will be. May block, for a bounded time; throws nothing. */
  interface Expectation extends AutoCloseable {

    /** Hosts that some of the files will be on; empty if nothing is known. */
    List<String> hosts(String user, List<String> paths);

    @Override
    void close();
  }

  /**
   * Creates a lookup.
   *
   * @param files locates existing files
   * @param expectedBytes the assumed size of a file that does not exist yet
   */
  HintedLocationLookup(LocationLookup files, Expectation expectation, long expectedBytes) {
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
   * Of the missing paths, those that no hint knows. Each takes a separate request, so only the
   * first few are checked.
   */
  private List<String> unknown(String user, List<String> missing) {
    if (missing.size() == 1) {
      return List.of();
    }
    return missing.stream()
        .limit(MAX_SINGLE_REQUESTS)
        .filter(path -> BoundedGlob.is(path) || expectation.hosts(user, List.of(path)).isEmpty())
        .toList();
  }

  @Override
  public void prepare() throws Exception {
    files.prepare();
  }

  @Override
  public void close() {
    expectation.close();
    files.close();
  }
}
